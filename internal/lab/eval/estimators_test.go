package main

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// TestEstimators runs every estimator of the table on the sample picture.
func TestEstimators(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, not run with -short")
	}
	library := ortkit.Library(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "body.jpg"), sample.JPEG())
	parts := map[string]any{}
	f := sample.Visible()
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		parts[p.String()] = []float64{at[0], at[1], 2}
	}
	write(t, filepath.Join(dir, "annotations.json"), encoded(t, []any{map[string]any{
		"image": "body.jpg", "width": 1200, "height": 1200,
		"persons": []any{map[string]any{"bbox": []int{280, 20, 630, 1100}, "keypoints": parts}},
	}}))
	for _, c := range estimators() {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			err := run(t.Context(), estimators(), []string{"-json", "-library", library, "-estimator", c.name,
				"-annotations", filepath.Join(dir, "annotations.json")}, &out, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			var r report
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			if r.Estimator != c.name || len(r.Sets) != 1 || r.Sets[0].AR == nil || *r.Sets[0].AR < .7 {
				t.Errorf("the sample picture gives %s", out.String())
			}
		})
	}
}

// TestOwnNetworks: files stand in for the embedded networks.
func TestOwnNetworks(t *testing.T) {
	library := ortkit.Library(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "body.jpg"), sample.JPEG())
	write(t, filepath.Join(dir, "annotations.json"), encoded(t, []any{map[string]any{"image": "body.jpg", "width": 1200, "height": 1200, "persons": []any{}}}))
	lightningFile, peopleFile := filepath.Join(dir, "lightning.onnx"), filepath.Join(dir, "people.onnx")
	write(t, lightningFile, lightning.Model().ONNX)
	write(t, peopleFile, multipose.Model().ONNX)
	for _, c := range []struct{ args, fails string }{
		{"-estimator lightning -pose " + lightningFile + " -people " + peopleFile, ""},
		{"-estimator thunder -pose " + lightningFile, lightningFile}, // takes other pictures than Thunder
		{"-estimator lightning -people " + lightningFile, lightningFile},
		{"-estimator lightning -pose " + filepath.Join(dir, "none.onnx"), "none.onnx"},
	} {
		args := append(strings.Fields(c.args), "-library", library, "-annotations", filepath.Join(dir, "annotations.json"))
		var out bytes.Buffer
		err := run(t.Context(), estimators(), args, &out, io.Discard)
		if failed := err != nil; failed != (c.fails != "") || failed && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: error %v, want one with %q", c.args, err, c.fails)
		}
	}
}

// TestData runs the tool on a few labelled pictures of the measuring data.
func TestData(t *testing.T) {
	labels := filepath.Join(testkit.Data(t, "images_gt"), "coco*", "annotations.json")
	library := ortkit.Library(t)
	var out bytes.Buffer
	if err := run(t.Context(), estimators(), []string{"-library", library, "-estimator", "fast", "-annotations", labels, "-first", "3"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"estimator  fast", "\ncoco ", "\ncoco_noperson ", "\nall ", "\nleftKnee "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}
