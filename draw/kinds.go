package draw

import "github.com/bodymotion/motion/keypoint"

// Keypoint returns a rule that draws a dot at each point; without points, at each part.
func Keypoint(points ...keypoint.Selector) Rule { return Rule{Type: typeKeypoint, Points: points} }

// StickPicture returns a rule that draws a line through the points in their order; without points, the skeleton.
func StickPicture(points ...keypoint.Selector) Rule {
	return Rule{Type: typeStickPicture, Points: append([]keypoint.Selector(nil), points...)} // an interpreter gives an empty list, not nil
}

// Angle returns a rule that draws an arc at the second of three points, and its degrees. Other numbers of points are mistakes
// that Compile reports.
func Angle(points ...keypoint.Selector) Rule { return Rule{Type: typeAngle, Points: points} }

// Trace returns a rule that draws the path of each point over the last seconds, at most 60; 0 means 1.
func Trace(seconds float64, points ...keypoint.Selector) Rule {
	return Rule{Type: typeTrace, Seconds: seconds, Points: points}
}

// Label returns a rule that writes a text beside each point, of at most 80 characters; "" means the names of the point's parts.
func Label(text string, points ...keypoint.Selector) Rule {
	return Rule{Type: typeLabel, Text: text, Points: points}
}

// Body returns a rule that draws the person as on the page's stage: left blue and right orange with a dark rim, unsure parts
// dotted, no face.
func Body() Rule { return Rule{Type: typeBody} }

// In returns the rule in a colour, "" for that of its kind, and a size, at most 100; 0 means 1.
func (r Rule) In(c Color, size float64) Rule {
	r.Color, r.Size = c, size
	return r
}
