package inference

import (
	"image"

	"github.com/bodymotion/motion/keypoint"
)

// Region is where somebody is in a picture. The zero Region is the whole picture, for anybody.
type Region struct {
	Box       Box            // around the person
	Keypoints keypoint.Frame // of the person; may be empty
	// Followed tells Keypoints of the frame before, or extrapolated from there, around whose 17 parts
	// the Box is, from those of a Finder, whose Box reaches from hair to soles.
	Followed bool
	// Memory is what the Network knows of somebody who is followed; nil: nothing can be kept.
	Memory *Memory
}

// Whole reports whether the region is the whole picture, for anybody.
func (r Region) Whole() bool { return r == Region{} }

// Memory is what a Network knows of somebody from earlier looks. Several looks may run at a time: what they learn is
// put together in the order of the frames.
type Memory struct {
	Known any                 // what is known before the look, which must not change it; nil: nothing
	Learn func(known any) any // set by the look: it returns what is known after it; nil: as before
}

// after returns what is known after the look.
func (m *Memory) after(known any) any {
	if m == nil || m.Learn == nil {
		return known
	}
	return m.Learn(known)
}

// Expected returns the Region of somebody who is followed: the keypoints of the frame before, or extrapolated from there.
func Expected(f keypoint.Frame) Region {
	body := f.Only(keypoint.Body) // callers may have dropped the feet
	box, _ := BoundsOf(&body)
	return Region{Box: box, Keypoints: f, Followed: true}
}

// Region returns where the person is.
func (c *Candidate) Region() Region { return Region{Box: c.Box, Keypoints: c.Keypoints} }

func (r Region) moved(d keypoint.Point) Region {
	if !r.Whole() {
		r.Box, r.Keypoints = Box{r.Box.Min.Add(d), r.Box.Max.Add(d)}, moved(r.Keypoints, d)
	}
	return r
}

// within reports whether the region of somebody who is followed is one of a picture of this size.
func (r *Region) within(size image.Point) bool {
	w, h := float64(size.X), float64(size.Y)
	meets := r.Box.Min[0] <= w && 0 <= r.Box.Max[0] && r.Box.Min[1] <= h && 0 <= r.Box.Max[1]
	return (r.Keypoints.Present()&keypoint.Body).Len() > 0 && meets && r.Box.Extent() < 4*max(w, h)
}

// minEvidence is the least sum of the confidences of a body's parts, for a network that knows all
// 17. Networks see a part or two in most pictures without people.
const minEvidence = 2

// Accept returns the answer of a Network that sees f in the region: the parts whose confidence is threshold, 0 to 1,
// or more. It is the zero Frame if these parts do not form a body, unless the threshold is 0, or if the person was
// followed and is lost. known is the number of the parts that the network knows. The feet do not count.
func (r *Region) Accept(f keypoint.Frame, threshold float64, known int) keypoint.Frame {
	if r.Followed && !(sure(&f, known) && steady(&r.Keypoints, &f)) {
		return keypoint.Frame{}
	}
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

// Sure reports whether the Keypoints are those of a body with few doubts.
func (r *Region) Sure() bool { return sure(&r.Keypoints, keypoint.NumBody) }

// A person who is followed counts as lost if the network is unsure of too many parts, or if the body collapses,
// swells or jumps: networks return all points whatever they see. A person lost by mistake costs one more search.
const (
	sureConfidence = 0.3 // of a part, and of all parts in the mean
	sureParts      = 6   // of 17
	maxShrink      = 0.5 // of the body's extent, from one frame to the next
	maxSwell       = 2   // of it
	maxJump        = 0.5 // of the body's centre, in extents
)

// sure reports whether enough of the 17 parts, of which the network knows so many, have a high confidence.
func sure(f *keypoint.Frame, known int) bool {
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

// steady reports whether the parts that both frames have keep their extent and place, as a body does from one frame to the next.
func steady(previous, f *keypoint.Frame) bool {
	common := previous.Present() & f.Present() & keypoint.Body
	if common.Len() < minCommon {
		return true
	}
	before, after := previous.Only(common), f.Only(common)
	b, _ := BoundsOf(&before)
	a, _ := BoundsOf(&after)
	extent := b.Extent()
	return a.Extent() >= maxShrink*extent && a.Extent() <= maxSwell*extent && a.Centre().Sub(b.Centre()).Len() <= maxJump*extent
}
