package onnx_test

import (
	"context"
	"image"
	"image/color"
	"math"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnx"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/keypoint"
)

// blob is a spot of one colour, brightest at the point.
type blob struct {
	at     keypoint.Point // pixels
	sigma  float64        // pixels
	colour color.RGBA
}

var (
	red   = color.RGBA{255, 0, 0, 255}
	green = color.RGBA{0, 255, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
)

// paint returns a black picture with blobs.
func paint(bounds image.Rectangle, blobs ...blob) *image.RGBA {
	m := image.NewRGBA(bounds)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			var sum [3]float64
			for _, b := range blobs {
				d := keypoint.Point{float64(x) + 0.5, float64(y) + 0.5}.Sub(b.at)
				v := math.Exp(-d.Dot(d) / (2 * b.sigma * b.sigma))
				for k, c := range []uint8{b.colour.R, b.colour.G, b.colour.B} {
					sum[k] += v * float64(c)
				}
			}
			m.SetRGBA(x, y, color.RGBA{uint8(min(sum[0], 255) + 0.5), uint8(min(sum[1], 255) + 0.5), uint8(min(sum[2], 255) + 0.5), 255})
		}
	}
	return m
}

// body is somebody: three blobs, of the colours of the parts.
func body(at keypoint.Point, size float64) []blob {
	return []blob{
		{at.Add(keypoint.Point{-size / 4, -size / 2}), size / 10, red},
		{at.Add(keypoint.Point{size / 4, 0}), size / 10, green},
		{at.Add(keypoint.Point{0, size / 2}), size / 10, blue},
	}
}

// check compares the parts from the nose to the ankles with the blobs whose colours they have.
func check(t *testing.T, f *keypoint.Frame, blobs []blob, tolerance float64) {
	t.Helper()
	if n := (f.Present() & keypoint.Body).Len(); n != keypoint.NumBody {
		t.Errorf("%d parts, want 17", n)
		return
	}
	for p := range keypoint.Part(keypoint.NumBody) {
		if got, _ := f.At(p); got.Sub(blobs[p%3].at).Len() > tolerance {
			t.Errorf("%v is at %v, want %v", p, got, blobs[p%3].at)
			return
		}
	}
}

func descriptor(kind onnx.Kind, width, height int) onnx.Descriptor {
	d := onnx.Descriptor{
		Input:  onnx.Input{Width: width, Height: height, Scale: [3]float64{255, 255, 255}},
		Decode: onnx.Decode{Kind: kind},
	}
	if kind == onnx.SimCC || kind == onnx.Heatmap || kind == onnx.YOLOPose {
		d.Parts.Set = "coco17"
	}
	return d
}

func simccModel() onnx.Model {
	return onnx.Model{ONNX: simcc(17, 96, 128), Descriptor: descriptor(onnx.SimCC, 96, 128)}
}

func newEstimator(t testing.TB, opt onnx.Options) *onnx.Estimator {
	t.Helper()
	opt.Library, opt.Threads = ortkit.Library(t), 1
	e, err := onnx.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, e)
	return e
}

func newDetector(t testing.TB, m onnx.Model) *onnx.Detector {
	t.Helper()
	d, err := onnx.NewDetector(onnx.DetectorOptions{Options: onnxruntime.Options{Library: ortkit.Library(t), Threads: 1}, Model: m})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, d)
	return d
}

func estimate(t testing.TB, e *onnx.Estimator, img image.Image, previous keypoint.Frame) keypoint.Frame {
	t.Helper()
	return ortkit.Estimate(t, e, img, previous)
}

// found is a detector that returns given people and counts its calls.
type found struct {
	people []inference.Candidate
	err    error
	asked  atomic.Int32
}

func (f *found) Find(context.Context, image.Image) ([]inference.Candidate, error) {
	f.asked.Add(1)
	return f.people, f.err
}

// at returns a detection around a body.
func at(centre keypoint.Point, size float64) inference.Candidate {
	half := keypoint.Point{size * 0.4, size * 0.6}
	return inference.Candidate{Box: inference.Box{Min: centre.Sub(half), Max: centre.Add(half)}, Score: 0.9}
}
