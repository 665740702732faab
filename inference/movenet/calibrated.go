package movenet

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// Curve tells how often a part of a given score is right:
//
//	p = 1 / (1 + exp(−(Slope·ln(score / (1 − score)) + Offset)))
//
// Right means within 0.2 torso lengths of where people label it. (J. Platt, Probabilistic outputs for
// support vector machines, 1999.)
type Curve struct{ Slope, Offset float64 }

// at returns the probability for a score.
func (c Curve) at(score float64) float64 {
	score = min(max(score, minScore), 1-minScore)
	return 1 / (1 + math.Exp(-c.Slope*math.Log(score/(1-score))-c.Offset))
}

// minScore keeps the logarithm finite.
const minScore = 0.001

// Calibration has the curves of a pose network for nose, eyes, ears, shoulders, elbows, wrists, hips,
// knees and ankles: a part and its mirror part share one. The zero value is none.
type Calibration [(keypoint.NumBody + 1) / 2]Curve

// calibrated returns the frame with the probabilities of its parts as confidences.
func (c *Calibration) calibrated(f keypoint.Frame) keypoint.Frame {
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		f.Set(p, at, c[(p+1)/2].at(f.Confidence(p)))
	}
	return f
}
