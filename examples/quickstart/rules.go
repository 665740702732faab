package main

import (
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// jointAngles returns the rules for the angles at the knees, hips, elbows and
// shoulders; for a movie with their smallest value.
func jointAngles(movie bool) []analyze.Rule {
	var rules []analyze.Rule
	for _, j := range [][3]keypoint.Part{
		{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle},
		{keypoint.LeftShoulder, keypoint.LeftHip, keypoint.LeftKnee},
		{keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist},
		{keypoint.LeftElbow, keypoint.LeftShoulder, keypoint.LeftHip},
	} {
		left, right := analyze.Rule{Type: analyze.VectorAngle}, analyze.Rule{Type: analyze.VectorAngle}
		for _, p := range j {
			left.Points = append(left.Points, keypoint.PartSelector(p))
			right.Points = append(right.Points, keypoint.PartSelector(p.Mirror()))
		}
		if movie {
			left.Movie = &analyze.MovieOption{Statistic: analyze.Min}
			right.Movie = left.Movie
		}
		rules = append(rules, left, right)
	}
	return rules
}
