package onnx

import "github.com/bodymotion/motion/keypoint"

// minEvidence is what the scores of the parts of a body sum to at least, if the network
// knows all 17: networks see a part or the other in most things.
const minEvidence = 2

// kept returns the parts that reach the threshold, or the zero Frame where they do not make
// a body; without a threshold all parts, whatever they are.
func (e *Estimator) kept(f keypoint.Frame) keypoint.Frame {
	sum := 0.0
	for p := range keypoint.Part(keypoint.NumParts) {
		if c := f.Confidence(p); c < e.opt.PartThreshold {
			f.Unset(p)
		} else {
			sum += c
		}
	}
	if e.opt.PartThreshold > 0 && sum*keypoint.NumParts < minEvidence*float64(e.mapped) {
		return keypoint.Frame{}
	}
	return f
}

// A person who is followed from frame to frame counts as lost when the network is not sure
// of enough parts, or when the body collapses or jumps: the networks answer with all points
// whatever they see. Losing somebody by mistake costs one more look.
const (
	sureConfidence = 0.3 // of a part, and of all parts in the mean
	sureParts      = 6   // of 17
	maxShrink      = 0.5 // of the body's extent, from one frame to the next
	maxJump        = 0.5 // of the body's middle, in extents
	commonParts    = 4   // fewer tell nothing of extent and middle
)

// sure reports whether enough of the parts that the network knows are seen with some
// certainty.
func (e *Estimator) sure(f *keypoint.Frame) bool {
	n, sum := 0, 0.0
	for p := range keypoint.Part(keypoint.NumParts) {
		c := f.Confidence(p)
		sum += c
		if c >= sureConfidence {
			n++
		}
	}
	return n*keypoint.NumParts >= sureParts*e.mapped && sum >= sureConfidence*float64(e.mapped)
}

// steady reports whether the parts that both frames have keep their extent and place as a
// body does from one frame to the next.
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
	b, _ := bounds(&before)
	a, _ := bounds(&after)
	extent := max(b.width(), b.height())
	return max(a.width(), a.height()) >= maxShrink*extent && a.centre().Sub(b.centre()).Len() <= maxJump*extent
}

// bounds returns the box of the parts that were found; ok is false for none.
func bounds(f *keypoint.Frame) (b Box, ok bool) {
	low, high, ok := f.Bounds()
	return Box{low, high}, ok
}
