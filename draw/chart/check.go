package chart

import (
	"fmt"

	"github.com/bodymotion/motion/keypoint"
)

// Limits of what is drawn.
const (
	maxSeries = 6
	maxLevels = 20   // of one series
	maxNumber = 1e12 // absolute value of values and times
)

// sound reports whether a number can be drawn: neither NaN nor huge.
func sound(v float64) bool { return v >= -maxNumber && v <= maxNumber }

// check reports invalid series as a keypoint.ErrInvalid.
func check(series []Series) error {
	if len(series) == 0 || len(series) > maxSeries {
		return fmt.Errorf("%w chart: %d series, want 1 to %d", keypoint.ErrInvalid, len(series), maxSeries)
	}
	values := 0
	for i := range series {
		s := &series[i]
		if err := s.check(); err != nil {
			return fmt.Errorf("%w chart: series %d: %w", keypoint.ErrInvalid, i, err)
		}
		if (s.Times == nil) != (series[0].Times == nil) {
			return fmt.Errorf("%w chart: of series 0 and %d only one has times, want both or none", keypoint.ErrInvalid, i)
		}
		unit, _ := s.unit()
		if first, _ := series[0].unit(); unit != first {
			return fmt.Errorf("%w chart: series %d is in %s and series 0 in %s, want one unit", keypoint.ErrInvalid, i, unit, first)
		}
		if s.banded() != series[0].banded() {
			return fmt.Errorf("%w chart: of series 0 and %d only one has a Band, want both or none", keypoint.ErrInvalid, i)
		}
		for _, v := range s.values() {
			if v.Present {
				values++
			}
		}
	}
	if values == 0 {
		return fmt.Errorf("%w chart: no frame has a value", keypoint.ErrInvalid)
	}
	return nil
}

func (s *Series) check() error {
	if t := s.Result.Type; t.Unit() == "" && (t != "" || s.Unit == "") {
		return fmt.Errorf("the type of the result is %q, want one of analyze, or none and a Unit", t)
	}
	if err := checkText("Name", s.Name); err != nil {
		return err
	}
	if err := checkText("Unit", s.Unit); err != nil {
		return err
	}
	values := s.Result.Values
	if s.Times != nil && len(s.Times) != len(values) {
		return fmt.Errorf("%d times for %d values, want one a value or none", len(s.Times), len(values))
	}
	for i, t := range s.Times {
		if !sound(t) {
			return fmt.Errorf("time of frame %d is %v, want seconds from %g to %g", i, t, -maxNumber, maxNumber)
		}
		if i > 0 && t <= s.Times[i-1] {
			return fmt.Errorf("time of frame %d is %v s, not after the %v s of the frame before", i, t, s.Times[i-1])
		}
	}
	for i, v := range values {
		if v.Present && (!sound(v.X) || s.pair() && !sound(v.Y)) {
			return fmt.Errorf("value of frame %d is (%v, %v), want numbers from %g to %g", i, v.X, v.Y, -maxNumber, maxNumber)
		}
	}
	if err := s.checkCycles(); err != nil {
		return err
	}
	if err := s.checkBand(); err != nil {
		return err
	}
	if len(s.Levels) > maxLevels {
		return fmt.Errorf("%d levels, want at most %d", len(s.Levels), maxLevels)
	}
	levels, _ := s.levels()
	for _, l := range levels {
		if !sound(l.Value) {
			return fmt.Errorf("level %q is %v, want a number from %g to %g", l.Name, l.Value, -maxNumber, maxNumber)
		}
		if err := checkText("the name of a level", l.Name); err != nil {
			return err
		}
	}
	if m := s.Result.Movie; m != nil && !s.banded() && m.Time.Present && !sound(m.Time.X) {
		return fmt.Errorf("time of the extreme is %v, want seconds from %g to %g", m.Time.X, -maxNumber, maxNumber)
	}
	return nil
}

func (s *Series) checkCycles() error {
	for i, c := range s.Cycles {
		if c.Start < 0 || c.Turn < c.Start || c.End < c.Turn || c.End >= len(s.Result.Values) {
			return fmt.Errorf("cycle %d goes from frame %d over %d to %d, want three in order of the %d there are",
				i, c.Start, c.Turn, c.End, len(s.Result.Values))
		}
		if !sound(c.From) || !sound(c.At) || !sound(c.To) {
			return fmt.Errorf("cycle %d goes from %v over %v to %v, want numbers from %g to %g",
				i, c.From, c.At, c.To, -maxNumber, maxNumber)
		}
	}
	return nil
}
