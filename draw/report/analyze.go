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
	r.Gait, r.Jumps = nil, nil
	if seq.Times != nil {
		opt := gait.Options{Curves: gait.LegAngles()}
		if r.Quality != nil {
			opt.Quality = r.Quality.Warnings
		}
		g, err := gait.Analyze(seq, opt)
		if err != nil {
			return err
		}
		frames := 0
		for _, pass := range g.Passes {
			frames += pass.Last - pass.First + 1
		}
		if len(g.Cycles) > 1 && 2*frames >= seq.Len() {
			r.Gait = &g
		} else if r.Jumps, err = jump.Analyze(seq); err != nil {
			return err
		}
	}
	var err error
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
		if t.Points() == 0 {
			rules = append(rules, analyze.Rule{Type: t, Symmetry: t.Sided()})
		}
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		return nil, err
	}
	var list []Series
	fromSide := seenFromSide(seq)
	for k, r := range results {
		s := Series{rules[k], r}
		covered := slices.ContainsFunc(s.sides(), func(r *analyze.Result) bool { return r.Coverage >= leastCoverage })
		if covered && !(fromSide && s.Rule.Plane() == quality.Frontal) {
			list = append(list, s)
		}
	}
	if seq.Len() == 1 {
		return list, nil
	}
	moves := func(s Series) float64 { return rangeOf(s.livelier()) }
	slices.SortStableFunc(list, func(a, b Series) int { return cmp.Compare(math.Round(moves(b)), math.Round(moves(a))) })
	for k, s := range list {
		if k == mostAngles || k > 0 && moves(s) < leastRange {
			return list[:k], nil
		}
	}
	return list, nil
}

// sides returns the result, and that of the other side if there is one.
func (s *Series) sides() []*analyze.Result {
	if both := s.Result.Symmetry; both != nil {
		return []*analyze.Result{&s.Result, &both.OtherSide}
	}
	return []*analyze.Result{&s.Result}
}

// rangeOf returns the difference between the greatest and the least value.
func rangeOf(r *analyze.Result) float64 {
	low, high, _, _ := extent(r.Values)
	return high - low
}

// livelier returns the result of the side that moves more.
func (s *Series) livelier() *analyze.Result {
	return slices.MaxFunc(s.sides(), func(a, b *analyze.Result) int { return cmp.Compare(rangeOf(a), rangeOf(b)) })
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

// count puts repetitions into the series whose values, of the side that moves more, have the most complete
// ones. Those that are less than half as deep as the deepest do not count, and of equals the first in
// the table of types is taken. What they are counted in comes first.
func count(seq keypoint.Sequence, list []Series) error {
	found, deepest, best := make([]analyze.Repetitions, len(list)), 0.0, -1
	for k := range list {
		for _, direction := range []analyze.Direction{"", analyze.Falls} { // who begins bent, as on a chair, extends first
			r, err := analyze.FindRepetitions(seq, *list[k].livelier(), analyze.RepetitionOptions{Direction: direction})
			if err != nil {
				return err
			}
			if r.Complete > found[k].Complete {
				found[k] = r
			}
		}
		deepest = max(deepest, found[k].Depth.Mean)
	}
	order := func(k int) int { return slices.Index(analyze.Types(), list[k].Rule.Type) }
	for k, r := range found {
		clear := r.Complete > 0 && r.Depth.Mean >= deepest/2
		if clear && (best < 0 || cmp.Or(cmp.Compare(r.Complete, found[best].Complete), order(best)-order(k)) > 0) {
			best = k
		}
	}
	if best >= 0 {
		list[best].livelier().Repetitions = &found[best]
		counted := list[best]
		copy(list[1:best+1], list[:best])
		list[0] = counted
	}
	return nil
}
