package movenet

import (
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet/internal/pixels"
	"github.com/bodymotion/motion/keypoint"
)

// meet reports whether two boxes have a point in common.
func meet(b, c inference.Box) bool {
	return b.Min[0] <= c.Max[0] && c.Min[0] <= b.Max[0] && b.Min[1] <= c.Max[1] && c.Min[1] <= b.Max[1]
}

// The room around a person, as a factor of the longer side of the box: a detector's
// box reaches from the hair to the soles, the keypoints only from the eyes to the
// ankles.
const (
	detectedMargin = 1.2
	keypointMargin = 1.45
)

// around returns the upright crop around a box.
func around(b inference.Box, margin float64) pixels.Square {
	return pixels.Square{Centre: b.Centre(), Side: max(b.Extent(), 16) * margin}
}

// lean returns the angle by which the torso is turned from upright, clockwise on
// screen, in radians from −π to π; ok is false when shoulders or hips are missing.
func lean(f *keypoint.Frame) (angle float64, ok bool) {
	top, okTop := f.Centroid(keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder))
	bottom, okBottom := f.Centroid(keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip))
	if !okTop || !okBottom || top == bottom {
		return 0, false
	}
	up := top.Sub(bottom)
	return math.Atan2(up[0], -up[1]), true
}
