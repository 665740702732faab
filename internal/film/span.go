package film

import (
	"fmt"
	"sort"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
)

// Between returns the frames of a recording with times from one number of seconds to another; to 0
// means to the end. A span without frames is a keypoint.ErrInvalid.
func Between(s keypoint.Sequence, from, to float64) (compare.Span, error) {
	const slack = 1e-6 // times are written with six decimals
	span := compare.Span{First: sort.SearchFloat64s(s.Times, from-slack), Last: s.Len() - 1}
	if to > 0 {
		span.Last = sort.SearchFloat64s(s.Times, to+slack) - 1
	}
	if len(s.Times) == 0 || span.First > span.Last {
		where := fmt.Sprintf("at %g s or later", from)
		if to > 0 {
			where = fmt.Sprintf("between %g s and %g s", from, to)
		}
		return span, fmt.Errorf("%w part of the recording: no frame is %s, and the last one is at %.3g s", keypoint.ErrInvalid, where, s.Duration())
	}
	return span, nil
}

// Repetition returns the frames of a repetition, counted from 1, in the values of a rule. A number
// beyond those that the recording has is a keypoint.ErrInvalid.
func Repetition(s keypoint.Sequence, of analyze.Rule, number int) (compare.Span, error) {
	if of.Repetitions == nil {
		of.Repetitions = &analyze.RepetitionOptions{}
	}
	results, err := analyze.Run(s, []analyze.Rule{of})
	if err != nil {
		return compare.Span{}, err
	}
	found := results[0].Repetitions.List
	if n := len(found); number > n {
		return compare.Span{}, fmt.Errorf("%w repetition: number %d of a recording with %d", keypoint.ErrInvalid, number, n)
	}
	r := found[number-1]
	return compare.Span{First: r.Start, Last: r.End}, nil
}
