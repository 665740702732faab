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
		member := ""
		switch {
		case r.Movie != nil:
			member = "movieOption"
		case r.Repetitions != nil:
			member = "repetitions"
		case r.Symmetry:
			member = "symmetry"
		}
		if member != "" {
			place := fmt.Sprintf("/%d/", i)
			if b, err := analyze.MarshalRules(rules); err == nil && b[0] == '{' {
				place = "/" // it was read from a single object
			}
			return keypoint.FieldErrors{{Pointer: place + member, Detail: "has no place here: every frame shows its own value"}}
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
	case of.Type.Pair() || of.Movie != nil || of.Symmetry:
		return keypoint.FieldErrors{{Pointer: "/of", Detail: "has points, a statistic or two sides: want a rule whose values are one number a frame"}}
	}
	if errs, ok := analyze.Check([]analyze.Rule{of}, true).(keypoint.FieldErrors); ok {
		for _, e := range errs {
			e.Pointer = "/of" + e.Pointer
		}
		return errs
	}
	return nil
}
