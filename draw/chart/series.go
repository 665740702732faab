package chart

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/analyze"
)

// Series is the result of one analysis of one recording. All series of a chart must have
// the same unit, and either all or none have times.
type Series struct {
	Name   string          // in the legend; "" means the Result's Side or Name, if the title does not say it
	Result analyze.Result  // its Type, Values and Movie are drawn
	Times  []float64       // seconds, increasing, one for each value; nil numbers the frames from 0
	Unit   string          // on the y axis; "" means the unit of Result.Type
	Cycles []analyze.Cycle // repetitions, such as analyze.Repetitions.Cycles
	Levels []Level         // horizontal lines in addition to that of Result.Movie

	// Band is a mean repetition or stride: if it has a Mean, this is drawn over 0 to 100 % of the cycle,
	// with one standard deviation on either side, instead of the Values, Movie and Times of the recording.
	// Either all series of a chart have one, or none.
	Band analyze.Band
}

// Level is a value marked by a horizontal line across the chart, such as a statistic or a
// limit.
type Level struct {
	Name  string
	Value float64 // in the unit of the series
}

// unitWords spells out the units of analyze.
var unitWords = strings.NewReplacer("px", "pixels", "m", "metres", "°", "degrees", "/s", " per second")

// unit returns the unit of the series for the axis, and its sign behind a number.
func (s *Series) unit() (name, sign string) {
	if s.Unit != "" {
		return s.Unit, " " + s.Unit
	}
	sign = cmp.Or(s.Result.Unit, s.Result.Type.Unit())
	if name = unitWords.Replace(sign); !strings.HasPrefix(sign, "°") {
		sign = " " + sign
	}
	return name, sign
}

// pair reports whether the values of the series are points.
func (s *Series) pair() bool { return s.Result.Type.Pair() }

// cyclic reports whether the values start again after a full turn.
func (s *Series) cyclic() bool { return s.Unit == "" && s.Result.Type.Cyclic() }

// banded reports whether the series is a mean cycle.
func (s *Series) banded() bool { return s.Band.Mean != nil }

// values returns what the line shows.
func (s *Series) values() []analyze.Value {
	if s.banded() {
		return s.Band.Mean
	}
	return s.Result.Values
}

// x returns the position of a frame, or a point of the mean cycle, on the x axis.
func (s *Series) x(frame int) float64 {
	if s.banded() {
		return 100 * float64(frame) / float64(max(len(s.Band.Mean)-1, 1))
	}
	if s.Times == nil {
		return float64(frame)
	}
	return s.Times[frame]
}

// levels returns the horizontal lines of the series, and notes for statistics that are not
// positions on the axis.
func (s *Series) levels() (lines []Level, notes []string) {
	if m := s.Result.Movie; m != nil && m.Value.Present && !s.banded() {
		name := string(m.Statistic)
		if m.Target != "" && m.Target != analyze.AllValues {
			name = fmt.Sprintf("%s (%s)", name, m.Target)
		}
		add := func(name string, v float64) {
			switch m.Statistic {
			case analyze.Range, analyze.StandardDeviation:
				_, sign := s.unit()
				notes = append(notes, name+" "+number(v)+sign)
			default:
				lines = append(lines, Level{name, v})
			}
		}
		if s.pair() {
			add(name+" x", m.Value.X)
			add(name+" y", m.Value.Y)
		} else {
			add(name, m.Value.X)
		}
	}
	return append(lines, s.Levels...), notes
}

// number writes a value with about four significant digits.
func number(v float64) string {
	decimals := 0
	switch a := max(v, -v); {
	case a < 1:
		decimals = 3
	case a < 10:
		decimals = 2
	case a < 1000:
		decimals = 1
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if f, err := strconv.ParseFloat(text, 64); err == nil && f == 0 {
		return "0"
	}
	return text
}
