package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// Limits of Defaults.
const (
	leastCoverage = 0.3
	mostAngles    = 4
	leastRange    = 10.0 // degrees
)

// Defaults returns the named angles that a report of keypoints shows, of both sides where there are two:
// the four that move most among those that at least 30 % of the frames show, and the repetitions of the one
// that has the most complete ones. An image has all angles that it shows. Errors are those of analyze.Run.
func Defaults(seq keypoint.Sequence) ([]Series, error) {
	var rules []analyze.Rule
	for _, t := range analyze.Types() {
		switch {
		case t.Sided():
			rules = append(rules, analyze.Rule{Type: t, Side: analyze.LeftSide}, analyze.Rule{Type: t, Side: analyze.RightSide})
		case t.Points() == 0:
			rules = append(rules, analyze.Rule{Type: t})
		}
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		return nil, err
	}
	type angle struct {
		series []Series
		moves  float64 // degrees
	}
	var angles []angle
	for k, r := range results {
		low, high, _, _ := (&curve{values: r.Values}).extent()
		if r.Coverage < leastCoverage {
			continue
		}
		s := Series{Rule: rules[k], Result: r}
		if n := len(angles) - 1; n >= 0 && angles[n].series[0].Rule.Type == r.Type {
			angles[n].series = append(angles[n].series, s)
			angles[n].moves = max(angles[n].moves, high-low)
			continue
		}
		angles = append(angles, angle{[]Series{s}, high - low})
	}
	if seq.Len() > 1 {
		slices.SortStableFunc(angles, func(a, b angle) int { return cmp.Compare(math.Round(b.moves), math.Round(a.moves)) })
		for k, a := range angles {
			if k == mostAngles || k > 0 && a.moves < leastRange {
				angles = angles[:k]
				break
			}
		}
	}
	var list []Series
	for _, a := range angles {
		list = append(list, a.series...)
	}
	return list, countIn(seq, list)
}

// countIn puts the repetitions into the series that has the most complete ones, of equals the deepest.
func countIn(seq keypoint.Sequence, list []Series) error {
	best, most := -1, analyze.Repetitions{}
	for k, s := range list {
		found, err := analyze.FindRepetitions(seq, s.Result, analyze.RepetitionOptions{})
		if err != nil {
			return err
		}
		if found.Complete > most.Complete || found.Complete == most.Complete && found.Depth.Mean > most.Depth.Mean {
			best, most = k, found
		}
	}
	if best >= 0 {
		list[best].Repetitions = &most
	}
	return nil
}
