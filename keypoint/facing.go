package keypoint

import "slices"

// Facing is the direction in which a person faces.
type Facing uint8

// The directions, as seen on screen.
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

// sideways is the width of shoulders and hips, in torso lengths, below which a person is seen
// from the side. From the front, shoulders are about 0.8 torso lengths wide.
const sideways = 0.35

// Facing returns the direction in which the person faces during the whole recording, by
// medians over its frames. The signed width of shoulders and hips, left minus right in torso
// lengths, distinguishes front (the left side is on the right of the picture) from back. If it
// is small, the side of the nose relative to the middle of the shoulders decides. Facing
// returns FacingUnknown if no frame shows enough.
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
