package inference

import (
	"context"
	"image"
	"math"
	"slices"

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

// Finder is an optional interface for Estimators that can tell the people in a picture
// apart; see FinderOf.
//
// Find is safe for concurrent use. It does not change img and keeps no reference to it.
// Coordinates are pixels of img, in the coordinates of its bounds. A picture without a
// person, or without pixels, gives no Candidate and no error. Track and Travel are 0. Find
// returns ctx's error soon after ctx ends, and ErrNoFinder if the Estimator was made
// without what it needs to find people.
//
// inferencetest.TestFinder tests these promises.
type Finder interface {
	// Find returns the people in a picture, the highest Score first.
	Find(ctx context.Context, img image.Image) ([]Candidate, error)
}

// Chooser selects the person to estimate. It is safe for concurrent use.
type Chooser interface {
	// Choose returns the index of the chosen person, −1 for nobody. size is the picture's in
	// pixels; boxes and keypoints are in pixels from its top left corner, whatever the
	// bounds of the image.
	Choose(size image.Point, people []Candidate) int
}

// Watcher is an optional interface for Choosers that must see people move first.
type Watcher interface {
	Chooser
	// Watch returns for how many seconds all people are tracked before Choose is called with
	// Track and Travel set.
	Watch() float64
}

// choose asks a Chooser, nil: CentreFront, about people in coordinates of the image.
func choose(c Chooser, bounds image.Rectangle, people []Candidate) int {
	if c == nil {
		c = CentreFront{}
	}
	back := keypoint.Point{float64(-bounds.Min.X), float64(-bounds.Min.Y)}
	people = slices.Clone(people)
	for i := range people {
		p := &people[i]
		p.Box.Min, p.Box.Max = p.Box.Min.Add(back), p.Box.Max.Add(back)
		p.Keypoints = moved(p.Keypoints, back)
	}
	return c.Choose(bounds.Size(), people)
}

// best returns the index of the largest positive value, −1 if there is none.
func best(people []Candidate, value func(Candidate) float64) int {
	index, most := -1, 0.0
	for i, p := range people {
		if v := value(p); v > most {
			index, most = i, v
		}
	}
	return index
}

// sureScore is the score above which CentreFront treats scores alike.
const sureScore = 0.3

// CentreFront chooses the person in the centre foreground. It is the default. It maximises
//
//	area × min(score, 0.3) / (1 + dx² + dy²)
//
// where (dx, dy) is the box's distance from the picture's centre, in half widths and heights.
type CentreFront struct{}

// Choose implements Chooser.
func (CentreFront) Choose(size image.Point, people []Candidate) int {
	return best(people, func(p Candidate) float64 {
		c, w, h := p.Box.Centre(), float64(size.X)/2, float64(size.Y)/2
		dx, dy := (c[0]-w)/w, (c[1]-h)/h
		return p.Box.Width() * p.Box.Height() / (1 + dx*dx + dy*dy) * min(p.Score, sureScore)
	})
}

// Largest chooses the person with the largest box, by area.
type Largest struct{}

// Choose implements Chooser.
func (Largest) Choose(_ image.Point, people []Candidate) int {
	return best(people, func(p Candidate) float64 { return p.Box.Width() * p.Box.Height() })
}

// HighestScore chooses the person with the highest Score.
type HighestScore struct{}

// Choose implements Chooser.
func (HighestScore) Choose(_ image.Point, people []Candidate) int {
	return best(people, func(p Candidate) float64 { return p.Score })
}

// Nearest chooses the person whose box is nearest to a point; if several boxes contain it, the
// one with the nearest centre.
type Nearest struct {
	Point keypoint.Point // pixels
}

// Choose implements Chooser.
func (n Nearest) Choose(size image.Point, people []Candidate) int {
	return best(people, func(p Candidate) float64 {
		dx := max(p.Box.Min[0]-n.Point[0], 0, n.Point[0]-p.Box.Max[0])
		dy := max(p.Box.Min[1]-n.Point[1], 0, n.Point[1]-p.Box.Max[1])
		outside, middle := math.Hypot(dx, dy), p.Box.Centre().Sub(n.Point).Len()
		return 1 / (1 + outside*1e3 + middle)
	})
}

// MostMovement chooses the person who moves farthest in the first seconds of a movie. In a
// picture it chooses as CentreFront does.
type MostMovement struct {
	Seconds float64 // default 2
}

// Watch implements Watcher.
func (m MostMovement) Watch() float64 {
	if m.Seconds <= 0 {
		return 2
	}
	return m.Seconds
}

// Choose implements Chooser.
func (m MostMovement) Choose(size image.Point, people []Candidate) int {
	if i := best(people, func(p Candidate) float64 { return p.Travel }); i >= 0 {
		return i
	}
	return CentreFront{}.Choose(size, people)
}

// Track chooses the person with a track number that ExtractAll or an earlier extraction gave.
// It watches the movie until that person first appears.
type Track struct {
	ID      int
	Seconds float64 // when the person first appears; 0: in the first frame
}

// Watch implements Watcher.
func (t Track) Watch() float64 { return t.Seconds }

// Choose implements Chooser.
func (t Track) Choose(_ image.Point, people []Candidate) int {
	return best(people, func(p Candidate) float64 {
		if p.Track == t.ID {
			return 1
		}
		return 0
	})
}
