package keypoint

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Point is a position in pixels: origin at the top left, x to the right, y down.
type Point = mgl64.Vec2

// Frame holds the keypoints of one person in one picture: for each part, whether it was found, its position in pixels,
// its confidence, 0 to 1, and perhaps its visibility; none is NaN or infinite. The zero value is a picture without a
// person. Frames without positions in space can be compared with ==.
type Frame struct {
	points     [NumParts]Point
	confidence [NumParts]float64
	visibility [NumParts]uint8 // 1 + hundredths; 0: unknown
	present    Parts
	space      *Positions // nil: unknown; never changed, because copies share it
}

// At returns the position of part p in pixels; ok is false if the part was not found.
func (f *Frame) At(p Part) (pt Point, ok bool) {
	if !f.present.Has(p) || p >= NumParts {
		return Point{}, false
	}
	return f.points[p], true
}

// Has reports whether part p was found.
func (f *Frame) Has(p Part) bool { return f.present.Has(p) }

// Present returns the set of parts that were found.
func (f *Frame) Present() Parts { return f.present }

// Len returns the number of parts that were found, 0 to 23.
func (f *Frame) Len() int { return f.present.Len() }

// Empty reports whether no part was found.
func (f *Frame) Empty() bool { return f.present == 0 }

// Confidence returns the confidence of part p, 0 to 1; it is 0 for an absent part.
func (f *Frame) Confidence(p Part) float64 {
	if p >= NumParts {
		return 0
	}
	return f.confidence[p]
}

// Visibility returns the probability, 0 to 1, that part p can be seen and is not hidden behind the body or a thing, as
// some networks tell it of elbows, wrists, knees, ankles and feet; ok is false if it is unknown.
func (f *Frame) Visibility(p Part) (share float64, ok bool) {
	if p >= NumParts || f.visibility[p] == 0 {
		return 0, false
	}
	return float64(f.visibility[p]-1) / 100, true
}

// SetVisibility sets the visibility of part p, which is clamped to 0 to 1 and rounded to a hundredth. NaN makes it
// unknown; an absent part has none. SetVisibility panics if p is not a part.
func (f *Frame) SetVisibility(p Part, share float64) {
	f.visibility[p] = 0
	if f.Has(p) && !math.IsNaN(share) {
		f.visibility[p] = 1 + uint8(math.Round(100*min(max(share, 0), 1)))
	}
}

// Exchange exchanges part p with its mirror part, as where a network has mistaken left for right. It panics if p is not a part.
func (f *Frame) Exchange(p Part) {
	q := p.Mirror()
	f.points[p], f.points[q] = f.points[q], f.points[p]
	f.confidence[p], f.confidence[q] = f.confidence[q], f.confidence[p]
	f.visibility[p], f.visibility[q] = f.visibility[q], f.visibility[p]
	if f.Has(p) != f.Has(q) {
		f.present ^= 1<<p | 1<<q
	}
	if f.space != nil {
		s := *f.space
		s.exchange(p)
		f.space = &s
	}
}

// Only returns the frame with the parts of a set; all others are absent.
func (f *Frame) Only(parts Parts) Frame {
	g := *f
	for _, p := range (f.present &^ parts).List() {
		g.Unset(p)
	}
	if outside := f.space.Present() &^ parts; outside != 0 {
		s := *f.space
		for _, p := range outside.List() {
			s.unset(p)
		}
		g.SetPositions(&s)
	}
	return g
}

// Set puts part p at pt (pixels) with a confidence, which is clamped to 0 to 1; a visibility that it has stays. A number
// that is NaN or infinite makes the part absent. Set panics if p is not a part.
func (f *Frame) Set(p Part, pt Point, confidence float64) {
	if !finite(pt[0]) || !finite(pt[1]) || !finite(confidence) {
		f.Unset(p)
		return
	}
	f.points[p] = pt
	f.confidence[p] = min(max(confidence, 0), 1)
	f.present |= 1 << p
}

// Unset makes part p absent. It panics if p is not a part.
func (f *Frame) Unset(p Part) {
	f.points[p] = Point{}
	f.confidence[p] = 0
	f.visibility[p] = 0
	f.present &^= 1 << p
}

// Clamp moves each part outside of the rectangle from low to high, pixels, to the nearest point of its edge.
func (f *Frame) Clamp(low, high Point) {
	for _, p := range f.present.List() {
		for axis := range 2 {
			f.points[p][axis] = min(max(f.points[p][axis], low[axis]), high[axis])
		}
	}
}

// finite reports whether v is neither NaN nor infinite.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
