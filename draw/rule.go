package draw

import (
	"fmt"
	"strings"

	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// Type is a kind of drawing.
type Type string

// The kinds of drawing.
const (
	Keypoint       Type = "keypoint"       // a dot at each point
	StickPicture   Type = "stickPicture"   // a line through the points in order, or the skeleton's edges within a pattern
	HorizontalLine Type = "horizontalLine" // a line across the whole picture through each point
	VerticalLine   Type = "verticalLine"   // the same from top to bottom
)

var typeNames = []string{string(Keypoint), string(StickPicture), string(HorizontalLine), string(VerticalLine)}

// minPoints returns how many points the type needs at least; 0 for an unknown type.
func (t Type) minPoints() int {
	switch t {
	case StickPicture:
		return 2
	case Keypoint, HorizontalLine, VerticalLine:
		return 1
	}
	return 0
}

// Band gives the parts whose distance reaches a threshold their own look.
type Band struct {
	Threshold float64 // distance, 0 to 1
	Color     Color   // "" means Red
	Size      float64 // 0 means 1; at most 100
}

// DefaultThreshold is the distance from which on a part counts as different.
const DefaultThreshold = 0.2

// Rule is one thing to be drawn. At most one of Points and Pattern is given; without
// both, all parts are drawn.
type Rule struct {
	Type    Type
	Points  []keypoint.Selector
	Pattern string  // a group of keypoint.Group: all, upperBody, lowerBody, leftBody, rightBody
	Color   Color   // "" means Grey
	Size    float64 // 0 means 1; at most 100
	Bands   []Band  // for drawing a comparison; a part takes the highest band that it reaches

	pointer string // of a rule that was read from JSON
}

// Background says what everything but the drawing looks like.
type Background struct {
	SkeletonOnly bool  // fill the picture with Color
	Color        Color // "" means White
}

// Error is a mistake in a rule: a JSON Pointer to the place and what is wrong there.
type Error = strictjson.Error

// Errors are the mistakes of a rule document. It can be had with errors.As.
type Errors = strictjson.Errors

const maxSize = 100

// ParseRules reads drawing rules: one rule object or an array of at most 100, in at
// most 64 KiB of JSON. What is wrong comes back as Errors.
//
//	{"drawingType": "stickPicture", "pattern": "lowerBody", "color": "red", "size": 2,
//	 "comparisons": [{"threshold": 0.3, "color": "yellow"}]}
func ParseRules(data []byte) ([]Rule, error) {
	rules := []Rule{}
	err := rulejson.Parse(data, func(v strictjson.Value) { rules = append(rules, parseRule(v)) })
	if err != nil {
		return nil, err
	}
	return rules, nil
}

func parseRule(v strictjson.Value) Rule {
	r := Rule{pointer: v.Pointer()}
	if !v.Known("drawingType", "points", "pattern", "color", "size", "comparisons") {
		return r
	}
	if t := v.Get("drawingType"); t.Require("one of " + strings.Join(typeNames, ", ")) {
		name, _ := t.OneOf(typeNames...)
		r.Type = Type(name)
	}
	points, pattern := v.Get("points"), v.Get("pattern")
	if points.Present() && pattern.Present() {
		pattern.Errorf("is given together with points: want one of the two")
	}
	if list, ok := points.Array(); ok {
		if want := r.Type.minPoints(); len(list) < want {
			points.Errorf("has %d points, but %s takes at least %d", len(list), r.Type, want)
		}
		for _, e := range list {
			s, _ := rulejson.Point(e)
			r.Points = append(r.Points, s)
		}
	}
	if pattern.Present() {
		r.Pattern, _ = pattern.OneOf("all", "upperBody", "lowerBody", "leftBody", "rightBody")
	}
	r.Color, r.Size = parseLook(v)
	if c := v.Get("comparisons"); c.Present() {
		list, _ := c.Array()
		r.Bands = []Band{}
		for _, e := range list {
			r.Bands = append(r.Bands, parseBand(e))
		}
	}
	return r
}

func parseLook(v strictjson.Value) (c Color, size float64) {
	if x := v.Get("color"); x.Present() {
		name, _ := x.OneOf(colorNames()...)
		c = Color(name)
	}
	if x := v.Get("size"); x.Present() {
		var ok bool
		if size, ok = x.Number(); ok && !(size > 0 && size <= maxSize) {
			x.Errorf("is %v, want more than 0 and at most %d", size, maxSize)
		}
	}
	return c, size
}

func parseBand(v strictjson.Value) Band {
	b := Band{Threshold: DefaultThreshold}
	if !v.Require("an object with threshold, color, size") || !v.Known("threshold", "color", "size") {
		return b
	}
	if x := v.Get("threshold"); x.Present() {
		var ok bool
		if b.Threshold, ok = x.Number(); ok && !(b.Threshold >= 0 && b.Threshold <= 1) {
			x.Errorf("is %v, want a distance of 0 to 1", b.Threshold)
		}
	}
	b.Color, b.Size = parseLook(v)
	return b
}

// ParseBackground reads {"skeletonOnly": …, "color": …}. What is wrong comes back as
// Errors.
func ParseBackground(data []byte) (Background, error) {
	var b Background
	doc, err := strictjson.Parse(data)
	if err != nil {
		return b, err
	}
	if v := doc.Root(); v.Require("an object with skeletonOnly, color") && v.Known("skeletonOnly", "color") {
		b.SkeletonOnly, _ = v.Get("skeletonOnly").Bool()
		if c := v.Get("color"); c.Present() {
			name, _ := c.OneOf(colorNames()...)
			b.Color = Color(name)
		}
	}
	return b, doc.Err()
}

// Check reports, as Errors, what is wrong with rules that were made in Go, and bands
// when the drawing is not of a comparison.
func Check(rules []Rule, comparison bool) error {
	var errs Errors
	for i, r := range rules {
		ptr := r.pointer
		if ptr == "" && len(rules) > 1 {
			ptr = fmt.Sprintf("/%d", i)
		}
		note := func(member, format string, args ...any) {
			errs = append(errs, &Error{Pointer: ptr + member, Detail: fmt.Sprintf(format, args...)})
		}
		badSize := func(v float64) bool { return v != 0 && !(v > 0 && v <= maxSize) }
		want := r.Type.minPoints()
		if want == 0 {
			note("/drawingType", "is %q, want one of %v", r.Type, typeNames)
			continue
		}
		if r.Points != nil && len(r.Points) < want {
			note("/points", "has %d points, but %s takes at least %d", len(r.Points), r.Type, want)
		}
		for j, s := range r.Points {
			if err := s.Validate(); err != nil {
				note(fmt.Sprintf("/points/%d", j), "%v", err)
			}
		}
		if _, ok := keypoint.Group(r.Pattern); r.Pattern != "" && (!ok || r.Points != nil) {
			note("/pattern", "is %q; want all, upperBody, lowerBody, leftBody or rightBody, and no points beside it", r.Pattern)
		}
		if !r.Color.valid() {
			note("/color", "is %q, want one of %v", r.Color, colorNames())
		}
		if badSize(r.Size) {
			note("/size", "is %v, want more than 0 and at most %d", r.Size, maxSize)
		}
		if r.Bands != nil && !comparison {
			note("/comparisons", "is for drawing a comparison only")
		}
		for j, b := range r.Bands {
			if !(b.Threshold >= 0 && b.Threshold <= 1) || !b.Color.valid() || badSize(b.Size) {
				note(fmt.Sprintf("/comparisons/%d", j), "is %+v; want a threshold of 0 to 1, a known color and a size of up to %d", b, maxSize)
			}
		}
	}
	if errs == nil {
		return nil
	}
	return errs
}
