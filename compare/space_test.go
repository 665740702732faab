package compare_test

import (
	"math"
	"testing"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// TestInSpace: what cameras see in space is compared as from the side, whatever their pictures show, and a mirror image with its
// angles.
func TestInSpace(t *testing.T) {
	source, target := testkit.Rendered(t, "squat_0_shift").InSpace(), testkit.Rendered(t, "squat_60").InSpace()
	if compare.Opposite(source, target) {
		t.Error("they are told to face opposite sides")
	}
	res, err := compare.Diff(source, target, compare.Options{Angles: true, Warnings: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Warnings) > 0 || res.Score == nil || len(res.Angles) < 10 || len(res.Repetitions) != 3 {
		t.Errorf("%v, score %v, %d angles, %d repetitions", res.Warnings, res.Score, len(res.Angles), len(res.Repetitions))
	}
	overlay, err := compare.Overlay(source, target, compare.Options{Angles: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range overlay { // in the first picture
		a, okA := overlay[i].Centroid(keypoint.LowerBody)
		if b, okB := source.Frames[i].Centroid(keypoint.LowerBody); okA && okB && a.Sub(b).Len() > 200 {
			t.Fatalf("frame %d: the overlay is at %v, the person at %v", i, a, b)
		}
	}

	mirrored := source.Clone()
	for i := range mirrored.Frames {
		f := &mirrored.Frames[i]
		for p := range keypoint.Part(keypoint.NumParts) {
			if p.Mirror() > p {
				f.Exchange(p)
			}
		}
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			f.Set(p, keypoint.Point{float64(source.Size.X) - at[0], at[1]}, 1)
		}
		places := *f.Positions()
		for _, p := range places.Present().List() {
			at, _ := places.At(p)
			places.Set(p, keypoint.Position{-at[0], at[1], at[2]}, 0)
		}
		f.SetPositions(&places)
	}
	if res, err = compare.Diff(source, mirrored, compare.Options{Angles: true, Mirror: true}); err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Largest {
		if math.Abs(d.Difference) > 1e-6 {
			t.Errorf("%v", d)
		}
	}
}
