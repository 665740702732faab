package inference

import (
	"context"
	"image"

	"github.com/bodymotion/motion/keypoint"
)

// Box is an upright rectangle in pixels.
type Box struct{ Min, Max keypoint.Point }

// BoundsOf returns the box around the parts of a frame; ok is false if f is nil or has none.
func BoundsOf(f *keypoint.Frame) (b Box, ok bool) {
	if f == nil {
		return Box{}, false
	}
	low, high, ok := f.Bounds()
	return Box{low, high}, ok
}

// Width returns the width in pixels.
func (b Box) Width() float64 { return b.Max[0] - b.Min[0] }

// Height returns the height in pixels.
func (b Box) Height() float64 { return b.Max[1] - b.Min[1] }

// Extent returns the longer side in pixels.
func (b Box) Extent() float64 { return max(b.Width(), b.Height()) }

// Centre returns the centre in pixels.
func (b Box) Centre() keypoint.Point {
	return keypoint.Point{b.Min[0]/2 + b.Max[0]/2, b.Min[1]/2 + b.Max[1]/2}
}

// Overlap returns the intersection over union of b and c, 0 to 1.
func (b Box) Overlap(c Box) float64 {
	width := min(b.Max[0], c.Max[0]) - max(b.Min[0], c.Min[0])
	height := min(b.Max[1], c.Max[1]) - max(b.Min[1], c.Min[1])
	if width <= 0 || height <= 0 {
		return 0
	}
	common := width * height
	return common / (b.Width()*b.Height() + c.Width()*c.Height() - common)
}

// Candidate is a person detected in a picture.
type Candidate struct {
	Box       Box            // of the whole person
	Keypoints keypoint.Frame // as the Finder sees them, coarser than an estimate; may be empty
	Score     float64        // confidence that this is a person, 0 to 1

	// In a movie; 0 in a picture.
	Track  int     // identifies the person: 1, 2, …
	Travel float64 // distance that the centre has moved so far, in extents of the box
}

// Finder is an optional interface for Estimators that can tell the people in a picture apart; see FinderOf.
//
// Find is safe for concurrent use. It does not change img and keeps no reference to it. Coordinates are pixels of img, in the
// coordinates of its bounds. A picture without a person, or without pixels, gives no Candidate and no error. Track and Travel are
// 0. Find returns ctx's error soon after ctx ends, and ErrNoFinder if the Estimator was made without what it needs to find people.
//
// inferencetest.TestFinder tests these promises.
type Finder interface {
	// Find returns the people in a picture, the highest Score first.
	Find(ctx context.Context, img image.Image) ([]Candidate, error)
}
