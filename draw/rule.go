package draw

import (
	"github.com/bodymotion/motion/keypoint"
)

// Type is a kind of drawing.
type Type string

// The kinds of drawing. The last four go beyond the specification of the service.
const (
	typeKeypoint       Type = "keypoint"
	typeStickPicture   Type = "stickPicture"
	typeHorizontalLine Type = "horizontalLine"
	typeVerticalLine   Type = "verticalLine"
	typeAngle          Type = "angle"
	typeTrace          Type = "trace"
	typeLabel          Type = "label"
	typeBody           Type = "body"
)

// Types returns the kinds of drawing.
func Types() []Type {
	return []Type{typeKeypoint, typeStickPicture, typeHorizontalLine, typeVerticalLine, typeAngle, typeTrace, typeLabel, typeBody}
}

// points returns the least and the greatest number of points of the type; 0 for an unknown type.
func (t Type) points() (least, most int) {
	switch t {
	case typeAngle:
		return 3, 3
	case typeStickPicture:
		return 2, maxPoints
	case typeKeypoint, typeHorizontalLine, typeVerticalLine, typeTrace, typeLabel, typeBody:
		return 1, maxPoints
	}
	return 0, 0
}

// shape reports whether the type has dots or lines alone, which may be faint or a ghost. A body may be a ghost, too.
func (t Type) shape() bool {
	return t != typeAngle && t != typeTrace && t != typeLabel && t != typeBody
}

// defaultThreshold is the distance at which a part counts as different.
const defaultThreshold = 0.2

// Limits of a rule.
const (
	maxSize    = 100
	maxPoints  = 1000
	maxSeconds = 60
	maxText    = 80 // runes
)

// Rule draws one thing; Keypoint, Angle, Body and others make it. Set at most one of Points and Pattern; without both, all parts are
// drawn. Its JSON is what ParseRules reads: fields of zero value are left out.
type Rule struct {
	Type    Type                `json:"drawingType"`
	Points  []keypoint.Selector `json:"points,omitzero"`
	Pattern string              `json:"pattern,omitzero"`     // a group of keypoint.Group: all, upperBody, lowerBody, leftBody, rightBody
	Color   Color               `json:"color,omitzero"`       // "" means grey
	Size    float64             `json:"size,omitzero"`        // at most 100; 0 means 1
	Bands   []Band              `json:"comparisons,omitzero"` // for a comparison: a part takes the highest band that it reaches; without bands, no differences show

	// Faint draws unsure parts of a keypoint, stickPicture or line faintly: with an opacity from a
	// third at a confidence of 0.2 to full at 0.6. A line takes the less sure of its two ends.
	Faint bool `json:"faint,omitzero"`

	// The next three are for drawings of a comparison.

	Ghost  Color `json:"ghost,omitzero"`  // draw the same shape of the target beneath, half transparent; "" means no
	Arrows Color `json:"arrows,omitzero"` // draw arrows from the points of a keypoint or stickPicture to the target's; "" means no
	Legend bool  `json:"legend,omitzero"` // explain the colours of the bands in the lower left corner; of body: those of the sides in the upper right, in any drawing

	Rotation bool    `json:"rotation,omitzero"` // of angle: write the counter-clockwise turn from the first to the last ray, up to 360°
	Seconds  float64 `json:"seconds,omitzero"`  // of trace: length of the path, at most 60; 0 means 1
	Text     string  `json:"text,omitzero"`     // of label: at most 80 characters; "" means the names of the point's parts; of body: a caption in the lower left corner
	Analysis *int    `json:"analysis,omitzero"` // of label: the analysis, counted from 0, whose value follows the text; nil for none

	// Beside is left or right, of label: write the text on that side of the picture from the point, clear of the lines and of other
	// such texts, on the other side if it does not fit, and without Text the value alone; in a drawing with a body on a dark plate,
	// with a dot in the colour of the point's side. "" means close to the right of the point.
	Beside string `json:"beside,omitzero"`
}

// Band gives parts whose distance reaches a threshold their own look.
type Band struct {
	Threshold float64 // distance, 0 to 1
	Color     Color   // "" means Red
	Size      float64 // at most 100; 0 means 1, whatever the rule's Size

	implied bool // Threshold was not given in the JSON
}

// Background says what is drawn on.
type Background struct {
	SkeletonOnly bool  // fill the picture with Color first
	Color        Color // "" means White

	explicit bool // skeletonOnly was given as false in the JSON
}

// group returns the rule's group of parts: all parts if Pattern is empty.
func (r *Rule) group() keypoint.Parts {
	if g, ok := keypoint.Group(r.Pattern); ok {
		return g
	}
	return keypoint.All
}

// Sides returns the rules that draw the person as the page does, with a legend of the sides.
func Sides() []Rule {
	body := Body().In("", 2)
	body.Legend = true
	return []Rule{body}
}
