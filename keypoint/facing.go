package keypoint

import (
	"slices"
)

// Facing is the side that a person shows to the camera.
type Facing uint8

// The ways to face, as seen on screen.
const (
	FacingUnknown Facing = iota
	FacingFront          // towards the camera
	FacingBack           // away from it
	FacingLeft           // to the left edge of the picture
	FacingRight          // to the right edge of the picture
)

// String returns "front", "back", "left", "right" or "unknown".
func (f Facing) String() string {
	return [...]string{"unknown", "front", "back", "left", "right"}[min(f, 4)]
}

// sideways is the width of shoulders and hips, in torso lengths, below which a person is
// seen from the side. From the front the shoulders are about 0.8 torso lengths wide.
const sideways = 0.35

// Facing tells once for the whole recording how the person faces, by medians over its
// frames. The signed width of shoulders and hips, left minus right, in torso lengths, tells
// front (the left side is on the right of the picture) from back; where it is small, the
// nose tells the side, as seen from the middle of the shoulders. FacingUnknown is the
// answer where no frame shows enough.
func (s Sequence) Facing() Facing {
	var widths, noses []float64
	for i := range s.Frames {
		f := &s.Frames[i]
		torso, ok := f.TorsoLength()
		if !ok || torso == 0 {
			continue
		}
		width, n := 0.0, 0
		for _, left := range []Part{LeftShoulder, LeftHip} {
			a, okA := f.At(left)
			b, okB := f.At(left.Mirror())
			if okA && okB {
				width += a[0] - b[0]
				n++
			}
		}
		if n > 0 {
			widths = append(widths, width/float64(n)/torso)
		}
		nose, okN := f.At(Nose)
		shoulders, okS := f.Centroid(PartsOf(LeftShoulder, RightShoulder))
		if okN && okS {
			noses = append(noses, (nose[0]-shoulders[0])/torso)
		}
	}
	if len(widths) > 0 {
		switch w := median(widths); {
		case w > sideways:
			return FacingFront
		case w < -sideways:
			return FacingBack
		}
	}
	if len(noses) > 0 {
		switch d := median(noses); {
		case d < 0:
			return FacingLeft
		case d > 0:
			return FacingRight
		}
	}
	return FacingUnknown
}

// median returns the median of one or more numbers, which it reorders.
func median(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	return v[(n-1)/2]/2 + v[n/2]/2
}
