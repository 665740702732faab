package blazepose

import (
	"testing"

	"github.com/bodymotion/motion/keypoint"
)

// body returns a body 400 pixels high around the middle of its hips, whose shoulders are so many
// pixels apart, the left ones to the right of the picture.
func body(hips keypoint.Point, across float64) (f keypoint.Frame) {
	for p, k := range points {
		side := across / 2
		if k%2 == 0 {
			side = -side
		}
		f.Set(p, hips.Add(keypoint.Point{side, 10 * float64(k-23)}), 0.9)
	}
	return f
}

// TestRegion: the square is around the middle of the hips, upright by the torso, and holds all parts.
func TestRegion(t *testing.T) {
	f := body(keypoint.Point{500, 400}, 80)
	s, ok := region(&f)
	hips, _ := f.Centroid(keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip))
	if !ok || s.Centre != hips || s.Angle > 0.01 || s.Angle < -0.01 {
		t.Errorf("%+v (%v), want one around %v", s, ok, hips)
	}
	far := 0.0
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		far = max(far, at.Sub(hips).Len())
	}
	if want := 2.5 * far; s.Side < want-1e-9 || s.Side > want+1e-9 {
		t.Errorf("the side is %v, want %v", s.Side, want)
	}
	f.Unset(keypoint.LeftHip)
	f.Unset(keypoint.RightHip)
	if _, ok := region(&f); ok {
		t.Error("a region without hips")
	}
}
