package movenet

import (
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// minEvidence is what the confidences of the parts of a body sum to at least: the
// networks see a part or the other in most things. Measured on pictures with and
// without people, the sum was under 1.5 where nobody is, and over 2.5 for people.
const minEvidence = 2

// kept returns the parts that reach the threshold, or the zero Frame where they do not
// make a body; without a threshold all 17, whatever they are.
func (e *estimate) kept(threshold float64) keypoint.Frame {
	f, sum := e.frame, 0.0
	for p := range keypoint.Part(keypoint.NumParts) {
		if c := f.Confidence(p); c < threshold {
			f.Unset(p)
		} else {
			sum += c
		}
	}
	if threshold > 0 && sum < minEvidence {
		return keypoint.Frame{}
	}
	return f
}

// A person who is followed from frame to frame counts as lost when the network is not
// sure of enough parts, or when the body collapses or jumps: the networks answer with
// 17 points whatever they see. Losing somebody by mistake costs one more look.
const (
	sureConfidence = 0.3 // of a part, and of all parts in the mean
	sureParts      = 6
	maxShrink      = 0.5 // of the body's extent, from one frame to the next
	maxJump        = 0.5 // of the body's middle, in extents
	commonParts    = 4   // fewer tell nothing of extent and middle
)

// sure reports whether enough parts of a body are seen with some certainty.
func sure(f *keypoint.Frame) bool {
	n, sum := 0, 0.0
	for p := range keypoint.Part(keypoint.NumParts) {
		c := f.Confidence(p)
		sum += c
		if c >= sureConfidence {
			n++
		}
	}
	return n >= sureParts && sum >= sureConfidence*keypoint.NumParts
}

// steady reports whether the parts that both frames have keep their extent and place
// as a body does from one frame to the next.
func steady(previous, f *keypoint.Frame) bool {
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
