package keypoint_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9*max(1, math.Abs(a), math.Abs(b)) }

func TestAngles(t *testing.T) {
	o := keypoint.Point{10, 20}
	for _, c := range []struct {
		a, c        keypoint.Point
		angle, turn float64
	}{
		{keypoint.Point{10, 0}, keypoint.Point{30, 20}, 90, -90}, // from up to right is clockwise
		{keypoint.Point{30, 20}, keypoint.Point{10, 0}, 90, 90},
		{keypoint.Point{0, 20}, keypoint.Point{30, 20}, 180, 180},
		{keypoint.Point{30, 20}, keypoint.Point{99, 20}, 0, 0},
		{keypoint.Point{11, 19}, keypoint.Point{15, 20}, 45, -45},
	} {
		var f keypoint.Frame
		f.Set(keypoint.LeftHip, c.a, 1)
		f.Set(keypoint.LeftKnee, o, 1)
		f.Set(keypoint.LeftAnkle, c.c, 1)
		angle, ok := f.Angle(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
		turn, _ := keypoint.Turn(c.a, o, c.c)
		if !ok || !near(angle, c.angle) || !near(turn, c.turn) {
			t.Errorf("%v and %v: angle %v, turn %v, want %v and %v", c.a, c.c, angle, turn, c.angle, c.turn)
		}
	}
	if _, ok := keypoint.Turn(o, o, keypoint.Point{1, 1}); ok {
		t.Error("a ray without a direction has an angle")
	}
	rapid.Check(t, func(t *rapid.T) {
		coord := rapid.Float64Range(-1000, 1000)
		p := [3]keypoint.Point{}
		for i := range p {
			p[i] = keypoint.Point{coord.Draw(t, "x"), coord.Draw(t, "y")}
		}
		there, ok := keypoint.Turn(p[0], p[1], p[2])
		back, _ := keypoint.Turn(p[2], p[1], p[0])
		if ok && math.Abs(there) < 180 && !near(there, -back) {
			t.Fatalf("%v there and %v back", there, back)
		}
		if there <= -180 || there > 180 {
			t.Fatalf("a turn of %v", there)
		}
	})
}

// figure is a person 1000 pixels tall with the proportions of Drillis and Contini, seen
// from the front.
func figure() (f keypoint.Frame) {
	for left, at := range map[keypoint.Part]keypoint.Point{
		keypoint.LeftShoulder: {129, -818}, keypoint.LeftHip: {96, -530}, keypoint.LeftKnee: {96, -285}, keypoint.LeftAnkle: {96, -39},
	} {
		f.Set(left, at, 1)
		f.Set(left.Mirror(), keypoint.Point{-at[0], at[1]}, 1)
	}
	f.Set(keypoint.Nose, keypoint.Point{0, -920}, 1)
	return f
}

func without(f keypoint.Frame, parts ...keypoint.Part) *keypoint.Frame {
	for _, p := range parts {
		f.Unset(p)
	}
	return &f
}

func TestBody(t *testing.T) {
	f := figure()
	if h, ok := f.BodyHeight(); !ok || !near(h, 1000) {
		t.Errorf("body height %v", h)
	}
	seated := f
	for _, p := range []keypoint.Part{keypoint.LeftKnee, keypoint.LeftAnkle, keypoint.RightKnee, keypoint.RightAnkle} {
		seated.Unset(p)
	}
	if h, ok := seated.BodyHeight(); !ok || !near(h, 1000) {
		t.Errorf("body height without legs %v", h)
	}
	side := math.Hypot(129-96, 288)
	for _, c := range []struct {
		want  float64
		frame *keypoint.Frame
	}{
		{288, &f},
		{side, without(f, keypoint.LeftShoulder)},
		{side, without(f, keypoint.RightHip, keypoint.RightShoulder)},
		{math.Hypot(129+96, 288), without(f, keypoint.RightHip, keypoint.LeftShoulder)},
	} {
		if got, ok := c.frame.TorsoLength(); !ok || !near(got, c.want) {
			t.Errorf("torso length %v of %v, want %v", got, c.frame.Present().List(), c.want)
		}
	}
	if _, ok := without(f, keypoint.LeftHip, keypoint.RightHip).TorsoLength(); ok {
		t.Error("a torso without hips")
	}
	low, high, ok := f.Bounds()
	if !ok || low != (keypoint.Point{-129, -920}) || high != (keypoint.Point{129, -39}) {
		t.Errorf("bounds %v to %v", low, high)
	}
	if c, ok := f.Centroid(keypoint.PartsOf(keypoint.LeftHip, keypoint.RightKnee, keypoint.LeftEar)); !ok || c != (keypoint.Point{0, -407.5}) {
		t.Errorf("centroid %v", c)
	}
	var nobody keypoint.Frame
	if _, _, ok := nobody.Bounds(); ok {
		t.Error("nobody has bounds")
	}
	if _, ok := nobody.Centroid(keypoint.All); ok {
		t.Error("nobody has a centroid")
	}
}
