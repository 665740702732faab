package blazepose

import (
	"math"

	"github.com/bodymotion/motion/inference/internal/pixels"
	"github.com/bodymotion/motion/keypoint"
)

// The network was trained on squares around the middle of the hips, upright by the torso, whose side
// is margin times the radius of the circle around the body.
const (
	margin    = 2.5
	torsos    = 1.6 // the least radius, torso lengths
	sure      = 0.2 // the least confidence of a part inside the circle
	minRadius = 8.0 // pixels
)

// square returns the square of a body with the given middle of the hips. up points from there to where the person's head is.
func square(hips, up keypoint.Point, radius float64) pixels.Square {
	return pixels.Square{Centre: hips, Side: margin * max(radius, minRadius), Angle: math.Atan2(up[0], -up[1])}
}

// region returns the square of a body; ok is false if hips or shoulders are missing.
func region(f *keypoint.Frame) (s pixels.Square, ok bool) {
	shoulders, okTop := f.Centroid(keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder))
	hips, okBottom := f.Centroid(keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip))
	up := shoulders.Sub(hips)
	if !okTop || !okBottom || up.Len() < 1 {
		return pixels.Square{}, false
	}
	radius := torsos * up.Len()
	for _, p := range f.Present().List() {
		if at, _ := f.At(p); f.Confidence(p) >= sure {
			radius = max(radius, at.Sub(hips).Len())
		}
	}
	return square(hips, up, radius), true
}

// The least differences of two squares that make another estimate worth while.
const (
	minMove = 0.05 // of the side
	minGrow = 1.1  // either way
	minTurn = 0.1  // radians
)

func differ(a, b pixels.Square) bool {
	grow := a.Side / b.Side
	turn := math.Abs(math.Remainder(a.Angle-b.Angle, 2*math.Pi))
	return a.Centre.Sub(b.Centre).Len() > minMove*b.Side || max(grow, 1/grow) > minGrow || turn > minTurn
}
