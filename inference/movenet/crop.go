package movenet

import (
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/pixels"
	"github.com/bodymotion/motion/keypoint"
)

// The side of a crop, as a factor of the longer side of the person's box. A detector's box
// reaches from hair to soles, that of the keypoints from eyes to ankles.
const (
	detectedMargin = 1.2
	keypointMargin = 1.45
)

// around returns the upright crop around a box.
func around(b inference.Box, margin float64) pixels.Square {
	return pixels.Square{Centre: b.Centre(), Side: max(b.Extent(), 16) * margin}
}

// lean returns the angle of the torso from upright, clockwise on screen, in radians from −π to
// π; ok is false if shoulders or hips are missing.
func lean(f *keypoint.Frame) (angle float64, ok bool) {
	top, okTop := f.Centroid(keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder))
	bottom, okBottom := f.Centroid(keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip))
	if !okTop || !okBottom || top == bottom {
		return 0, false
	}
	up := top.Sub(bottom)
	return math.Atan2(up[0], -up[1]), true
}
