package quality

import (
	"slices"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

const (
	hiddenView = 25   // degrees from 90 at which a view hides the far side
	coincide   = 0.15 // torso lengths from its twin at which a part is hidden behind it
	unsure     = 0.5  // the confidence below which a part is taken for hidden
	mostFrames = 0.5  // the share of the frames of a run in which a part is hidden to be named
	hiddenTime = 0.5  // the least duration of a hidden side, seconds
)

// hiddenSide warns of runs of frames seen from the side, and names the parts of the far side that are
// absent, unsure or in the place of their twins in most of them.
func (b *body) hiddenSide(views Views) []Warning {
	sides := make([]keypoint.Parts, b.seq.Len())
	for i := range sides {
		if v, ok := views.View(i); ok && v >= 90-hiddenView && v <= 90+hiddenView {
			sides[i] = far(&b.seq.Frames[i])
		}
	}
	var w []Warning
	for _, side := range [...]keypoint.Parts{keypoint.LeftBody, keypoint.RightBody} {
		runs := b.spans(func(i int) bool { return sides[i] == side }, b.frames(joinTime), b.frames(hiddenTime))
		for _, s := range runs {
			var count [keypoint.NumBody]int
			for i := s.From; i <= s.To; i++ {
				for _, p := range b.hidden(i, side).List() {
					count[p]++
				}
			}
			for p, n := range count {
				if float64(n) >= mostFrames*float64(s.To-s.From+1) {
					s.Parts |= keypoint.PartsOf(keypoint.Part(p))
				}
			}
			if s.Parts != 0 {
				w = append(w, s)
			}
		}
	}
	return warn(CodeHiddenSide, "The far side of the body is hidden behind the near one.", w)
}

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

// far returns the side of the body that is away from the camera in a side view: a person who faces the
// right of the picture shows the right side. It is the empty set if it cannot be told.
func far(f *keypoint.Frame) keypoint.Parts {
	right, ok := f.Across()
	nose, okN := f.At(keypoint.Nose)
	neck, okS := middle(f, keypoint.LeftShoulder)
	if !ok || !okN || !okS {
		return 0
	}
	if nose.Sub(neck).Dot(right) > 0 {
		return keypoint.LeftBody
	}
	return keypoint.RightBody
}

// hidden returns the parts of a side that are absent, unsure or in the place of their twins.
func (b *body) hidden(i int, side keypoint.Parts) (hidden keypoint.Parts) {
	f := &b.seq.Frames[i]
	for _, p := range side.List() {
		at, ok := f.At(p)
		twin, found := f.At(p.Mirror())
		if !ok || f.Confidence(p) < unsure || found && at.Sub(twin).Len() < coincide*b.torso[i] {
			hidden |= keypoint.PartsOf(p)
		}
	}
	return hidden
}
