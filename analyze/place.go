package analyze

import "github.com/bodymotion/motion/keypoint"

// Place returns the parts of the body beside which the value of the rule is written in a picture:
// those of the joint of an angle, the shoulders of a trunk that leans, or those of all points.
func (r *Rule) Place() []keypoint.Part {
	points := r.Points
	if a := r.Type.definition().angle; a != nil {
		if points = a.pointsOf(r.Side); len(points) == 2 && len(points[1].Parts) == 2 {
			return points[1].Parts
		}
	}
	if len(points) == 3 {
		return points[1].Parts
	}
	parts := keypoint.Parts(0)
	for _, s := range points {
		parts |= keypoint.PartsOf(s.Parts...)
	}
	return parts.List()
}
