package movenet

import (
	"math"

	"github.com/bodymotion/motion/inference/movenet/internal/pixels"
	"github.com/bodymotion/motion/keypoint"
)

// box is an upright rectangle in pixels.
type box struct{ min, max keypoint.Point }

func (b box) width() float64  { return b.max[0] - b.min[0] }
func (b box) height() float64 { return b.max[1] - b.min[1] }
func (b box) centre() keypoint.Point {
	return keypoint.Point{(b.min[0] + b.max[0]) / 2, (b.min[1] + b.max[1]) / 2}
}

// meets reports whether b and c have a point in common.
func (b box) meets(c box) bool {
	return b.min[0] <= c.max[0] && c.min[0] <= b.max[0] && b.min[1] <= c.max[1] && c.min[1] <= b.max[1]
}

// overlap returns the area that is common to b and c over the area of both together, 0
// to 1.
func (b box) overlap(c box) float64 {
	width := min(b.max[0], c.max[0]) - max(b.min[0], c.min[0])
	height := min(b.max[1], c.max[1]) - max(b.min[1], c.min[1])
	if width <= 0 || height <= 0 {
		return 0
	}
	common := width * height
	return common / (b.width()*b.height() + c.width()*c.height() - common)
}

// bounds returns the box of the parts that were found; ok is false for none.
func bounds(f *keypoint.Frame) (box, bool) {
	low, high, ok := f.Bounds()
	return box{low, high}, ok
}

// The room around a person, as a factor of the longer side of the box: a detector's
// box reaches from the hair to the soles, the keypoints only from the eyes to the
// ankles.
const (
	detectedMargin = 1.2
	keypointMargin = 1.45
)

// around returns the upright crop around a box.
func around(b box, margin float64) pixels.Square {
	return pixels.Square{Centre: b.centre(), Side: max(b.width(), b.height(), 16) * margin}
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
