package clean_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// side is a frame of a torso of 100 pixels with the right elbow beside the left one.
func side(distance, left, right float64) keypoint.Sequence {
	var f keypoint.Frame
	for _, p := range []keypoint.Part{keypoint.LeftShoulder, keypoint.RightShoulder} {
		f.Set(p, keypoint.Point{200 + 10*float64(p), 100}, .9)
	}
	for _, p := range []keypoint.Part{keypoint.LeftHip, keypoint.RightHip} {
		f.Set(p, keypoint.Point{200 + 10*float64(p-keypoint.LeftHip) + 50, 200}, .9)
	}
	f.Set(keypoint.LeftElbow, keypoint.Point{200, 160}, left)
	f.Set(keypoint.RightElbow, keypoint.Point{200 + distance, 160}, right)
	return keypoint.Sequence{Frames: []keypoint.Frame{f}}
}

func TestCoincident(t *testing.T) {
	for _, c := range []struct {
		name     string
		distance float64
		left     float64
		right    float64
		gone     keypoint.Parts
		less     float64 // what the confidence of the right elbow loses
	}{
		{"the less sure one", 4, .6, .4, keypoint.PartsOf(keypoint.RightElbow), 0},
		{"the other one", 4, .3, .4, keypoint.PartsOf(keypoint.LeftElbow), 0},
		{"equally unsure", 4, .4, .4, keypoint.PartsOf(keypoint.RightElbow), 0},
		{"both sure", 4, .6, .5, 0, .15},
		{"apart", 6, .6, .3, 0, 0},
	} {
		seq := side(c.distance, c.left, c.right)
		out, report, err := clean.Run(seq, clean.Options{Coincident: true})
		if err != nil {
			t.Fatal(err)
		}
		if gone := seq.Frames[0].Present() &^ out.Frames[0].Present(); gone != c.gone {
			t.Errorf("%s: %v are absent, want %v", c.name, gone.List(), c.gone.List())
		}
		if n := report.Count(clean.Coincident); n != c.gone.Len() {
			t.Errorf("%s: %d are reported as removed", c.name, n)
		}
		if n := report.Count(clean.Doubted); n != 1 && c.less > 0 || n != 0 && c.less == 0 {
			t.Errorf("%s: %d are reported as made less sure", c.name, n)
		}
		if less := c.right - out.Frames[0].Confidence(keypoint.RightElbow); out.Frames[0].Has(keypoint.RightElbow) && math.Abs(less-c.less) > 1e-9 {
			t.Errorf("%s: the right elbow is less sure by %v, want %v", c.name, less, c.less)
		}
		same, _, err := clean.Run(seq, clean.Options{})
		if err != nil || same.Frames[0] != seq.Frames[0] {
			t.Errorf("%s: changed without the option (%v)", c.name, err)
		}
	}
}

// TestCoincidentLeaves: whatever the frame, no part of less than 0.5 is left in the place of a surer one, and
// what is left is unchanged.
func TestCoincidentLeaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seq := side(50, .9, .9)
		f := &seq.Frames[0]
		for p := range keypoint.Part(keypoint.LeftShoulder) {
			f.Set(p, keypoint.Point{rapid.Float64Range(0, 12).Draw(t, "x"), 0}, rapid.Float64Range(0, 1).Draw(t, "confidence"))
		}
		torso, _ := f.TorsoLength()
		out, _, err := clean.Run(seq, clean.Options{Coincident: true})
		if err != nil {
			t.Fatal(err)
		}
		left := out.Frames[0].Present().List()
		for _, p := range left {
			a, _ := out.Frames[0].At(p)
			if b, _ := f.At(p); a != b || out.Frames[0].Confidence(p) != f.Confidence(p) {
				t.Fatalf("%v is changed", p)
			}
			for _, q := range left {
				b, _ := out.Frames[0].At(q)
				low := min(out.Frames[0].Confidence(p), out.Frames[0].Confidence(q))
				if p != q && low < 0.5 && a.Sub(b).Len() <= 0.05*torso {
					t.Fatalf("%v and %v are both there", p, q)
				}
			}
		}
	})
}
