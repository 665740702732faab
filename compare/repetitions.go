package compare

import (
	"fmt"

	"github.com/bodymotion/motion/keypoint"
)

// Span is a part of a recording: frames First to Last, inclusive, such as Start and End of a
// repetition found by analyze.Cycles.
type Span struct{ First, Last int }

// Repetitions compares each repetition of the target with its twin, the repetition of the source
// of the same number, stretched over its time. A source of one repetition is the template of all.
// It returns one result per pair, as many as the shorter list has; repetitions without a twin are
// left out. Spans outside the recordings are a keypoint.ErrInvalid; errors of Diff name the
// repetition.
func Repetitions(source keypoint.Sequence, sources []Span, target keypoint.Sequence, targets []Span, opt Options) ([]Result, error) {
	n := min(len(sources), len(targets))
	if len(sources) == 1 {
		n = len(targets)
	}
	results := make([]Result, n)
	for i := range results {
		twin := sources[min(i, len(sources)-1)]
		s, err := cut(source, twin)
		if err != nil {
			return nil, fmt.Errorf("repetition %d of the source: %w", i, err)
		}
		t, err := cut(target, targets[i])
		if err == nil {
			results[i], err = Diff(s, t, opt)
		}
		if err != nil {
			return nil, fmt.Errorf("repetition %d: %w", i, err)
		}
	}
	return results, nil
}

// cut returns a part of a recording.
func cut(s keypoint.Sequence, x Span) (keypoint.Sequence, error) {
	if x.First < 0 || x.Last < x.First || x.Last >= s.Len() {
		return s, fmt.Errorf("%w span: frames %d to %d of %d", keypoint.ErrInvalid, x.First, x.Last, s.Len())
	}
	return s.Slice(x.First, x.Last), nil
}
