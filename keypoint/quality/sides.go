package quality

import (
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// swapped warns of the parts whose sides cleaning has exchanged or could not tell.
func (b *body) swapped(c clean.Report) []Warning {
	parts := make([]keypoint.Parts, b.seq.Len())
	for i, changes := range c.Changes {
		for p, change := range changes[:keypoint.NumBody] {
			if change&(clean.Swapped|clean.Ambiguous) != 0 {
				parts[i] |= keypoint.PartsOf(keypoint.Part(p))
			}
		}
	}
	return warn(CodeSwapped, "Left and right of these parts were exchanged or cannot be told apart.", b.marked(parts, b.frames(joinTime), 1))
}
