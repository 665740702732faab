// Package seen is where the analysis takes the view of a recording: what is measured in pictures is measured in those that it returns.
package seen

import (
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// From returns a recording as its picture shows it, or if several cameras see the person in space, as a camera at the person's side
// would (space.View). An invalid sequence is a keypoint.ErrInvalid.
func From(seq keypoint.Sequence) (keypoint.Sequence, error) {
	if err := seq.Validate(); err != nil {
		return seq, err
	}
	return space.View(seq), nil
}
