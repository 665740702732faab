package chart_test

import (
	"errors"
	"image/color"
	"testing"

	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/keypoint"
)

// TestStrip: the plot ends where the picture ends, values outside are left out, and what cannot be drawn is refused.
func TestStrip(t *testing.T) {
	s := squats(180, 105, 0)
	o := chart.Strip{Width: 700, Height: 200, Left: 60, From: 1, To: 3, Marks: []int{30, 60, 89}, Scale: 1}
	m, err := o.Image(s)
	if err != nil || m.Bounds().Dx() != 700 || m.Bounds().Dy() != 200 {
		t.Fatalf("%v, %v", m.Bounds(), err)
	}
	inked := func(x int) (n int) {
		for y := range 200 {
			if c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA); int(c.B) > int(c.R)+30 {
				n++
			}
		}
		return n
	}
	if inked(62) == 0 || inked(697) == 0 || inked(50) != 0 {
		t.Errorf("coloured pixels at the left end %d, the right end %d, and before the plot %d", inked(62), inked(697), inked(50))
	}
	untimed := s
	untimed.Times = nil
	for name, c := range map[string]struct {
		of     chart.Series
		change func(*chart.Strip)
	}{
		"no times": {untimed, func(*chart.Strip) {}}, "a mean": {strides("left", 0), func(*chart.Strip) {}},
		"nothing there": {s, func(o *chart.Strip) { o.From, o.To = 7, 8 }}, "turned round": {s, func(o *chart.Strip) { o.From, o.To = 3, 1 }},
		"a mark outside": {s, func(o *chart.Strip) { o.Marks = []int{180} }}, "no room": {s, func(o *chart.Strip) { o.Left = 690 }},
		"no scale": {s, func(o *chart.Strip) { o.Scale = 0 }},
	} {
		x := o
		c.change(&x)
		if _, err := x.Image(c.of); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
