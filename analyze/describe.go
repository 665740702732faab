package analyze

import (
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// sentences describe the types, with the points in place of 1, 2 and 3.
var sentences = map[Type]string{
	Coordinate:           "Coordinate [x, y] of \x01 in pixels.",
	HorizontalDifference: "Horizontal difference from \x02 to \x01 in pixels, positive to the right.",
	VerticalDifference:   "Vertical difference from \x02 to \x01 in pixels, positive downwards.",
	EuclideanDistance:    "Euclidean distance between \x01 and \x02 in pixels.",
	VectorAngle:          "Vector angle at \x02 between \x01 and \x03 in degrees, 0 to 180.",
	RotationAngle:        "Rotation angle at \x02 counter-clockwise from \x01 to \x03 in degrees, 0 to 360.",
	JointFlexion:         "Flexion at \x02 between \x01 and \x03 in degrees, 0 for a straight limb.",
	SegmentAngle:         "Angle of the segment from \x01 to \x02 against the horizontal in degrees, -180 to 180, positive upwards.",
	Speed:                "Speed of \x01 in pixels per second.",
	AngularVelocity:      "Angular velocity at \x02 between \x01 and \x03 in degrees per second, positive when the angle opens.",
}

// describe says in a sentence what the rule computes.
func (r *Rule) describe() string {
	var b strings.Builder
	b.Grow(160)
	sentence := sentences[r.Type]
	for i := range len(sentence) {
		if c := sentence[i]; c > 3 {
			b.WriteByte(c)
		} else {
			describePoint(&b, r.Points[c-1])
		}
	}
	return b.String()
}

// ends are the phrases before the parts of a point.
var ends = map[keypoint.PointType]string{
	keypoint.Midpoint:        "the midpoint of ",
	keypoint.Centroid:        "the centroid of ",
	keypoint.HorizontalRight: "the right end of ",
	keypoint.HorizontalLeft:  "the left end of ",
	keypoint.VerticalTop:     "the upper end of ",
	keypoint.VerticalDown:    "the lower end of ",
}

func describePoint(b *strings.Builder, s keypoint.Selector) {
	b.WriteString(ends[s.Type])
	for i, p := range s.Parts {
		switch i {
		case 0:
		case len(s.Parts) - 1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(p.String())
	}
}
