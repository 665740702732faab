package quality

import (
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// Hidden returns the parts that are hidden in each frame, behind the body or a thing: elbows, wrists, knees, ankles and feet. Networks
// invent such parts; what is computed from them is no measurement. A part that is absent is hidden if it is so just before and after. Where
// several cameras see the person in space, it is what none of them shows well enough to have a position. In an invalid sequence none is.
func Hidden(seq keypoint.Sequence) []keypoint.Parts {
	if seq.Validate() != nil {
		return make([]keypoint.Parts, seq.Len())
	}
	b := newBody(seq)
	return b.hidden(b.views())
}

// Hidden returns the parts that are hidden in frame i, as the function Hidden does; none if there is no such frame.
func (u *Uncertainty) Hidden(i int) keypoint.Parts {
	if u.body == nil || i < 0 || i >= u.body.seq.Len() {
		return 0
	}
	return u.body.hiddenAt(u.Views, i)
}

// seen are how a part is known to be seen: its visibility, with the weight of how much its confidence exceeds usual, is at least least,
// and on the far side more.
type seen struct{ least, weight, more float64 }

// seenParts are those of elbows, wrists, knees, ankles, and heels and toes. They were chosen on rendered and recorded people;
// internal/lab/README.md has what they find.
var seenParts = [keypoint.NumParts]seen{
	keypoint.LeftElbow: {.3, .3, 0}, keypoint.LeftWrist: {.25, .5, farther}, keypoint.LeftKnee: {.5, .8, farther}, keypoint.LeftAnkle: {.7, 1, farther},
	keypoint.LeftBigToe: {.7, 1, farther}, keypoint.LeftSmallToe: {.7, 1, farther}, keypoint.LeftHeel: {.7, 1, farther},
}

const (
	usual      = 0.6  // the confidence that neither adds to the visibility nor takes from it
	farther    = 0.15 // by how much more a part of the far side must be seen
	surely     = 0.4  // by how much less than that a part of a leg that is not behind the other one must be seen to be hidden
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
	if b.places != 0 {
		if places := b.seq.Frames[i].Positions().Present(); places != 0 {
			return b.places &^ places
		}
		return 0
	}
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
	first, end = max(i-half, first), min(i+half+1, end)
	away := make([]keypoint.Parts, end-first)
	for k := range away {
		if v, ok := views.View(first + k); ok && v >= 90-hiddenView && v <= 90+hiddenView { // from the side
			away[k] = far(&b.seq.Frames[first+k])
		}
	}
	var sample []float64
	for p := range keypoint.Part(keypoint.NumParts) {
		s := seenParts[min(p, p.Mirror())]
		if s == (seen{}) || b.seq.Frames[i].Empty() {
			continue
		}
		sample = sample[:0]
		for k, away := range away {
			f := &b.seq.Frames[first+k]
			share, known := f.Visibility(p)
			switch {
			case !f.Has(p):
			case known:
				v := share + s.weight*(f.Confidence(p)-usual) - s.least
				if away.Has(p) {
					v -= s.more
				}
				if leg := keypoint.LowerBody | keypoint.Feet; leg.Has(p) && v > -surely && !b.onTwin(first+k, p) && !b.onTwin(first+k, keypoint.LeftKnee) {
					v = 1
				}
				sample = append(sample, v)
			case away.Has(p) && b.covered(first+k, p):
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

// covered reports whether a part of the far side of which no network tells the visibility is taken for hidden: it is
// unsure or, if not certain, in the place of its twin.
func (b *body) covered(i int, p keypoint.Part) bool {
	confidence := b.seq.Frames[i].Confidence(p)
	return confidence < unsure || confidence < certain && b.onTwin(i, p)
}

// onTwin reports whether a part is in the place of its twin.
func (b *body) onTwin(i int, p keypoint.Part) bool {
	apart, found := b.seq.Frames[i].Distance(p, p.Mirror())
	return found && apart < coincide*b.torso[i]
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

// HiddenDetail is what is said of hidden parts.
const HiddenDetail = "These parts are hidden: angles that need them are not measured."
