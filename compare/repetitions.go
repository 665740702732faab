package compare

import (
	"fmt"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// Repetition is a repetition of the target and its twin, the repetition of the source of the same number.
type Repetition struct {
	Source keypoint.Span `json:"source"`
	Target keypoint.Span `json:"target"`
	Score  *Score        `json:"score"` // nil if no part could be compared
}

// twins compares the complete repetitions of a rule's values. In time they are stretched over each
// other, or warped.
func twins(source, target keypoint.Sequence, opt Options) ([]Repetition, error) {
	sources, err := complete(source, *opt.Repetitions)
	if err != nil {
		return nil, err
	}
	targets, err := complete(target, *opt.Repetitions)
	if err != nil {
		return nil, err
	}
	n := min(len(sources), len(targets))
	if opt.Alignment == Offset {
		opt.Alignment = Linear
	}
	opt.Repetitions, opt.Angles, opt.Mirror = nil, false, false // target is mirrored already
	list := make([]Repetition, n)
	results, err := Repetitions(source, sources[:n], target, targets[:n], opt)
	for i, r := range results {
		list[i] = Repetition{sources[i], targets[i], r.Score}
	}
	return list, err
}

// complete returns the complete repetitions of a recording; a picture has none.
func complete(seq keypoint.Sequence, rule analyze.Rule) (list []keypoint.Span, err error) {
	if seq.Times == nil {
		return nil, nil
	}
	found, err := analyze.RunRepetitions(seq, rule)
	if err != nil {
		return nil, err
	}
	for _, r := range found.List {
		if r.Complete {
			list = append(list, keypoint.Span{First: r.Start.Frame, Last: r.End.Frame})
		}
	}
	return list, nil
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
