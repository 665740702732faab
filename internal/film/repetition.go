package film

import (
	"fmt"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// Repetition returns the frames of a repetition, counted from 1, in the values of a rule. A number
// beyond those that the recording has is a keypoint.ErrInvalid.
func Repetition(s keypoint.Sequence, of analyze.Rule, number int) (keypoint.Span, error) {
	if of.Repetitions == nil {
		of.Repetitions = &analyze.RepetitionOptions{}
	}
	results, err := analyze.Run(s, []analyze.Rule{of})
	if err != nil {
		return keypoint.Span{}, err
	}
	found := results[0].Repetitions.List
	if n := len(found); number > n {
		return keypoint.Span{}, fmt.Errorf("%w repetition: number %d of a recording with %d", keypoint.ErrInvalid, number, n)
	}
	r := found[number-1]
	return keypoint.Span{First: r.Start, Last: r.End}, nil
}
