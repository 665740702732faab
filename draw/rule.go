package draw

import (
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// Type is a kind of drawing.
type Type string

// The kinds of drawing of the specification, and Angle, Trace and Label beyond it.
const (
	Keypoint       Type = "keypoint"       // a dot at each point
	StickPicture   Type = "stickPicture"   // a line through the points in order, or the skeleton's edges within a pattern
	HorizontalLine Type = "horizontalLine" // a line across the whole picture through each point
	VerticalLine   Type = "verticalLine"   // the same from top to bottom
	Angle          Type = "angle"          // an arc at the second of three points, and its degrees
	Trace          Type = "trace"          // the path of each point over the last seconds
	Label          Type = "label"          // a text beside each point
)

// Types returns the kinds of drawing.
func Types() []Type {
	return []Type{Keypoint, StickPicture, HorizontalLine, VerticalLine, Angle, Trace, Label}
}

func typeNames() []string {
	var names []string
	for _, t := range Types() {
		names = append(names, string(t))
	}
	return names
}

// points returns how many points the type takes, at least and at most; 0 for a type
// that does not exist.
func (t Type) points() (least, most int) {
	switch t {
	case Angle:
		return 3, 3
	case StickPicture:
		return 2, maxPoints
	case Keypoint, HorizontalLine, VerticalLine, Trace, Label:
		return 1, maxPoints
	}
	return 0, 0
}

// DefaultThreshold is the distance from which on a part counts as different.
const DefaultThreshold = 0.2

// Limits of a rule.
const (
	maxSize    = 100
	maxPoints  = 1000
	maxSeconds = 60
	maxText    = 80 // runes
)

// Rule is one thing to be drawn. At most one of Points and Pattern is given; without
// both, all parts are drawn.
type Rule struct {
	Type    Type
	Points  []keypoint.Selector
	Pattern string  // a group of keypoint.Group: all, upperBody, lowerBody, leftBody, rightBody
	Color   Color   // "" means Grey
	Size    float64 // 0 means 1; at most 100
	Bands   []Band  // for drawing a comparison; a part takes the highest band that it reaches

	// The following are for drawing a comparison.

	Ghost  Color // paint the same of the target beneath, half transparent; "" means no
	Arrows Color // paint arrows from the points to the target's, of Keypoint and StickPicture; "" means no
	Legend bool  // explain the colours of the bands in the lower left corner

	Rotation bool    // of Angle: the counter-clockwise turn from the first to the last ray, up to 360°
	Seconds  float64 // of Trace: how far back, more than 0 to 60; 0 means 1
	Text     string  // of Label: at most 80 characters; "" means the names of the point's parts
	Analysis *int    // of Label: whose value is written behind the text, counted from 0; nil for none

	pointer string // of a rule that was read from JSON
}

// Band gives the parts whose distance reaches a threshold their own look.
type Band struct {
	Threshold float64 // distance, 0 to 1
	Color     Color   // "" means Red
	Size      float64 // 0 means 1; at most 100
}

// Background says what everything but the drawing looks like.
type Background struct {
	SkeletonOnly bool  // fill the picture with Color
	Color        Color // "" means White
}

// Error is a mistake in a rule: a JSON Pointer to the place and what is wrong there.
type Error = keypoint.FieldError

// Errors are the mistakes of a rule document. It can be had with errors.As.
type Errors = keypoint.FieldErrors

// Needs says what rules draw from beside the frame: see the fields of Options.
type Needs struct {
	Target  bool // some rule has a ghost or arrows
	History bool // some rule is a Trace
	Value   bool // some rule writes the value of an analysis
}

// NeedsOf returns what the rules need.
func NeedsOf(rules []Rule) Needs {
	return Needs{
		Target:  slices.ContainsFunc(rules, func(r Rule) bool { return r.Ghost != "" || r.Arrows != "" }),
		History: slices.ContainsFunc(rules, func(r Rule) bool { return r.Type == Trace }),
		Value:   slices.ContainsFunc(rules, func(r Rule) bool { return r.Analysis != nil }),
	}
}

// group returns the rule's group of parts; all where none is named.
func (r *Rule) group() keypoint.Parts {
	if g, ok := keypoint.Group(r.Pattern); ok {
		return g
	}
	return keypoint.All
}
