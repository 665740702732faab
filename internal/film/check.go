package film

import (
	"fmt"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// CheckValues reports, as keypoint.FieldErrors, mistakes in rules whose values are written beside the
// joints.
func CheckValues(rules []analyze.Rule, movie bool) error {
	for i, r := range rules {
		if r.Movie != nil {
			return keypoint.FieldErrors{{Pointer: fmt.Sprintf("/%d/movieOption", i), Detail: "has no place here: every frame shows its own value"}}
		}
	}
	if rules != nil && len(rules) == 0 {
		return keypoint.FieldErrors{{Detail: "is empty: want at least one rule"}}
	}
	return analyze.Check(rules, movie)
}

// CheckRepetition reports, as keypoint.FieldErrors, what Repetition cannot find.
func CheckRepetition(of analyze.Rule, number int) error {
	switch {
	case number < 1:
		return keypoint.FieldErrors{{Pointer: "/number", Detail: fmt.Sprintf("is %d, want 1 or more", number)}}
	case of.Type.Pair() || of.Movie != nil:
		return keypoint.FieldErrors{{Pointer: "/of", Detail: "has points or a statistic: want a rule whose values are numbers"}}
	}
	if errs, ok := analyze.Check([]analyze.Rule{of}, true).(keypoint.FieldErrors); ok {
		for _, e := range errs {
			e.Pointer = "/of" + e.Pointer
		}
		return errs
	}
	return nil
}
