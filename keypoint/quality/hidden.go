package quality

import (
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// Hidden returns the parts that are hidden in each frame, behind the body or a thing: elbows, wrists, knees, ankles and
// feet. Networks invent such parts; what is computed from them is no measurement. A part that is absent is hidden if it is so
// just before and after.
func Hidden(seq keypoint.Sequence) []keypoint.Parts {
	b := newBody(seq)
	return b.hidden(b.views())
}

// Hidden returns the parts that are hidden in frame i, as the function Hidden does; none if there is no such frame.
func (u *Uncertainty) Hidden(i int) keypoint.Parts {
	if i < 0 || i >= u.body.seq.Len() {
		return 0
	}
	return u.body.hiddenAt(u.Views, i)
}

// seen are how a part is known to be seen: its visibility, with the weight of how much its confidence exceeds
// usual, is at least least.
type seen struct{ least, weight float64 }

// seenParts are those of elbows, wrists, knees, ankles, and heels and toes. They were chosen on rendered people;
// docs/quality.md has what they find.
var seenParts = [keypoint.NumParts]seen{
	keypoint.LeftElbow: {.5, .3}, keypoint.LeftWrist: {.3, .5}, keypoint.LeftKnee: {.6, .8}, keypoint.LeftAnkle: {.75, 1},
	keypoint.LeftBigToe: {.75, 1}, keypoint.LeftSmallToe: {.75, 1}, keypoint.LeftHeel: {.75, 1},
}

const (
	usual      = 0.6  // the confidence that neither adds to the visibility nor takes from it
	seenTime   = 0.1  // seconds on each side over which what is known is the median
	hiddenView = 25   // degrees from 90 at which a view hides the far side
	coincide   = 0.15 // torso lengths from its twin at which a part is hidden behind it
	unsure     = 0.5  // the confidence below which a part of the far side is taken for hidden
	certain    = 0.8  // the confidence from which its place is right though its twin is there too
	hiddenTime = 0.5  // the least duration of a warning, seconds
)

func (b *body) hidden(views Views) []keypoint.Parts {
	out := make([]keypoint.Parts, b.seq.Len())
	for i := range out {
		out[i] = b.hiddenAt(views, i)
	}
	return out
}

// hiddenAt returns the parts that are hidden in a frame.
func (b *body) hiddenAt(views Views, i int) (hidden keypoint.Parts) {
	first, end, half := 0, b.seq.Len(), 0
	if b.rate > 0 {
		half = b.frames(seenTime)
	}
	changes := b.seq.PersonChanges
	k, _ := slices.BinarySearch(changes, i+1)
	if k > 0 {
		first = changes[k-1]
	}
	if k < len(changes) {
		end = changes[k]
	}
	var sample []float64
	for p := range keypoint.Part(keypoint.NumParts) {
		s := seenParts[min(p, p.Mirror())]
		if s == (seen{}) || b.seq.Frames[i].Empty() {
			continue
		}
		sample = sample[:0]
		for k := max(i-half, first); k < min(i+half+1, end); k++ {
			f := &b.seq.Frames[k]
			share, known := f.Visibility(p)
			switch {
			case !f.Has(p):
			case known:
				sample = append(sample, share+s.weight*(f.Confidence(p)-usual)-s.least)
			case b.covered(views, k, p):
				sample = append(sample, -1)
			default:
				sample = append(sample, 1)
			}
		}
		if rank.Median(sample) < 0 {
			hidden |= keypoint.PartsOf(p)
		}
	}
	return hidden
}

// covered reports whether a part of which no network tells the visibility is taken for hidden: on the far side in a side
// view, and unsure or, if not certain, in the place of its twin.
func (b *body) covered(views Views, i int, p keypoint.Part) bool {
	f := &b.seq.Frames[i]
	v, ok := views.View(i)
	confidence := f.Confidence(p)
	if !ok || v < 90-hiddenView || v > 90+hiddenView || !far(f).Has(p) {
		return false
	}
	apart, found := f.Distance(p, p.Mirror())
	return confidence < unsure || found && confidence < certain && apart < coincide*b.torso[i]
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

// hiddenSide warns of hidden parts, whose values are withheld.
func (b *body) hiddenSide(views Views) []Warning {
	return warn(CodeHiddenSide, HiddenDetail, b.marked(b.hidden(views), b.frames(joinTime), b.frames(hiddenTime)))
}

// HiddenDetail is what is said of hidden parts.
const HiddenDetail = "These parts are hidden: angles that need them are not measured."
