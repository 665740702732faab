package analyze

import "github.com/bodymotion/motion/keypoint"

// Side is a side of the person's body.
type Side string

// The sides.
const (
	LeftSide  Side = "left"
	RightSide Side = "right"
)

// sides lists the sides for messages.
var sides = []Side{LeftSide, RightSide}

// onSide returns the selector, which is one of the left side or of both, for a side.
func onSide(s keypoint.Selector, side Side) keypoint.Selector {
	if side == RightSide && len(s.Parts) == 1 {
		return keypoint.PartSelector(s.Parts[0].Mirror())
	}
	return s
}
