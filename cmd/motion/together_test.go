package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// films finds the doll in pictures whose first pixel says which film and which frame of it they are.
type films []keypoint.Sequence

func (f films) Estimate(_ context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	film, frame, _, _ := img.At(0, 0).RGBA()
	return f[film>>8].Frames[frame>>8], nil
}

// TestTogether: two movies become positions in space, in metres with a height, once; those that cannot be joined are an
// error that says what to do.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	var list films
	for k, eye := range []mgl64.Vec3{{0, 1.2, 5}, {4.6, 1.4, 1.5}, {0.5, 1.2, 4.9}} {
		c := sample.Camera(eye, mgl64.Vec3{0, 0.95, 0}, 112)
		c.Size = image.Pt(160, 90)
		list = append(list, sample.Film(c, 120))
		var pictures []image.Image
		for i := range list[k].Frames {
			p := inferencetest.Picture(c.Size)
			p.SetRGBA(0, 0, color.RGBA{uint8(k), uint8(i), 0, 255})
			pictures = append(pictures, p)
		}
		put(t, dir, string('a'+rune(k))+".mp4", inferencetest.Movie(sample.DollRate, pictures...))
	}
	out, inJSON := filepath.Join(dir, "out"), false
	run := func(files ...string) (string, error) {
		t.Helper()
		var stdout bytes.Buffer
		var inputs []input
		for _, name := range files {
			inputs = append(inputs, input{filepath.Join(dir, name), name})
		}
		b, err := newBatch(t.Context(), &options{out: out, json: inJSON, found: finding{Person: persons[0], Height: 1.7}}, len(inputs), &stdout, &stdout)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		b.parts = func() (*setup.Parts, error) { return &setup.Parts{Decoder: inferencetest.Decoder{}}, nil }
		b.finder = func() (inference.Estimator, error) { return list, nil }
		err = b.together(t.Context(), inputs, keypointFormats[2:3])
		return stdout.String(), err
	}
	said, err := run("a.mp4", "b.mp4")
	if err != nil || !strings.Contains(said, "a.mp4-b.mp4: in space, cameras ") {
		t.Fatalf("%q, %v", said, err)
	}
	seq, err := (&store{dir: out}).keypoints("a.mp4-b.mp4.keypoints.json")
	if err != nil || seq.Len() != 120 || seq.Space == nil || seq.Space.Unit != keypoint.Metres || len(seq.Space.Cameras) != 2 {
		t.Fatalf("%+v, %v", seq.Space, err)
	}
	again, stderr, err := inProcess(t, "extract --out "+filepath.Join(dir, "again")+" "+filepath.Join(out, "a.mp4-b.mp4.keypoints.json"))
	if err != nil || len(again) != 1 || again[0].Frames != 120 {
		t.Fatalf("%+v, %v %s", again, err, stderr)
	}
	read, err := (&store{dir: filepath.Join(dir, "again")}).keypoints(again[0].Files[0])
	if err != nil || !reflect.DeepEqual(read, seq) {
		t.Errorf("the positions in space are others when they are read: %v", err)
	}
	f, err := os.Open(filepath.Join(out, "a.mp4-b.mp4.keypoints.trc"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if back, err := formats.Read(f, "trc", formats.Options{}); err != nil || back.Space == nil {
		t.Errorf("the TRC file: %v, %v", back.Space, err)
	}
	before := resultsIn(t, out)
	if _, err := run("a.mp4", "b.mp4"); err != nil || resultsIn(t, out)["a.mp4-b.mp4.keypoints.json"] != before["a.mp4-b.mp4.keypoints.json"] {
		t.Errorf("made again: %v", err)
	}
	inJSON = true
	var joined row
	if said, err := run("a.mp4", "b.mp4"); err != nil || json.Unmarshal([]byte(said), &joined) != nil ||
		joined.Frames != 120 || joined.Seconds != seq.Times[119] || joined.Found < 0.9 || joined.Status != "done" || !joined.Kept {
		t.Errorf("%s, %v", said, err)
	}
	if _, err := run("a.mp4", "c.mp4"); err == nil || !strings.Contains(err.Error(), "° apart") {
		t.Errorf("cameras side by side: %v", err)
	}
}
