package main

import (
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/lab/internal/estimators"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	photo "github.com/bodymotion/motion/internal/testkit/sample"
)

// TestEstimators runs every estimator of the table on the sample picture.
func TestEstimators(t *testing.T) {
	testkit.Thorough(t, "runs all estimators")
	t.Setenv("ONNXRUNTIME_LIB", ortkit.Library(t))
	dir := t.TempDir()
	write(t, filepath.Join(dir, "body.jpg"), photo.JPEG())
	parts := map[string]any{}
	f := photo.Visible()
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		parts[p.String()] = []float64{at[0], at[1], 2}
	}
	write(t, filepath.Join(dir, "annotations.json"), encoded(t, []any{map[string]any{
		"image": "body.jpg", "width": 1200, "height": 1200,
		"persons": []any{map[string]any{"bbox": []int{280, 20, 630, 1100}, "keypoints": parts}},
	}}))
	for _, name := range estimators.Names {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := run(t.Context(), []string{"pictures", "-estimator", name, filepath.Join(dir, "annotations.json")}, &out, io.Discard); err != nil {
				t.Fatal(err)
			}
			cells := strings.Fields(out.String())
			if recall, err := strconv.ParseFloat(cells[len(cells)-5], 64); err != nil || recall < .7 {
				t.Errorf("the sample picture gives %s", out.String())
			}
		})
	}
}

// TestData runs the tool on a few labelled pictures of the measuring data.
func TestData(t *testing.T) {
	labels := filepath.Join(testkit.Data(t, "images_gt"), "coco*", "annotations.json")
	t.Setenv("ONNXRUNTIME_LIB", ortkit.Library(t))
	var out strings.Builder
	if err := run(t.Context(), []string{"pictures", "-estimator", "fast", labels}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" coco ", " coco_noperson ", " all "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}
