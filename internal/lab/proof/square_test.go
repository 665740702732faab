package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// square finds the same small person in the top left corner of every picture, and nobody
// where the middle of the picture is dark.
type square struct{}

func (square) Estimate(_ context.Context, img image.Image, _ inference.Hint) (f keypoint.Frame, _ error) {
	b := img.Bounds()
	if r, _, _, _ := img.At(b.Dx()/2, b.Dy()/2).RGBA(); r < 0x8000 {
		return f, nil
	}
	for p, at := range squareParts() {
		f.Set(p, at, .5)
	}
	return f, nil
}

func (square) Close() error { return nil }

func squareParts() map[keypoint.Part]keypoint.Point {
	return map[keypoint.Part]keypoint.Point{
		keypoint.Nose: {20, 4}, keypoint.LeftShoulder: {30, 10}, keypoint.RightShoulder: {10, 10},
		keypoint.LeftHip: {30, 50}, keypoint.RightHip: {10, 50},
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, content, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// picture returns a PNG of one grey.
func picture(t *testing.T, width, height int, grey uint8) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = grey
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// labels returns the labels of a picture; people are given by how far right they stand.
func labels(name string, people ...float64) map[string]any {
	persons := []any{}
	for i, dx := range people {
		parts := map[string]any{}
		for p, at := range squareParts() {
			parts[p.String()] = []float64{at[0] + dx, at[1], 2}
		}
		size := float64(100 / (i + 1)) // the first one is the dominant one
		persons = append(persons, map[string]any{"bbox": []float64{dx, 0, size, size}, "keypoints": parts})
	}
	return map[string]any{"image": name, "width": 320, "height": 200, "persons": persons}
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// folder writes two sets of pictures and returns the folder.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	bright, dark := picture(t, 320, 200, 255), picture(t, 320, 200, 0)
	for _, name := range []string{"a/right.png", "a/two.png", "a/wrong.png", "b/invented.png"} {
		write(t, filepath.Join(dir, name), bright)
	}
	write(t, filepath.Join(dir, "a/missed.png"), dark)
	write(t, filepath.Join(dir, "b/nobody.png"), dark)
	write(t, filepath.Join(dir, "a/annotations.json"), encoded(t, []any{
		labels("right.png", 0), labels("two.png", 0, 150), labels("wrong.png", 150, 0), labels("missed.png", 0),
	}))
	write(t, filepath.Join(dir, "b/annotations.json"), encoded(t, []any{labels("invented.png"), labels("nobody.png")}))
	return dir
}
