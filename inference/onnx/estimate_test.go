package onnx_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnx"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// TestBlobs finds blobs in pictures of any type and origin, with and without a detector.
func TestBlobs(t *testing.T) {
	centre := keypoint.Point{200, 150}
	blobs := body(centre, 80)
	whole := paint(image.Rect(0, 0, 400, 300), blobs...)
	movie := yuv.New(image.Pt(400, 300))
	movie.FromRGBA(whole)
	heat := descriptor(onnx.Heatmap, 96, 128)
	heat.Decode.Refine = "dark"
	interleaved := heat
	interleaved.Input.Layout, interleaved.Decode.Refine = "nhwc", ""
	for name, m := range map[string]onnx.Model{
		"simcc":     simccModel(),
		"heat maps": {ONNX: heatmaps(17, 96, 128, false), Descriptor: heat},
		"nhwc":      {ONNX: heatmaps(17, 96, 128, true), Descriptor: interleaved},
	} {
		t.Run(name, func(t *testing.T) {
			detector := newEstimator(t, onnx.Options{Pose: m, Finder: &found{people: []inference.Candidate{at(centre, 80)}}})
			alone := newEstimator(t, onnx.Options{Pose: m})
			tolerance := 1.5
			if name == "nhwc" {
				tolerance = 2
			}
			for _, img := range []image.Image{whole, movie} {
				f := estimate(t, detector, img, keypoint.Frame{})
				check(t, &f, blobs, tolerance)
				f = estimate(t, alone, img, keypoint.Frame{})
				check(t, &f, blobs, tolerance)
			}
			part := whole.SubImage(image.Rect(101, 51, 331, 251))
			f := estimate(t, detector, part, keypoint.Frame{})
			check(t, &f, blobs, tolerance)
			f = estimate(t, alone, part, keypoint.Frame{})
			check(t, &f, blobs, tolerance)
		})
	}
}

// TestNoBias: the errors cancel out over many positions, so nothing is shifted by half a pixel of
// the input or of the picture.
func TestNoBias(t *testing.T) {
	box := inference.Candidate{Box: inference.Box{Min: keypoint.Point{40, 40}, Max: keypoint.Point{232, 296}}, Score: 1}
	step := 256 * 1.25 / 128.0 // pixels of the picture per pixel of the input
	dark := descriptor(onnx.Heatmap, 96, 128)
	dark.Decode.Refine = "dark"
	for _, c := range []struct {
		name       string
		model      onnx.Model
		mean, most float64
	}{
		{"simcc", simccModel(), 0.15 * step, 0.6 * step},
		{"dark", onnx.Model{ONNX: heatmaps(17, 96, 128, false), Descriptor: dark}, 0.1, 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEstimator(t, onnx.Options{Pose: c.model, Finder: &found{people: []inference.Candidate{box}}})
			r := rand.New(rand.NewPCG(1, 2))
			var sum keypoint.Point
			n := 0
			for range 40 {
				var blobs []blob
				for _, colour := range []color.RGBA{red, green, blue} {
					blobs = append(blobs, blob{keypoint.Point{60 + 150*r.Float64(), 60 + 210*r.Float64()}, 12, colour})
				}
				f := estimate(t, e, paint(image.Rect(0, 0, 272, 336), blobs...), keypoint.Frame{})
				for p := range keypoint.Part(3) {
					got, ok := f.At(p)
					d := got.Sub(blobs[p].at)
					if !ok || math.Abs(d[0]) > c.most || math.Abs(d[1]) > c.most {
						t.Errorf("%v is off by %v", p, d)
					}
					sum = sum.Add(d)
					n++
				}
			}
			if mean := sum.Mul(1 / float64(n)); math.Abs(mean[0]) > c.mean || math.Abs(mean[1]) > c.mean {
				t.Errorf("shifted by %v pixels", mean)
			}
		})
	}
}

// TestFeet: the parts of the feet are where the named set or the list has them, and do not change
// how a person is followed, who may have lost them in the previous frame.
func TestFeet(t *testing.T) {
	centre := keypoint.Point{200, 150}
	blobs := body(centre, 80)
	img := paint(image.Rect(0, 0, 400, 300), blobs...)
	// The points of the feet in the order of keypoint.Part: big toes, small toes, heels.
	halpe, whole := []int{20, 21, 22, 23, 24, 25}, []int{17, 20, 18, 21, 19, 22}
	list := make([]int, keypoint.NumParts)
	for i := range list {
		list[i] = i
	}
	copy(list[keypoint.NumBody:], []int{25, 24, -1, -1, 23, 22})
	for name, c := range map[string]struct {
		points int
		parts  onnx.Parts
		feet   []int
	}{
		"coco17":            {17, onnx.Parts{Set: "coco17"}, []int{-1, -1, -1, -1, -1, -1}},
		"halpe26":           {26, onnx.Parts{Set: "halpe26"}, halpe},
		"coco-wholebody133": {133, onnx.Parts{Set: "coco-wholebody133"}, whole},
		"list of 17":        {26, onnx.Parts{List: list[:keypoint.NumBody]}, []int{-1, -1, -1, -1, -1, -1}},
		"list of 23":        {26, onnx.Parts{List: list}, list[keypoint.NumBody:]},
	} {
		t.Run(name, func(t *testing.T) {
			d := descriptor(onnx.SimCC, 96, 128)
			d.Parts = c.parts
			detector := &found{people: []inference.Candidate{at(centre, 80)}}
			e := newEstimator(t, onnx.Options{Pose: onnx.Model{ONNX: simcc(c.points, 96, 128), Descriptor: d}, Finder: detector})
			f := estimate(t, e, img, keypoint.Frame{})
			check(t, &f, blobs, 1.5)
			for i, point := range c.feet {
				p := keypoint.Part(keypoint.NumBody + i)
				got, ok := f.At(p)
				if ok != (point >= 0) || ok && got.Sub(blobs[point%3].at).Len() > 1.5 {
					t.Errorf("%v at %v (%v), want point %d", p, got, ok, point)
				}
			}
			with := estimate(t, e, img, f)
			without := estimate(t, e, img, f.Only(keypoint.Body))
			if with != without {
				t.Errorf("followed without feet:\n%v, with:\n%v", without, with)
			}
			if n := detector.asked.Load(); n != 1 {
				t.Errorf("the detector was asked %d times, want once", n)
			}
		})
	}
}

// TestFollow: the detector runs only if there is no good previous frame.
func TestFollow(t *testing.T) {
	detector := &found{}
	e := newEstimator(t, onnx.Options{Pose: simccModel(), Finder: detector})
	var previous keypoint.Frame
	for i := range 10 {
		centre := keypoint.Point{100 + 8*float64(i), 150}
		detector.people = []inference.Candidate{at(centre, 80)}
		blobs := body(centre, 80)
		f := estimate(t, e, paint(image.Rect(0, 0, 400, 300), blobs...), previous)
		check(t, &f, blobs, 1.5)
		previous = f
	}
	if n := detector.asked.Load(); n != 1 {
		t.Errorf("the detector was asked %d times, want once", n)
	}
	// A person who jumps to another place is searched for.
	far := keypoint.Point{320, 80}
	detector.people = []inference.Candidate{at(far, 60)}
	blobs := body(far, 60)
	f := estimate(t, e, paint(image.Rect(0, 0, 400, 300), blobs...), previous)
	check(t, &f, blobs, 1.5)
	if n := detector.asked.Load(); n != 2 {
		t.Errorf("the detector was asked %d times, want twice", n)
	}
	// A person who has left gives an empty frame.
	detector.people = nil
	if f := estimate(t, e, paint(image.Rect(0, 0, 400, 300)), previous); f != (keypoint.Frame{}) {
		t.Errorf("nobody: %v", f)
	}
	detector.err = errors.New("broken")
	if _, err := e.Estimate(context.Background(), paint(image.Rect(0, 0, 40, 30)), inference.Hint{}); !errors.Is(err, detector.err) {
		t.Errorf("error %v", err)
	}
}

func TestThresholds(t *testing.T) {
	blobs := body(keypoint.Point{100, 100}, 80)
	blobs[2].colour = color.RGBA{0, 0, 50, 255} // 0.2
	img := paint(image.Rect(0, 0, 200, 200), blobs...)
	options := onnx.Options{Pose: simccModel(), Finder: &found{people: []inference.Candidate{at(keypoint.Point{100, 100}, 80)}}}
	for threshold, want := range map[float64]int{0: 12, 0.1: 17, -1: 17} {
		options.PartThreshold = threshold
		if f := estimate(t, newEstimator(t, options), img, keypoint.Frame{}); f.Len() != want {
			t.Errorf("threshold %g: %d parts, want %d", threshold, f.Len(), want)
		}
	}
	// Parts that do not form a body.
	options.PartThreshold = 0
	for _, b := range blobs {
		b.colour = color.RGBA{90, 0, 0, 255} // 6 parts of 0.35
		f := estimate(t, newEstimator(t, options), paint(image.Rect(0, 0, 200, 200), b), keypoint.Frame{})
		if n := f.Len(); n != 6 {
			t.Errorf("a faint body: %d parts", n)
		}
		b.colour = color.RGBA{0, 0, 90, 255} // 5 parts of 0.35
		if f := estimate(t, newEstimator(t, options), paint(image.Rect(0, 0, 200, 200), b), keypoint.Frame{}); f != (keypoint.Frame{}) {
			t.Errorf("hardly a body: %v", f)
		}
	}
}

// TestParts: named sets and lists map the network's points to the right parts.
func TestParts(t *testing.T) {
	centre := keypoint.Point{200, 150}
	blobs := body(centre, 80)
	img := paint(image.Rect(0, 0, 400, 300), blobs...)
	for set, points := range map[string]int{"halpe26": 26, "coco-wholebody133": 133} {
		d := descriptor(onnx.SimCC, 96, 128)
		d.Parts.Set = set
		f := estimate(t, newEstimator(t, onnx.Options{Pose: onnx.Model{ONNX: simcc(points, 96, 128), Descriptor: d}}), img, keypoint.Frame{})
		check(t, &f, blobs, 1.5)
	}
	d := descriptor(onnx.SimCC, 96, 128)
	d.Parts = onnx.Parts{List: []int{2, -1, -1, -1, -1, 1, 4, 7, 10, 13, 16, 0, 3, 6, 9, 12, 15}}
	f := estimate(t, newEstimator(t, onnx.Options{Pose: onnx.Model{ONNX: simcc(20, 96, 128), Descriptor: d}}), img, keypoint.Frame{})
	for p, k := range map[keypoint.Part]int{keypoint.Nose: 2, keypoint.LeftShoulder: 1, keypoint.RightAnkle: 0} {
		if got, ok := f.At(p); !ok || got.Sub(blobs[k].at).Len() > 1.5 {
			t.Errorf("%v is at %v, want %v", p, got, blobs[k].at)
		}
	}
	if f.Len() != 13 || f.Has(keypoint.LeftEye) {
		t.Errorf("%d parts", f.Len())
	}
}

// TestGoroutines: concurrent estimates each get their own result; Close waits for them, and later
// estimates give an error.
func TestGoroutines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.onnx")
	m := simccModel()
	if err := os.WriteFile(path, m.ONNX, 0o644); err != nil {
		t.Fatal(err)
	}
	m.Path, m.ONNX = path, nil
	e := newEstimator(t, onnx.Options{Pose: m})
	var wg sync.WaitGroup
	for i := range 8 {
		blobs := body(keypoint.Point{100 + 20*float64(i), 150}, 80)
		img := paint(image.Rect(0, 0, 400, 300), blobs...)
		wg.Go(func() {
			for range 5 {
				f, err := e.Estimate(context.Background(), img, inference.Hint{})
				if err != nil {
					t.Error(err)
				}
				check(t, &f, blobs, 1.5)
			}
		})
	}
	wg.Wait()
	img := paint(image.Rect(0, 0, 40, 30))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Estimate(ctx, img, inference.Hint{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
	if f := estimate(t, e, &image.RGBA{}, keypoint.Frame{}); f != (keypoint.Frame{}) {
		t.Errorf("no picture: %v", f)
	}
	// Running estimates succeed or report that the Estimator is closed.
	for range 8 {
		wg.Go(func() {
			for {
				if _, err := e.Estimate(context.Background(), img, inference.Hint{}); err != nil {
					if !strings.Contains(err.Error(), "closed") {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
}

// BenchmarkEstimate measures the cost of an estimate besides the network, which is almost free here.
func BenchmarkEstimate(b *testing.B) {
	centre := keypoint.Point{960, 540}
	img := yuv.New(image.Pt(1920, 1080))
	img.FromRGBA(paint(image.Rect(0, 0, 1920, 1080), body(centre, 400)...))
	e := newEstimator(b, onnx.Options{Pose: simccModel(), Finder: &found{people: []inference.Candidate{at(centre, 400)}}})
	b.ReportAllocs()
	for b.Loop() {
		estimate(b, e, img, keypoint.Frame{})
	}
}

// TestHints: only the person of the hint is estimated: given, chosen or followed.
func TestHints(t *testing.T) {
	left, right := keypoint.Point{100, 150}, keypoint.Point{300, 150}
	img := paint(image.Rect(0, 0, 400, 300), append(body(left, 80), body(right, 70)...)...)
	e := newEstimator(t, onnx.Options{Pose: simccModel(), Finder: &found{people: []inference.Candidate{at(left, 80), at(right, 70)}}})
	people, err := e.Find(t.Context(), img)
	if err != nil || len(people) != 2 {
		t.Fatalf("%d people (%v)", len(people), err)
	}
	see := func(h inference.Hint) keypoint.Frame {
		f, err := e.Estimate(t.Context(), img, h)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := see(inference.Hint{Region: people[1].Region()})
	check(t, &f, body(right, 70), 1.5)
	f = see(inference.Hint{Choose: inference.Choice{Policy: inference.PolicyNearest, Point: right}})
	check(t, &f, body(right, 70), 1.5)
	f = see(inference.Hint{Region: inference.Expected(f)})
	check(t, &f, body(right, 70), 1.5)
	var gone keypoint.Frame
	for p := range keypoint.Part(keypoint.NumBody) {
		gone.Set(p, keypoint.Point{200 + 2*float64(p%4), 20 + 2*float64(p)}, 0.9)
	}
	if f := see(inference.Hint{Region: inference.Expected(gone)}); !f.Empty() {
		t.Errorf("somebody else is taken for the one who is followed: %d parts", f.Len())
	}
	alone := newEstimator(t, onnx.Options{Pose: simccModel()})
	if _, err := alone.Find(t.Context(), img); !errors.Is(err, inference.ErrNoFinder) {
		t.Errorf("without a detector: %v", err)
	}
}
