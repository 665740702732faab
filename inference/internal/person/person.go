// Package person holds what estimators of different networks decide alike: whether parts form a
// body, whether a person who is followed is still there, and whom to estimate. The feet do not count
// for this: callers may have dropped them from the previous frame.
package person

import (
	"fmt"
	"image"
	"slices"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// Threshold returns the threshold that an option stands for: def for 0, and 0 for less.
func Threshold(option, def float64) float64 {
	if option == 0 {
		return def
	}
	return max(option, 0)
}

// ErrNoPicture is the error of a nil picture.
var ErrNoPicture = fmt.Errorf("%w picture: it is nil", keypoint.ErrInvalid)

// minEvidence is the least sum of the confidences of a body's parts, for a network that knows all
// 17. Networks see a part or two in most pictures without people.
const minEvidence = 2

// Kept returns the parts that reach the threshold, or the zero Frame if they do not form a body.
// Without a threshold it returns all parts. known is the number of the 17 parts that the network
// knows.
func Kept(f keypoint.Frame, threshold float64, known int) keypoint.Frame {
	sum := 0.0
	for p := range keypoint.Part(keypoint.NumParts) {
		if c := f.Confidence(p); c < threshold {
			f.Unset(p)
		} else if p < keypoint.NumBody {
			sum += c
		}
	}
	if threshold > 0 && sum*keypoint.NumBody < minEvidence*float64(known) {
		return keypoint.Frame{}
	}
	return f
}

// A person who is followed counts as lost if the network is unsure of too many parts, or if the
// body collapses, swells or jumps: networks return all points whatever they see. A person lost by mistake
// costs one more search.
const (
	sureConfidence = 0.3 // of a part, and of all parts in the mean
	sureParts      = 6   // of 17
	maxShrink      = 0.5 // of the body's extent, from one frame to the next
	maxGrowth      = 2   // of it
	maxJump        = 0.5 // of the body's centre, in extents
	commonParts    = 4   // fewer do not show extent and centre
)

// Sure reports whether enough of the 17 parts, of which the network knows so many, have a high
// confidence.
func Sure(f *keypoint.Frame, known int) bool {
	n, sum := 0, 0.0
	for p := range keypoint.Part(keypoint.NumBody) {
		c := f.Confidence(p)
		sum += c
		if c >= sureConfidence {
			n++
		}
	}
	return n*keypoint.NumBody >= sureParts*known && sum >= sureConfidence*float64(known)
}

// Steady reports whether the parts that both frames have keep their extent and place, as a body
// does from one frame to the next.
func Steady(previous, f *keypoint.Frame) bool {
	common := previous.Present() & f.Present() & keypoint.Body
	before, after := previous.Only(common), f.Only(common)
	if before.Len() < commonParts {
		return true
	}
	b, _ := inference.BoundsOf(&before)
	a, _ := inference.BoundsOf(&after)
	extent := b.Extent()
	return a.Extent() >= maxShrink*extent && a.Extent() <= maxGrowth*extent && a.Centre().Sub(b.Centre()).Len() <= maxJump*extent
}

// Near returns the box of the person in the previous frame; ok is false if there is none, or none
// in a picture of this size, whose coordinates begin at 0.
func Near(previous *keypoint.Frame, size image.Point) (b inference.Box, ok bool) {
	body := previous.Only(keypoint.Body)
	b, ok = inference.BoundsOf(&body)
	w, h := float64(size.X), float64(size.Y)
	meets := b.Min[0] <= w && 0 <= b.Max[0] && b.Min[1] <= h && 0 <= b.Max[1]
	return b, ok && meets && b.Extent() < 4*max(w, h)
}

// minOverlap is the least intersection over union of two boxes of one person.
const minOverlap = 0.3

// Again returns the index of the person whose box overlaps most with the last one of somebody;
// −1: nobody.
func Again(people []inference.Candidate, last inference.Box) int {
	index, most := -1, 0.0
	for i, p := range people {
		if o := p.Box.Overlap(last); o >= minOverlap && o > most {
			index, most = i, o
		}
	}
	return index
}

// Pick returns the index of the person to estimate: the one who was followed, in the box last, if
// found again, else the chosen one; −1: nobody. A nil chooser is the default one.
func Pick(people []inference.Candidate, last inference.Box, followed bool, choose inference.Chooser, size image.Point) int {
	if followed {
		if i := Again(people, last); i >= 0 {
			return i
		}
	}
	if choose == nil {
		choose = inference.CentreFront{}
	}
	if i := choose.Choose(size, people); i < len(people) {
		return i
	}
	return -1
}

// Corner returns the top left corner of a picture's bounds.
func Corner(img image.Image) keypoint.Point {
	at := img.Bounds().Min
	return keypoint.Point{float64(at.X), float64(at.Y)}
}

// Moved returns the frame with every part moved by d.
func Moved(f keypoint.Frame, d keypoint.Point) keypoint.Frame {
	for _, p := range f.Present().List() {
		pt, _ := f.At(p)
		f.Set(p, pt.Add(d), f.Confidence(p))
	}
	return f
}

// AllMoved returns the people moved by d.
func AllMoved(people []inference.Candidate, d keypoint.Point) []inference.Candidate {
	people = slices.Clone(people)
	for i := range people {
		p := &people[i]
		p.Box = BoxMoved(p.Box, d)
		p.Keypoints = Moved(p.Keypoints, d)
	}
	return people
}

// BoxMoved returns the box moved by d.
func BoxMoved(b inference.Box, d keypoint.Point) inference.Box {
	return inference.Box{Min: b.Min.Add(d), Max: b.Max.Add(d)}
}
