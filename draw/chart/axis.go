package chart

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"github.com/bodymotion/motion/draw/internal/axis"
)

// span is a range on an axis.
type span struct{ low, high float64 }

func (s *span) add(v float64) { s.low, s.high = min(s.low, v), max(s.high, v) }

// widen returns the range, at least wide enough for distinct tick labels, with a margin
// on either side that is a share of its width.
func (s span) widen(margin float64) span {
	least := max(math.Abs(s.low), math.Abs(s.high), 1) * 1e-6
	if s.low == s.high {
		least = max(least, 1)
	}
	if d := s.high - s.low; d < least {
		s.low, s.high = s.low-(least-d)/2, s.high+(least-d)/2
	}
	d := (s.high - s.low) * margin
	return span{s.low - d, s.high + d}
}

// ranges returns the ranges of the axes.
func ranges(series []Series) (x, y span) {
	x = span{math.Inf(1), math.Inf(-1)}
	y = x
	for i := range series {
		s := &series[i]
		values := s.values()
		if n := len(values); n > 0 {
			x.add(s.x(0))
			x.add(s.x(n - 1))
		}
		for i, v := range values {
			if v.Present {
				y.add(v.X)
				if d := s.deviation(i); d.Present {
					y.add(v.X - d.X)
					y.add(v.X + d.X)
				}
				if s.pair() {
					y.add(v.Y)
				}
			}
		}
		levels, _ := s.levels()
		for _, l := range levels {
			y.add(l.Value)
		}
		for _, c := range s.Cycles {
			y.add(c.From)
			y.add(c.At)
			y.add(c.To)
		}
	}
	return x.widen(0), y.widen(0.06)
}

// ticks marks an axis in steps of 1, 2 or 5 times a power of ten.
type ticks struct {
	most    int  // ticks
	degrees bool // steps of 15, 30, 45, 90, 180 and 360 instead of 20, 50, 100 and more
	whole   bool // no step below 1
}

// Ticks implements plot.Ticker.
func (t ticks) Ticks(low, high float64) []plot.Tick {
	step := t.step(high - low)
	decimals := axis.Decimals(step)
	var marks []plot.Tick
	first := math.Ceil(low/step - 1e-9)
	for i := 0.0; ; i++ {
		v := (first + i) * step
		if v > high+step*1e-9 {
			return marks
		}
		if v == 0 {
			v = 0 // no minus sign on a zero
		}
		marks = append(marks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', decimals, 64)})
	}
}

// step returns the smallest step that makes at most t.most ticks.
func (t ticks) step(width float64) float64 {
	least := width / float64(max(t.most, 1))
	if t.whole {
		least = max(least, 1)
	}
	if t.degrees {
		return axis.Step(least, 15, 30, 45, 90, 180, 360)
	}
	return axis.Step(least)
}
