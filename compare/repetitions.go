package compare

import (
	"fmt"
	"math"
	"sort"

	"github.com/bodymotion/motion/keypoint"
)

// Repetition is a repetition of the target, or a stride, and its twin, that of the source of the same number.
type Repetition struct {
	Source keypoint.Span `json:"source"`
	Target keypoint.Span `json:"target"`
	Score  *Score        `json:"score"` // nil if no part could be compared
	// At has the differences of the angles at the turning points; nil of strides and without Options.Angles.
	At []AngleDifference `json:"at,omitzero"`
}

// twins returns the cycles that are laid on each other: the first on the first. A repetition has no twin among strides.
func twins(source, target []cycle) (pairs [][2]cycle) {
	for k := range min(len(source), len(target)) {
		if len(source[k].marks) != len(target[k].marks) {
			return nil
		}
		pairs = append(pairs, [2]cycle{source[k], target[k]})
	}
	return pairs
}

// lay aligns twins by their moments: where they start, turn and end. Between repetitions people rest, so that the rest is
// stretched over that of the other; before the first, and after the last up to one without a twin, seconds are compared
// with seconds. What is no stride has no counterpart among strides.
func (p *pair) lay() alignment {
	n := len(p.twins)
	var marks [2][]float64 // of source and target, in order
	var stop [2]float64    // where the first cycle without a twin begins
	for k, cycles := range [][]cycle{p.s.cycles, p.t.cycles} {
		at := math.Inf(-1)
		for _, c := range cycles[:n] {
			for _, v := range c.marks {
				at = max(at, v)
				marks[k] = append(marks[k], at)
			}
		}
		if stop[k] = math.Inf(1); len(cycles) > n {
			stop[k] = cycles[n].marks[0]
		}
	}
	strides, per := p.twins[0][0].turn < 0, len(p.twins[0][0].marks)
	a := alignment{positions: make([]position, p.s.seq.Len())}
	s, t := marks[0], marks[1]
	for i, x := range p.s.seq.Times {
		k := sort.Search(len(s), func(k int) bool { return s[k] > x })
		var at float64
		switch {
		case x > s[len(s)-1] && x >= stop[0] || strides && k%per == 0:
			at = math.Inf(1)
		case k == 0:
			at = t[0] - (s[0] - x)
		case k == len(s):
			at = t[k-1] + (x - s[k-1])
			if at >= stop[1] {
				at = math.Inf(1)
			}
		default:
			at = t[k-1] + (t[k]-t[k-1])*(x-s[k-1])/(s[k]-s[k-1])
		}
		a.positions[i] = atTime(p.t.seq.Times, at)
	}
	return a
}

// repetitions compares the twins with each other.
func (p *pair) repetitions(frames []Frame) []Repetition {
	list := make([]Repetition, len(p.twins))
	for k, twin := range p.twins {
		r := &list[k]
		r.Source, r.Target = twin[0].span(p.s.seq.Times), twin[1].span(p.t.seq.Times)
		r.Score = p.compare(r.Source.First, r.Source.Last, frames)
	}
	return list
}

// Repetitions compares each repetition of the target with its twin, the repetition of the source
// of the same number, stretched over its time. A source of one repetition is the template of all.
// It returns one result per pair, as many as the shorter list has; repetitions without a twin are
// left out. Spans outside the recordings are a keypoint.ErrInvalid; errors of Diff name the
// repetition.
func Repetitions(source keypoint.Sequence, sources []keypoint.Span, target keypoint.Sequence, targets []keypoint.Span, opt Options) ([]Result, error) {
	n := min(len(sources), len(targets))
	if len(sources) == 1 {
		n = len(targets)
	}
	results := make([]Result, n)
	for i := range results {
		twin := sources[min(i, len(sources)-1)]
		s, err := source.Cut(twin)
		if err != nil {
			return nil, fmt.Errorf("repetition %d of the source: %w", i, err)
		}
		t, err := target.Cut(targets[i])
		if err == nil {
			results[i], err = Diff(s, t, opt)
		}
		if err != nil {
			return nil, fmt.Errorf("repetition %d: %w", i, err)
		}
	}
	return results, nil
}
