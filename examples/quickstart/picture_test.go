package main

import (
	"bytes"
	"flag"
	"image"
	"image/draw"
	"image/jpeg"
	"os"
	"testing"

	motiondraw "github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/sample"
)

var update = flag.Bool("update", false, "write the README's picture anew")

const picture = "sample.jpg"

// drawn draws the README's picture: the sample with its keypoints, the right side of the
// body in orange, the left one in blue.
func drawn(t *testing.T) *image.RGBA {
	est, err := movenet.New(movenet.Options{Pose: thunder.Model(), People: multipose.Model(), Library: movenettest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer est.Close()
	img := sample.Image()
	f, err := est.Estimate(t.Context(), img, inference.Hint{})
	if err != nil {
		t.Fatal(err)
	}
	canvas := image.NewRGBA(img.Bounds())
	draw.Draw(canvas, canvas.Rect, img, image.Point{}, draw.Src)
	rules, err := motiondraw.ParseRules([]byte(`[
		{"drawingType": "stickPicture", "points": ["leftShoulder", "rightShoulder"], "color": "white", "size": 4},
		{"drawingType": "stickPicture", "points": ["leftHip", "rightHip"], "color": "white", "size": 4},
		{"drawingType": "stickPicture", "pattern": "rightBody", "color": "orange", "size": 4},
		{"drawingType": "stickPicture", "pattern": "leftBody", "color": "blueGreen", "size": 4},
		{"drawingType": "keypoint", "pattern": "rightBody", "color": "white", "size": 2.5},
		{"drawingType": "keypoint", "pattern": "leftBody", "color": "white", "size": 2.5},
		{"drawingType": "keypoint", "pattern": "rightBody", "color": "red", "size": 1.5},
		{"drawingType": "keypoint", "pattern": "leftBody", "color": "blue", "size": 1.5},
		{"drawingType": "keypoint", "points": ["nose", "leftEye", "rightEye", "leftEar", "rightEar"], "color": "limeGreen"}]`))
	if err != nil {
		t.Fatal(err)
	}
	if err := motiondraw.Render(canvas, &f, rules, motiondraw.Background{}); err != nil {
		t.Fatal(err)
	}
	return canvas
}

// TestPicture holds the README's picture against what the library draws today. Run with
// -update to write it anew.
func TestPicture(t *testing.T) {
	want := drawn(t)
	if *update {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, want, &jpeg.Options{Quality: 85}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(picture, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := jpeg.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	different := 0
	for y := range 1200 {
		for x := range 1200 {
			r, g, b, _ := got.At(x, y).RGBA()
			w := want.RGBAAt(x, y)
			far := func(a uint32, b uint8) bool { return max(a>>8, uint32(b))-min(a>>8, uint32(b)) > 64 }
			if far(r, w.R) || far(g, w.G) || far(b, w.B) {
				different++
			}
		}
	}
	// The lines cover some 40,000 pixels. JPEG blurs their edges, and a better estimate
	// moves them by a few pixels; a line that is missing or misplaced changes more.
	if different > 20_000 {
		t.Errorf("%d pixels of the README's picture differ from what is drawn today: run go test ./examples/quickstart -update and look at it", different)
	}
}
