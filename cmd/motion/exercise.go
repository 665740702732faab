package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// exerciseFlag adds the flag --exercise. chosen returns the exercise that it names, nil without.
func exerciseFlag(c *cobra.Command) (chosen func() (*exercise.Definition, error)) {
	names := exercise.Names()
	given := c.Flags().String("exercise", "", "judge repetitions by the targets of an exercise: "+strings.Join(names, ", ")+", or a file with one as JSON")
	complete(c, "exercise", names...)
	return func() (*exercise.Definition, error) {
		if *given == "" {
			return nil, nil
		}
		if d, ok := exercise.Shipped(*given); ok {
			return &d, nil
		}
		text, err := os.ReadFile(*given)
		if os.IsNotExist(err) {
			return nil, wrong("exercise", *given, append(names, "a file")...)
		}
		if err != nil {
			return nil, fmt.Errorf("--exercise: %w", err)
		}
		d, err := exercise.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("--exercise: %w", err)
		}
		return &d, nil
	}
}

// judge returns how an exercise was done in a movie that was studied; nil without an exercise, or of a picture.
func (j *job) judge(d *exercise.Definition, seq keypoint.Sequence, shown study.Study) (*exercise.Result, error) {
	if d == nil || j.still {
		return nil, nil
	}
	r, err := exercise.Judge(*d, seq, shown)
	return &r, err
}

// exerciseNumbers returns the numbers of an exercise for tables: how many repetitions miss no target, and those of a test.
func exerciseNumbers(r *exercise.Result) (list []value) {
	if r == nil {
		return nil
	}
	missed := func(one exercise.Repetition) bool { return one.Outcome == exercise.Missed }
	if len(r.Exercise.Targets) > 0 {
		n := len(r.Repetitions)
		if k := len(slices.DeleteFunc(slices.Clone(r.Repetitions), missed)); n > 0 {
			list = append(list, number("repetitions of "+r.Exercise.Name, "", float64(n)), number("without a missed target", "", float64(k)))
		}
	}
	for _, n := range r.Numbers {
		v := told(n.Name, n.Side, n.Unit, n.Value, n.Uncertainty)
		if v.Trust = quality.TrustGood; !n.Value.Present {
			v.Trust = quality.TrustWithheld
		}
		list = append(list, v)
	}
	return list
}
