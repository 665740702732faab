package quality

import (
	"slices"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// swapped warns of the parts whose sides cleaning has exchanged or could not tell, of arms and legs by themselves.
func (b *body) swapped(c clean.Report) []Warning {
	parts := make([]keypoint.Parts, b.seq.Len())
	for i, changes := range c.Changes {
		for p, change := range changes[:keypoint.NumBody] {
			if change&(clean.Swapped|clean.Ambiguous) != 0 {
				parts[i] |= keypoint.PartsOf(keypoint.Part(p))
			}
		}
	}
	var list []Warning
	for _, half := range [...]keypoint.Parts{keypoint.UpperBody, keypoint.LowerBody} {
		of := slices.Clone(parts)
		for i := range of {
			of[i] &= half
		}
		list = append(list, b.marked(of, b.frames(joinTime), 1)...)
	}
	slices.SortStableFunc(list, func(a, b Warning) int { return a.From - b.From })
	return warn(CodeSwapped, "Left and right of these parts were exchanged or cannot be told apart.", list)
}
