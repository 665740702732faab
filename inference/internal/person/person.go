// Package person holds what estimators of different networks judge alike: whether parts
// make a body, whether somebody who is followed is still there, and whom to look at.
package person

import (
	"image"
	"slices"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// minEvidence is what the confidences of the parts of a body sum to at least, of a network
// that knows all 17: networks see a part or the other in most things. Measured with MoveNet
// on pictures with and without people, the sum was under 1.5 where nobody is, and over 2.5
// for people.
const minEvidence = 2

// Kept returns the parts that reach the threshold, or the zero Frame where they do not make
// a body; without a threshold all parts, whatever they are. known is how many parts the
// network knows.
func Kept(f keypoint.Frame, threshold float64, known int) keypoint.Frame {
	sum := 0.0
	for p := range keypoint.Part(keypoint.NumParts) {
		if c := f.Confidence(p); c < threshold {
			f.Unset(p)
		} else {
			sum += c
		}
	}
	if threshold > 0 && sum*keypoint.NumParts < minEvidence*float64(known) {
		return keypoint.Frame{}
	}
	return f
}

// A person who is followed from frame to frame counts as lost when the network is not
// sure of enough parts, or when the body collapses or jumps: the networks answer with
// all points whatever they see. Losing somebody by mistake costs one more look.
const (
	sureConfidence = 0.3 // of a part, and of all parts in the mean
	sureParts      = 6   // of 17
	maxShrink      = 0.5 // of the body's extent, from one frame to the next
	maxJump        = 0.5 // of the body's middle, in extents
	commonParts    = 4   // fewer tell nothing of extent and middle
)

// Sure reports whether enough of the parts that the network knows are seen with some
// certainty.
func Sure(f *keypoint.Frame, known int) bool {
	n, sum := 0, 0.0
	for p := range keypoint.Part(keypoint.NumParts) {
		c := f.Confidence(p)
		sum += c
		if c >= sureConfidence {
			n++
		}
	}
	return n*keypoint.NumParts >= sureParts*known && sum >= sureConfidence*float64(known)
}

// Steady reports whether the parts that both frames have keep their extent and place
// as a body does from one frame to the next.
func Steady(previous, f *keypoint.Frame) bool {
	before, after := *previous, *f
	for p := range keypoint.Part(keypoint.NumParts) {
		if !before.Has(p) || !after.Has(p) {
			before.Unset(p)
			after.Unset(p)
		}
	}
	if before.Len() < commonParts {
		return true
	}
	b, _ := inference.BoundsOf(&before)
	a, _ := inference.BoundsOf(&after)
	extent := b.Extent()
	return a.Extent() >= maxShrink*extent && a.Centre().Sub(b.Centre()).Len() <= maxJump*extent
}

// Near returns the box of the person of the frame before; ok is false where there is
// none, or none in a picture of this size, whose coordinates begin at 0.
func Near(previous *keypoint.Frame, size image.Point) (b inference.Box, ok bool) {
	b, ok = inference.BoundsOf(previous)
	w, h := float64(size.X), float64(size.Y)
	meets := b.Min[0] <= w && 0 <= b.Max[0] && b.Min[1] <= h && 0 <= b.Max[1]
	return b, ok && meets && b.Extent() < 4*max(w, h)
}

// minOverlap is how much of the two boxes together must be common to both for them to
// be of the same person.
const minOverlap = 0.3

// Again returns the index of the one whose box overlaps most with the last one of
// somebody; −1 for nobody.
func Again(people []inference.Candidate, last inference.Box) int {
	index, most := -1, 0.0
	for i, p := range people {
		if o := p.Box.Overlap(last); o >= minOverlap && o > most {
			index, most = i, o
		}
	}
	return index
}

// Choose returns the index of the one whom a chooser wants, −1 for nobody. nil is the
// default chooser.
func Choose(choose inference.Chooser, size image.Point, people []inference.Candidate) int {
	if choose == nil {
		choose = inference.CentreFront{}
	}
	if i := choose.Choose(size, people); i < len(people) {
		return i
	}
	return -1
}

// Moved returns the frame with every part moved by d.
func Moved(f keypoint.Frame, d keypoint.Point) keypoint.Frame {
	if d == (keypoint.Point{}) {
		return f
	}
	for _, p := range f.Present().List() {
		pt, _ := f.At(p)
		f.Set(p, pt.Add(d), f.Confidence(p))
	}
	return f
}

// AllMoved returns people who are moved by d.
func AllMoved(people []inference.Candidate, d keypoint.Point) []inference.Candidate {
	if d == (keypoint.Point{}) {
		return people
	}
	people = slices.Clone(people)
	for i := range people {
		p := &people[i]
		p.Box.Min, p.Box.Max = p.Box.Min.Add(d), p.Box.Max.Add(d)
		p.Keypoints = Moved(p.Keypoints, d)
	}
	return people
}
