package compare

import (
	"fmt"

	"github.com/bodymotion/motion/keypoint"
)

// Span is a part of a recording: frames First to Last, inclusive, such as Start and End of a
// repetition found by analyze.Cycles.
type Span struct{ First, Last int }

// Repetitions compares each repetition of the target with one repetition of the source, the
// template. It returns one result per span of the target. Spans outside the recordings are a
// keypoint.ErrInvalid; errors of Diff name the repetition.
func Repetitions(source keypoint.Sequence, template Span, target keypoint.Sequence, spans []Span, opt Options) ([]Result, error) {
	part := func(s keypoint.Sequence, x Span, name string) (keypoint.Sequence, error) {
		if x.First < 0 || x.Last < x.First || x.Last >= s.Len() {
			return s, fmt.Errorf("%w %s: frames %d to %d of %d", keypoint.ErrInvalid, name, x.First, x.Last, s.Len())
		}
		return s.Slice(x.First, x.Last), nil
	}
	pattern, err := part(source, template, "template")
	if err != nil {
		return nil, err
	}
	results := make([]Result, len(spans))
	for i, x := range spans {
		name := fmt.Sprintf("repetition %d", i)
		seq, err := part(target, x, name)
		if err != nil {
			return nil, err
		}
		if results[i], err = Diff(pattern, seq, opt); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return results, nil
}
