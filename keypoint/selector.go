package keypoint

import (
	"encoding/json"
	"fmt"
	"slices"
)

// PointType selects how a Selector computes a point from its parts.
type PointType uint8

const (
	Single          PointType = iota // the part itself
	HorizontalRight                  // the part's point with the largest x
	HorizontalLeft                   // the part's point with the smallest x
	VerticalTop                      // the part's point with the smallest y
	VerticalDown                     // the part's point with the largest y
	Midpoint                         // halfway between two parts
	Centroid                         // the mean of the parts
)

var pointTypeNames = [...]string{
	"single", "horizontalRight", "horizontalLeft", "verticalTop", "verticalDown", "midpoint", "centroid",
}

// PointTypeNames returns the names of all point types in their order.
func PointTypeNames() []string { return slices.Clone(pointTypeNames[:]) }

// String returns the name the API uses, such as "horizontalRight".
func (t PointType) String() string {
	if int(t) < len(pointTypeNames) {
		return pointTypeNames[t]
	}
	return fmt.Sprintf("PointType(%d)", uint8(t))
}

// Selector computes a point from the parts of a frame, as "points" in analysis and drawing rules do.
type Selector struct {
	Type  PointType
	Parts []Part // one for Single, two for Midpoint, one or more for the others
}

// PartSelector selects the part itself.
func PartSelector(p Part) Selector { return Selector{Type: Single, Parts: []Part{p}} }

// PartSelectors selects each of the parts itself, as the points of most rules do.
func PartSelectors(parts ...Part) []Selector {
	parts = slices.Clone(parts)
	selectors := make([]Selector, len(parts))
	for i := range parts {
		selectors[i] = Selector{Type: Single, Parts: parts[i : i+1 : i+1]}
	}
	return selectors
}

// MidpointSelector selects the point halfway between a and b.
func MidpointSelector(a, b Part) Selector { return Selector{Type: Midpoint, Parts: []Part{a, b}} }

// Validate returns an ErrInvalid for unknown types and parts, and for a number of parts that does not fit the type.
func (s Selector) Validate() error {
	stranger := slices.IndexFunc(s.Parts, func(p Part) bool { return p >= NumParts })
	switch n := len(s.Parts); {
	case int(s.Type) >= len(pointTypeNames):
		return fmt.Errorf("%w point: %v is not a point type", ErrInvalid, s.Type)
	case stranger >= 0:
		return fmt.Errorf("%w point: %v is not a body part", ErrInvalid, s.Parts[stranger])
	case s.Type == Single && n != 1:
		return fmt.Errorf("%w point: single takes 1 part, not %d", ErrInvalid, n)
	case s.Type == Midpoint && n != 2:
		return fmt.Errorf("%w point: midpoint takes 2 parts, not %d", ErrInvalid, n)
	case n == 0:
		return fmt.Errorf("%w point: %v takes 1 or more parts, not 0", ErrInvalid, s.Type)
	}
	return nil
}

// At returns the selected point of the frame in pixels. Single and Midpoint need all of their parts; the other types skip absent
// parts. ok is false if there is no point. Of parts with the same extreme coordinate, the first one listed counts.
func (s Selector) At(f *Frame) (pt Point, ok bool) {
	if s.Type == Midpoint && len(s.Parts) == 2 {
		a, okA := f.At(s.Parts[0])
		b, okB := f.At(s.Parts[1])
		if !okA || !okB {
			return Point{}, false
		}
		return Point{a[0]/2 + b[0]/2, a[1]/2 + b[1]/2}, true
	}
	var sum Point
	n := 0
	for _, p := range s.Parts {
		if q, found := f.At(p); found {
			n++
			sum = sum.Add(q)
			if n == 1 || s.beyond(q, pt) {
				pt = q
			}
		}
	}
	if s.Type == Centroid && n > 0 {
		return sum.Mul(1 / float64(n)), true
	}
	return pt, n > 0
}

// beyond reports whether q is farther than best in the direction of the type.
func (s Selector) beyond(q, best Point) bool {
	switch s.Type {
	case HorizontalRight:
		return q[0] > best[0]
	case HorizontalLeft:
		return q[0] < best[0]
	case VerticalTop:
		return q[1] < best[1]
	case VerticalDown:
		return q[1] > best[1]
	}
	return false
}

// MarshalJSON writes the form that rules read: an object with pointType and pointName, which
// is the name of the part, or an array of names if there are several.
func (s Selector) MarshalJSON() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	var name any = s.Parts
	if len(s.Parts) == 1 {
		name = s.Parts[0]
	}
	return json.Marshal(struct {
		Type string `json:"pointType"`
		Name any    `json:"pointName"`
	}{s.Type.String(), name})
}
