package chart

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/bodymotion/motion/keypoint"
)

// Limits of what is drawn.
const (
	maxSeries           = 6
	maxText             = 200  // characters
	maxNumber           = 1e12 // absolute value of values and times
	minWidth, minHeight = 160, 100
	maxSide             = 8192 // pixels
)

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w chart: %w", keypoint.ErrInvalid, fmt.Errorf(format, args...))
}

// sound reports whether a number can be drawn: neither NaN nor huge.
func sound(v float64) bool { return v >= -maxNumber && v <= maxNumber }

// check reports invalid series and titles as a keypoint.ErrInvalid.
func check(series []Series, title string) error {
	if len(series) == 0 || len(series) > maxSeries {
		return invalid("%d series, want 1 to %d", len(series), maxSeries)
	}
	if err := checkText("Title", title); err != nil {
		return invalid("%w", err)
	}
	found, first := false, &series[0]
	for i := range series {
		s := &series[i]
		err := s.check()
		switch {
		case err != nil:
			return invalid("series %d: %w", i, err)
		case (s.Times == nil) != (first.Times == nil):
			return invalid("of series 0 and %d only one has times, want both or none", i)
		case s.unit() != first.unit():
			return invalid("series %d is in %s and series 0 in %s, want one unit", i, s.unit(), first.unit())
		case s.banded() != first.banded():
			return invalid("of series 0 and %d only one has a Band, want both or none", i)
		}
		for _, v := range s.values() {
			found = found || v.Present
		}
	}
	if !found {
		return invalid("no frame has a value")
	}
	return nil
}

func checkText(what, s string) error {
	if n := utf8.RuneCountInString(s); n > maxText {
		return fmt.Errorf("%s has %d characters, want at most %d", what, n, maxText)
	}
	for _, c := range s {
		if c == utf8.RuneError || !unicode.IsGraphic(c) {
			return fmt.Errorf("%s has the character %q, which cannot be drawn", what, c)
		}
	}
	return nil
}

func (s *Series) check() error {
	r := &s.Result
	if s.unit() == "" || r.Type != "" && r.Type.Unit() == "" {
		return fmt.Errorf("the type of the result is %q, want one of analyze, or none and a Unit", r.Type)
	}
	for _, t := range [][2]string{{"Name", s.Name}, {"Result.Name", r.Name}, {"Result.Unit", r.Unit}} {
		if err := checkText(t[0], t[1]); err != nil {
			return err
		}
	}
	if s.Times != nil && len(s.Times) != len(r.Values) {
		return fmt.Errorf("%d times for %d values, want one a value or none", len(s.Times), len(r.Values))
	}
	for i, t := range s.Times {
		if !sound(t) {
			return fmt.Errorf("time of frame %d is %v, want seconds from %g to %g", i, t, -maxNumber, maxNumber)
		}
		if i > 0 && t <= s.Times[i-1] {
			return fmt.Errorf("time of frame %d is %v s, not after the %v s of the frame before", i, t, s.Times[i-1])
		}
	}
	for i, v := range r.Values {
		if v.Present && (!sound(v.X) || r.Type.Pair() && !sound(v.Y)) {
			return fmt.Errorf("value of frame %d is (%v, %v), want numbers from %g to %g", i, v.X, v.Y, -maxNumber, maxNumber)
		}
	}
	for i, one := range s.Repetitions {
		if one.Start.Frame < 0 || one.End.Frame < one.Start.Frame || one.End.Frame >= len(r.Values) {
			return fmt.Errorf("repetition %d goes from frame %d to %d, want two in order of the %d there are", i, one.Start.Frame, one.End.Frame, len(r.Values))
		}
	}
	if name, v, _, ok := s.statistic(); ok && (!sound(v.X) || !sound(v.Y)) {
		return fmt.Errorf("the %s of the values is %v, want a number from %g to %g", name, v.X, -maxNumber, maxNumber)
	}
	if s.banded() && len(s.Repetitions) > 0 {
		return fmt.Errorf("it has a Band and %d repetitions, want one or the other", len(s.Repetitions))
	}
	if s.banded() && r.Type.Pair() {
		return fmt.Errorf("it has a Band and points of a %s, want numbers", r.Type)
	}
	if !s.banded() {
		return nil
	}
	for i, v := range s.Band.Mean {
		if d := s.deviation(i); v.Present && !sound(v.X) || d.Present && !(d.X >= 0 && sound(d.X)) {
			return fmt.Errorf("point %d of the Band is %v ± %v, want numbers from %g to %g", i, v.X, d.X, -maxNumber, maxNumber)
		}
	}
	return nil
}
