package compare_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// TestFrameRate: recordings of one movement at any two frame rates are alike.
func TestFrameRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Straight between frames of the slower one, so that nothing is lost between.
		slow, factor := rapid.IntRange(2, 12).Draw(t, "frames"), rapid.IntRange(1, 6).Draw(t, "factor")
		dx := rapid.SliceOfN(rapid.Float64Range(-80, 80), slow, slow).Draw(t, "dx")
		at := func(u float64) (float64, float64) { // u in frames of the slower one
			k := min(int(u), slow-2)
			return dx[k] + (u-float64(k))*(dx[k+1]-dx[k]), 0
		}
		step := rapid.Float64Range(0.01, 0.2).Draw(t, "step")
		a := wave(every(slow, step), func(s float64) (float64, float64) { return at(s / step) })
		n := (slow-1)*factor + 1
		b := wave(every(n, step/float64(factor)), func(s float64) (float64, float64) { return at(s / step) })
		for _, pair := range [][2]keypoint.Sequence{{a, b}, {b, a}, {untimed(a), untimed(b)}, {untimed(b), untimed(a)}} {
			r, err := compare.Diff(pair[0], pair[1], compare.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d := worst(r); d > 1e-6 {
				t.Fatalf("the same movement differs by %v", d)
			}
		}
	})
}

func untimed(s keypoint.Sequence) keypoint.Sequence {
	s.Times = nil
	return s
}

// mirror shows a person as a mirror does.
func mirror(s keypoint.Sequence) keypoint.Sequence {
	m := s.Clone()
	for i := range s.Frames {
		m.Frames[i] = keypoint.Frame{}
		for _, p := range s.Frames[i].Present().List() {
			at, _ := s.Frames[i].At(p)
			m.Frames[i].Set(p.Mirror(), keypoint.Point{-at[0], at[1]}, 1)
		}
	}
	return m
}

// TestMirrorTwice: a mirrored target that is mirrored again is the target.
func TestMirrorTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source, target := standing(0, 0), standing(0, 0)
		for p := range keypoint.Part(keypoint.NumParts) {
			target = move(target, p, rapid.Float64Range(-60, 60).Draw(t, "x"), rapid.Float64Range(-60, 60).Draw(t, "y"))
		}
		plain, err := compare.Diff(seq(source), seq(target), compare.Options{})
		if err != nil {
			t.Skip("no torso")
		}
		twice, err := compare.Diff(seq(source), mirror(seq(target)), compare.Options{Mirror: true})
		if err != nil {
			t.Fatal(err)
		}
		for p := range keypoint.Part(keypoint.NumParts) {
			a, okA := plain.Frames[0].At(p)
			b, okB := twice.Frames[0].At(p)
			if okA != okB || math.Abs(a.Distance-b.Distance) > 1e-9 {
				t.Fatalf("%v: %+v and %+v", p, a, b)
			}
		}
	})
}

// TestBadInput: whatever the recordings, there is an error or numbers in their range, and
// no panic.
func TestBadInput(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-500, 500), rapid.SampledFrom([]float64{0, math.MaxFloat64, -math.MaxFloat64, 5e-324, math.NaN(), math.Inf(1)}))
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (s keypoint.Sequence) {
			n := rapid.IntRange(0, 4).Draw(t, name)
			for range n {
				var f keypoint.Frame
				for _, p := range []keypoint.Part{keypoint.Nose, keypoint.LeftShoulder, keypoint.LeftHip, keypoint.RightHip} {
					if rapid.IntRange(0, 3).Draw(t, "present") > 0 {
						f.Set(p, keypoint.Point{number.Draw(t, "x"), number.Draw(t, "y")}, 1)
					}
				}
				s.Frames = append(s.Frames, f)
			}
			if rapid.Bool().Draw(t, "timed") {
				for i := range n {
					s.Times = append(s.Times, float64(i)*rapid.Float64Range(1e-3, 2).Draw(t, "step"))
				}
			}
			return s
		}
		source, target := draw("source"), draw("target")
		opt := compare.Options{
			Alignment: rapid.SampledFrom([]compare.Alignment{"", compare.Linear, compare.DTW, compare.Offset}).Draw(t, "alignment"),
			Window:    rapid.SampledFrom([]float64{0, 0.01, 1, math.Inf(1)}).Draw(t, "window"),
			Mirror:    rapid.Bool().Draw(t, "mirror"),
		}
		if r, err := compare.Diff(source, target, opt); err == nil {
			for i := range r.Frames {
				for _, p := range r.Frames[i].Present().List() {
					d, _ := r.Frames[i].At(p)
					if !(d.Distance >= 0 && d.Distance <= 1) || !(d.Direction >= 0 && d.Direction < 360) {
						t.Fatalf("%+v of %v", d, p)
					}
				}
			}
			for _, s := range r.Shift {
				if math.IsNaN(s.X) || math.IsInf(s.X, 0) {
					t.Fatalf("shift %v", s)
				}
			}
		}
		if frames, err := compare.Overlay(source, target, opt); err == nil && len(frames) != source.Len() {
			t.Fatalf("%d frames of an overlay, want %d", len(frames), source.Len())
		}
	})
}

func ExampleOverlay() {
	person := func(size float64) keypoint.Sequence {
		var f keypoint.Frame
		f.Set(keypoint.LeftShoulder, keypoint.Point{size, size}, 1)
		f.Set(keypoint.LeftHip, keypoint.Point{size, 2 * size}, 1)
		return keypoint.Sequence{Frames: []keypoint.Frame{f}}
	}
	frames, err := compare.Overlay(person(100), person(250), compare.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(frames[0].At(keypoint.LeftShoulder)) // as large as the source's, and in its place
	// Output: [100 100] true
}
