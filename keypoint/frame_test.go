package keypoint_test

import (
	"testing"

	"github.com/bodymotion/motion/keypoint"
)

func TestClamp(t *testing.T) {
	var f keypoint.Frame
	f.Set(keypoint.Nose, keypoint.Point{-3.4, 20}, 0.5)
	f.Set(keypoint.LeftEye, keypoint.Point{7, 51}, 0.6)
	f.Set(keypoint.RightEye, keypoint.Point{101, -1}, 0.7)
	f.Set(keypoint.LeftEar, keypoint.Point{0, 50}, 0.8)
	f.Clamp(keypoint.Point{0, 0}, keypoint.Point{100, 50})
	for p, want := range map[keypoint.Part]keypoint.Point{
		keypoint.Nose: {0, 20}, keypoint.LeftEye: {7, 50}, keypoint.RightEye: {100, 0}, keypoint.LeftEar: {0, 50},
	} {
		if at, ok := f.At(p); !ok || at != want {
			t.Errorf("%v is at %v (%v), want %v", p, at, ok, want)
		}
	}
	var want keypoint.Frame
	want.Set(keypoint.Nose, keypoint.Point{0, 20}, 0.5)
	want.Set(keypoint.LeftEye, keypoint.Point{7, 50}, 0.6)
	want.Set(keypoint.RightEye, keypoint.Point{100, 0}, 0.7)
	want.Set(keypoint.LeftEar, keypoint.Point{0, 50}, 0.8)
	if f != want {
		t.Errorf("%v, want %v: absent parts stay absent, and confidences as they are", f, want)
	}
}
