package onnx_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnx"
	"github.com/bodymotion/motion/keypoint"
)

// TestDetectors: each kind of detector finds the person, and the pose network estimates that crop.
func TestDetectors(t *testing.T) {
	centre := keypoint.Point{300, 140}
	blobs := []blob{{centre, 6, color.RGBA{255, 255, 255, 255}}, {keypoint.Point{90, 90}, 6, color.RGBA{0, 200, 200, 255}}}
	img := paint(image.Rect(10, 20, 410, 320), blobs...)
	for _, c := range []struct {
		name  string
		kind  onnx.Kind
		class int
		file  []byte
		size  keypoint.Point // of the box, in pixels of the picture
	}{
		{"boxes", onnx.Boxes, 0, boxes(160, 160), keypoint.Point{20 * 2.5, 40 * 2.5}},
		{"yolox", onnx.YOLOX, 0, yolox(160, 160), keypoint.Point{16 * 2.5, 32 * 2.5}},
		{"yolo", onnx.YOLO, 1, yolo(160, 160), keypoint.Point{16 * 2.5, 32 * 2.5}},
		{"yolo, end to end", onnx.YOLO, 1, ended(160, 160), keypoint.Point{16 * 2.5, 32 * 2.5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := onnx.Model{ONNX: c.file, Descriptor: descriptor(c.kind, 160, 160)}
			m.Descriptor.Decode.Class = c.class
			d := newDetector(t, m)
			people, err := d.Find(context.Background(), img)
			if err != nil || len(people) == 0 {
				t.Fatalf("%v, %v", people, err)
			}
			b := people[0].Box
			middle, size := b.Min.Add(b.Max).Mul(0.5), b.Max.Sub(b.Min)
			limit := 2.5 // a pixel of the input
			if c.kind != onnx.Boxes {
				limit = 8 * 2.5 // a cell
			}
			if middle.Sub(centre).Len() > limit || size.Sub(c.size).Len() > 0.01 || people[0].Score < 0.8 || people[0].Score > 1 {
				t.Errorf("%+v: middle %v, size %v", people[0], middle, size)
			}
			e := newEstimator(t, onnx.Options{Pose: simccModel(), Finder: d})
			f := estimate(t, e, img, keypoint.Frame{})
			check(t, &f, []blob{blobs[0], blobs[0], blobs[0]}, 1.5)
			empty := paint(image.Rect(0, 0, 50, 90))
			if people, err := d.Find(context.Background(), empty); err != nil || len(people) != 0 {
				t.Errorf("an empty picture: %v, %v", people, err)
			}
			if f := estimate(t, e, empty, keypoint.Frame{}); f != (keypoint.Frame{}) {
				t.Errorf("an empty picture: %v", f)
			}
			if people, err := d.Find(context.Background(), &image.RGBA{}); err != nil || people != nil {
				t.Errorf("no picture: %v, %v", people, err)
			}
			if _, err := d.Find(context.Background(), nil); !errors.Is(err, keypoint.ErrInvalid) {
				t.Errorf("a nil picture: %v", err)
			}
		})
	}
}

// TestOneStage: the person nearest to the centre is chosen, and the person of the frame before is
// followed.
func TestOneStage(t *testing.T) {
	e := newEstimator(t, onnx.Options{Pose: onnx.Model{ONNX: yolopose(160, 160), Descriptor: descriptor(onnx.YOLOPose, 160, 160)}})
	// A cell is 16 pixels of the picture; the picture is 100 pixels below the letterbox's top
	// edge, and 6 of the input's rows of cells.
	middle, aside := keypoint.Point{168, 72}, keypoint.Point{72, 40}
	img := paint(image.Rect(0, 0, 320, 128), blob{middle, 4, red}, blob{aside, 4, red})
	f := estimate(t, e, img, keypoint.Frame{})
	want := func(f keypoint.Frame, centre keypoint.Point) {
		t.Helper()
		for p, offset := range map[keypoint.Part]keypoint.Point{keypoint.Nose: {-16, -32}, keypoint.RightAnkle: {16, 32}} {
			if got, ok := f.At(p); !ok || got.Sub(centre.Add(offset)).Len() > 0.01 {
				t.Errorf("%v at %v, want %v", p, got, centre.Add(offset))
			}
		}
	}
	want(f, middle)
	var previous keypoint.Frame
	for p := range keypoint.Part(keypoint.NumBody) {
		previous.Set(p, aside.Add(keypoint.Point{2*float64(p) - 15, 4*float64(p) - 30}), 1)
	}
	want(estimate(t, e, img, previous), aside)
	if f := estimate(t, e, paint(image.Rect(0, 0, 320, 128)), keypoint.Frame{}); f != (keypoint.Frame{}) {
		t.Errorf("nobody: %v", f)
	}
	if _, err := e.Estimate(t.Context(), nil, inference.Hint{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("estimating a nil picture: %v", err)
	}
	if _, err := e.Find(t.Context(), nil); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("finding people in a nil picture: %v", err)
	}
}
