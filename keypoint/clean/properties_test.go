package clean_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// TestSmoothSequence: of a complete and smooth recording nothing is repaired, and smoothing
// hardly moves it.
func TestSmoothSequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(30, 120).Draw(t, "frames")
		hertz := rapid.Float64Range(0.1, 0.8).Draw(t, "hertz")
		size := rapid.Float64Range(1, 80).Draw(t, "size")
		var s keypoint.Sequence
		for i := range n {
			at := float64(i) / 60
			var f keypoint.Frame
			for p := range keypoint.Part(keypoint.NumParts) {
				phase := 2*math.Pi*hertz*at + float64(p)
				f.Set(p, keypoint.Point{100*float64(p) + size*math.Sin(phase), size * math.Cos(phase)}, 0.9)
			}
			s.Frames, s.Times = append(s.Frames, f), append(s.Times, at)
		}
		repairs := clean.Options{Swaps: true, Gaps: &clean.Gaps{}}
		same, report, err := clean.Run(s, repairs)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []clean.Change{clean.Swapped, clean.Rejected, clean.Filled, clean.Smoothed} {
			if report.Count(c) != 0 {
				t.Fatalf("%d changes of kind %d", report.Count(c), c)
			}
		}
		for i := range s.Frames {
			if same.Frames[i] != s.Frames[i] {
				t.Fatalf("frame %d is changed", i)
			}
		}
		repairs.Smooth = &clean.Smooth{Cutoff: 12}
		smooth, report, err := clean.Run(s, repairs)
		if err != nil {
			t.Fatal(err)
		}
		if report.Count(clean.Smoothed) != n*keypoint.NumParts || report.Count(clean.Swapped)+report.Count(clean.Filled) != 0 {
			t.Fatal("not all was smoothed, or more than that")
		}
		for i := range s.Frames {
			for p := range keypoint.Part(keypoint.NumParts) {
				a, _ := s.Frames[i].At(p)
				b, _ := smooth.Frames[i].At(p)
				if d := a.Sub(b).Len(); d > 0.05*size {
					t.Fatalf("frame %d: %v is moved by %v of %v", i, p, d, size)
				}
			}
		}
	})
}

// TestBadInput: whatever the recording, there is an error or a recording of finite numbers
// that is as long, and no panic.
func TestBadInput(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-500, 500), rapid.SampledFrom([]float64{0, math.MaxFloat64, -math.MaxFloat64, 5e-324, math.NaN(), math.Inf(-1)}))
	rapid.Check(t, func(t *rapid.T) {
		var s keypoint.Sequence
		at := 0.0
		for range rapid.IntRange(0, 40).Draw(t, "frames") {
			var f keypoint.Frame
			for _, p := range []keypoint.Part{keypoint.LeftShoulder, keypoint.RightShoulder} {
				if rapid.IntRange(0, 4).Draw(t, "present") > 0 {
					f.Set(p, keypoint.Point{number.Draw(t, "x"), number.Draw(t, "y")}, 1)
				}
			}
			s.Frames = append(s.Frames, f)
			s.Times = append(s.Times, at)
			at += rapid.SampledFrom([]float64{1e-9, 0.01, 1.0 / 30, 1.0 / 30, 1.0 / 30, 5}).Draw(t, "step")
		}
		opt := clean.Options{
			Swaps: rapid.Bool().Draw(t, "swaps"), Outliers: &clean.Outliers{},
			Gaps:   &clean.Gaps{Method: rapid.SampledFrom([]clean.Method{"linear", "pchip"}).Draw(t, "gaps")},
			Smooth: &clean.Smooth{Method: rapid.SampledFrom([]clean.Method{"butterworth", "oneEuro", "median", "savitzkyGolay"}).Draw(t, "smooth")},
		}
		out, report, err := clean.Run(s, opt)
		if err != nil {
			if !errors.Is(err, keypoint.ErrInvalid) {
				t.Fatal(err)
			}
			return
		}
		if out.Len() != s.Len() || len(report.Changes) != s.Len() {
			t.Fatalf("%d frames of %d", out.Len(), s.Len())
		}
		for i := range out.Frames {
			for _, p := range out.Frames[i].Present().List() {
				if pt, _ := out.Frames[i].At(p); math.IsNaN(pt[0]+pt[1]) || math.IsInf(pt[0], 0) || math.IsInf(pt[1], 0) {
					t.Fatalf("frame %d: %v", i, pt)
				}
			}
		}
	})
}

func ExampleReport() {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 5), Times: []float64{0, 0.1, 0.2, 0.3, 0.4}}
	for _, i := range []int{0, 1, 3, 4} {
		s.Frames[i].Set(keypoint.Nose, keypoint.Point{float64(i), 0}, 1)
	}
	_, report, err := clean.Run(s, clean.Options{Gaps: &clean.Gaps{}, Smooth: &clean.Smooth{}})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Changes[2][keypoint.Nose] == clean.Filled, report.Count(clean.Smoothed))
	fmt.Printf("%+v\n", report.Skips)
	// Output:
	// true 0
	// [{Part:nose First:0 Last:4 Need:16 Rate:0}]
}
