package quality

import (
	"github.com/bodymotion/motion/internal/rank"
)

// Direction is the name of a direction from which a person is seen.
type Direction string

// The directions: those that suit angles of the frontal and of the sagittal plane, and what is between.
const (
	FromFront   Direction = "front"   // up to 31 degrees
	FromSide    Direction = "side"    // 64 to 116 degrees
	FromBack    Direction = "back"    // 149 degrees and more
	FromBetween Direction = "oblique" // anything else
)

// Facing is from where a recording sees the person. The zero value: that is unknown.
type Facing struct {
	View      float64   `json:"view"` // degrees: 0 from the front, 90 from either side, 180 from behind
	Direction Direction `json:"direction,omitempty"`
}

// FacingOf returns the name of a view of 0 to 180 degrees with it.
func FacingOf(view float64) Facing {
	f := Facing{view, FromBetween}
	switch {
	case Sagittal.Fits(view):
		f.Direction = FromSide
	case Frontal.Fits(view) && view < 90:
		f.Direction = FromFront
	case Frontal.Fits(view):
		f.Direction = FromBack
	}
	return f
}

// Known reports whether it is known from where the person is seen.
func (f Facing) Known() bool { return f.Direction != "" }

// Facing returns the median of the views, or the zero value if none is known.
func (v Views) Facing() Facing {
	known := rank.Known(len(v.frames), func(i int) (float64, bool) { return v.frames[i].degrees, v.frames[i].known })
	if len(known) == 0 {
		return Facing{}
	}
	return FacingOf(rank.Median(known))
}
