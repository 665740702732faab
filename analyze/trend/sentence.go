package trend

import (
	_ "embed"
	"math"
	"slices"

	"github.com/bodymotion/motion/say"
)

//go:embed texts.json
var textsFile []byte

var texts = say.Open(textsFile)

func (t *Trend) sentence() say.Text {
	switch {
	case !slices.ContainsFunc(t.Sessions, func(s Session) bool { return s.Value.Present }):
		return texts.Say("none")
	case t.Change == nil:
		return texts.Say("one")
	}
	name, changed, counts := say.Of(string(t.Side), string(t.Measure)).Title(), t.changed(), texts.Say("alike")
	if !t.Change.Alike {
		counts = texts.Say("differently")
	}
	switch {
	case !t.SmallestChange.Present:
		return texts.Say("unknown", name, changed)
	case t.Change.Real:
		return texts.Say("real", name, changed, counts, t.CountsFrom())
	}
	return texts.Say("notReal", name, changed, counts, t.CountsFrom())
}

func (t *Trend) amount(v float64) say.Amount { return say.Measured(string(t.Measure), v, 0, t.Unit) }

// CountsFrom is SmallestChange as it is written: rounded so that it stays on its side of the change.
func (t *Trend) CountsFrom() say.Amount {
	step := t.amount(0).Step()
	if t.Change != nil && t.Change.Real {
		return t.amount(math.Floor(t.SmallestChange.X/step+1e-9) * step)
	}
	return t.amount(math.Ceil(t.SmallestChange.X/step-1e-9) * step)
}

// changed says by how much the last value differs from the first.
func (t *Trend) changed() say.Text {
	step := t.amount(0).Step()
	size := math.Round(math.Abs(t.Change.Amount)/step) * step
	if !t.Change.Real && t.SmallestChange.Present {
		size = min(size, t.CountsFrom().Value-step)
	}
	switch {
	case size <= 0:
		return texts.Say("same")
	case t.Change.Amount < 0:
		return texts.Say("less", t.amount(size))
	}
	return texts.Say("more", t.amount(size))
}
