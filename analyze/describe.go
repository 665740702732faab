package analyze

import (
	"fmt"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// describe says in a sentence what the rule computes.
func (r *Rule) describe() string {
	name := make([]string, len(r.Points))
	for i, s := range r.Points {
		name[i] = describePoint(s)
	}
	switch r.Type {
	case Coordinate:
		return fmt.Sprintf("Coordinate [x, y] of %s in pixels.", name[0])
	case HorizontalDifference:
		return fmt.Sprintf("Horizontal difference from %s to %s in pixels, positive to the right.", name[1], name[0])
	case VerticalDifference:
		return fmt.Sprintf("Vertical difference from %s to %s in pixels, positive downwards.", name[1], name[0])
	case EuclideanDistance:
		return fmt.Sprintf("Euclidean distance between %s and %s in pixels.", name[0], name[1])
	case JointFlexion:
		return fmt.Sprintf("Flexion at %s between %s and %s in degrees, 0 for a straight limb.", name[1], name[0], name[2])
	case SegmentAngle:
		return fmt.Sprintf("Angle of the segment from %s to %s against the horizontal in degrees, -180 to 180, positive upwards.", name[0], name[1])
	case Speed:
		return fmt.Sprintf("Speed of %s in pixels per second.", name[0])
	case AngularVelocity:
		return fmt.Sprintf("Angular velocity at %s between %s and %s in degrees per second, positive when the angle opens.", name[1], name[0], name[2])
	case VectorAngle:
		return fmt.Sprintf("Vector angle at %s between %s and %s in degrees, 0 to 180.", name[1], name[0], name[2])
	}
	return fmt.Sprintf("Rotation angle at %s counter-clockwise from %s to %s in degrees, 0 to 360.", name[1], name[0], name[2])
}

func describePoint(s keypoint.Selector) string {
	parts := make([]string, len(s.Parts))
	for i, p := range s.Parts {
		parts[i] = p.String()
	}
	list := strings.Join(parts, ", ")
	if n := len(parts); n > 1 {
		list = strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	switch s.Type {
	case keypoint.Single:
		return list
	case keypoint.Midpoint:
		return "the midpoint of " + list
	case keypoint.Centroid:
		return "the centroid of " + list
	case keypoint.HorizontalRight:
		return "the right end of " + list
	case keypoint.HorizontalLeft:
		return "the left end of " + list
	case keypoint.VerticalTop:
		return "the upper end of " + list
	}
	return "the lower end of " + list
}
