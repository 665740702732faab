package ensemble

import (
	"github.com/bodymotion/motion/keypoint"
)

// By how much an exchange of left and right must fit better than none, torso lengths a part.
const (
	clearOfLooks  = 0.2
	clearOfBefore = 0.1 // against the frame before
)

// limbs are the parts of the left side whose sides are exchanged together. Those that follow do not decide.
var limbs = [...]struct{ decide, follow []keypoint.Part }{
	{[]keypoint.Part{keypoint.LeftKnee, keypoint.LeftAnkle}, []keypoint.Part{keypoint.LeftBigToe, keypoint.LeftSmallToe, keypoint.LeftHeel}},
	{[]keypoint.Part{keypoint.LeftHip}, nil},
	{[]keypoint.Part{keypoint.LeftShoulder}, nil},
	{[]keypoint.Part{keypoint.LeftElbow, keypoint.LeftWrist}, nil},
}

// matchSides exchanges the left and right limbs of looks so that all have the same sides. Where a limb of one look fits the first
// look better with its sides exchanged, one of the two is wrong: the frame before decides for all looks, or if it does not tell,
// the majority, or else the first look.
func matchSides(looks []keypoint.Frame, previous *keypoint.Frame, torso float64) {
	for _, l := range limbs {
		wrong := 0
		for i := 1; i < len(looks); i++ {
			if fits(&looks[0], &looks[i], l.decide, clearOfLooks*torso) == exchanged {
				exchange(&looks[i], l.decide, l.follow)
				wrong++
			}
		}
		if wrong == 0 {
			continue
		}
		f := median(looks, previous, torso)
		fit := fits(previous, &f, l.decide, clearOfBefore*torso)
		if fit == exchanged || fit == unclear && 2*wrong > len(looks) {
			for i := range looks {
				exchange(&looks[i], l.decide, l.follow)
			}
		}
	}
}

// fit says how the sides of a limb fit in two frames.
type fit int

const (
	unclear fit = iota
	same
	exchanged
)

// fits compares the sides of the limb in two frames. An exchange fits better, or worse, if it is so by
// a distance for each part in the mean.
func fits(a, b *keypoint.Frame, left []keypoint.Part, least float64) fit {
	gain, n := 0.0, 0.0
	for _, l := range left {
		r := l.Mirror()
		al, ok1 := a.At(l)
		ar, ok2 := a.At(r)
		bl, ok3 := b.At(l)
		br, ok4 := b.At(r)
		if ok1 && ok2 && ok3 && ok4 {
			gain += al.Sub(bl).Len() + ar.Sub(br).Len() - al.Sub(br).Len() - ar.Sub(bl).Len()
			n++
		}
	}
	switch {
	case n > 0 && gain > least*n:
		return exchanged
	case n > 0 && gain < -least*n:
		return same
	}
	return unclear
}

func exchange(f *keypoint.Frame, lists ...[]keypoint.Part) {
	for _, list := range lists {
		for _, l := range list {
			f.Exchange(l)
		}
	}
}
