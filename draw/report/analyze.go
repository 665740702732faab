package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Limits of Analyze.
const (
	leastCoverage = 0.3
	mostAngles    = 4
	leastRange    = 10.0 // degrees
)

// Analyze fills in Series, Gait and Jumps as a report of keypoints alone shows them: the steps, if the
// person walks or runs in at least half of the recording, else the jumps, else the repetitions; and named
// angles. Errors are those of package analyze.
func (r *Report) Analyze() error {
	seq := r.Sequence
	g, err := gait.Analyze(seq, gait.Options{})
	if err != nil {
		return err
	}
	r.Gait, r.Jumps = nil, nil
	frames := 0
	for _, pass := range g.Passes {
		frames += pass.Last - pass.First + 1
	}
	if len(g.Cycles) > 1 && 2*frames >= seq.Len() {
		r.Gait = &g
	} else if r.Jumps, err = jump.Analyze(seq); err != nil {
		return err
	}
	if r.Series, err = angles(seq); err != nil || r.Gait != nil || len(r.Jumps) > 0 {
		return err
	}
	return count(seq, r.Series)
}

// angles returns the named angles that a report of keypoints shows, of both sides where there are two:
// the four that move most among those that at least 30 % of the frames show, without those of the frontal
// plane if the person is seen from the side. An image has all angles that it shows.
func angles(seq keypoint.Sequence) ([]Series, error) {
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
	var moving []angle
	fromSide := seenFromSide(seq)
	for k, r := range results {
		low, high, _, _ := (&curve{values: r.Values}).extent()
		if r.Coverage < leastCoverage || fromSide && (r.Type == analyze.ShoulderAbduction || r.Type == analyze.PelvicTilt) {
			continue
		}
		s := Series{Rule: rules[k], Result: r}
		if n := len(moving) - 1; n >= 0 && moving[n].series[0].Rule.Type == r.Type {
			moving[n].series = append(moving[n].series, s)
			moving[n].moves = max(moving[n].moves, high-low)
			continue
		}
		moving = append(moving, angle{[]Series{s}, high - low})
	}
	if seq.Len() > 1 {
		slices.SortStableFunc(moving, func(a, b angle) int { return cmp.Compare(math.Round(b.moves), math.Round(a.moves)) })
		for k, a := range moving {
			if k == mostAngles || k > 0 && a.moves < leastRange {
				moving = moving[:k]
				break
			}
		}
	}
	var list []Series
	for _, a := range moving {
		list = append(list, a.series...)
	}
	return list, nil
}

// seenFromSide reports whether most frames see the person more from the side than from the front or from
// behind.
func seenFromSide(seq keypoint.Sequence) bool {
	views, side := quality.NewUncertainty(seq).Views, 0
	for i := range seq.Frames {
		if v, ok := views.View(i); ok && v > 45 && v < 135 {
			side++
		}
	}
	return 2*side > seq.Len()
}

// count puts the repetitions into the series that has the most complete ones. Those that are less than
// half as deep as the deepest do not count, and of equals the first in the table of types is taken. What they are counted in comes first.
func count(seq keypoint.Sequence, list []Series) error {
	found := make([]analyze.Repetitions, len(list))
	deepest := 0.0
	for k, s := range list {
		var err error
		if found[k], err = analyze.FindRepetitions(seq, s.Result, analyze.RepetitionOptions{}); err != nil {
			return err
		}
		deepest = max(deepest, found[k].Depth.Mean)
	}
	best := -1
	order := func(k int) int { return slices.Index(analyze.Types(), list[k].Rule.Type) }
	for k, r := range found {
		if r.Complete == 0 || r.Depth.Mean < deepest/2 {
			continue
		}
		if best < 0 || r.Complete > found[best].Complete || r.Complete == found[best].Complete && order(k) < order(best) {
			best = k
		}
	}
	if best >= 0 {
		list[best].Repetitions = &found[best]
		counted := list[best].Rule.Type
		slices.SortStableFunc(list, func(a, b Series) int {
			return cmp.Compare(btoi(b.Rule.Type == counted), btoi(a.Rule.Type == counted))
		})
	}
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
