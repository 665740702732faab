package main

import "github.com/bodymotion/motion/keypoint"

// rule is an analysis rule in the form of the API.
type rule struct {
	AnalysisType string       `json:"analysisType"`
	Points       []string     `json:"points"`
	MovieOption  *movieOption `json:"movieOption,omitempty"`
}

type movieOption struct {
	StatisticsType string `json:"statisticsType"`
}

// jointAngles returns the rules for the angles at the knees, hips, elbows and
// shoulders; for a movie with their smallest value.
func jointAngles(movie bool) []rule {
	var rules []rule
	for _, j := range [][3]keypoint.Part{
		{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle},
		{keypoint.LeftShoulder, keypoint.LeftHip, keypoint.LeftKnee},
		{keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist},
		{keypoint.LeftElbow, keypoint.LeftShoulder, keypoint.LeftHip},
	} {
		for _, side := range []func(keypoint.Part) keypoint.Part{
			func(p keypoint.Part) keypoint.Part { return p },
			keypoint.Part.Mirror,
		} {
			r := rule{AnalysisType: "vectorAngle"}
			for _, p := range j {
				r.Points = append(r.Points, side(p).String())
			}
			if movie {
				r.MovieOption = &movieOption{"min"}
			}
			rules = append(rules, r)
		}
	}
	return rules
}
