package chart

import (
	"image"
	"math"
	"slices"

	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/internal/text"
)

// Strip is the chart of a part of a recording that lies below a row of pictures and shares their axis of time. It has no
// title and no legend.
type Strip struct {
	Width, Height int     // pixels
	Left          int     // pixels of Width before the plot, for the numbers of its axis
	From, To      float64 // seconds at the left and the right end of the plot
	Marks         []int   // frames with a dot, the value beside it, and a line upwards
	Scale         float64 // pixels of a unit; text is 9.5 units high
	Dark          bool    // light lines on almost black
}

// Image draws the values between From and To, with the area of their uncertainty. A series without times or without a
// value in between is a keypoint.ErrInvalid, as are invalid arguments.
func (o Strip) Image(s Series) (image.Image, error) {
	s.Repetitions, s.Result.Movie = nil, nil
	s.Result.Values = slices.Clone(s.Result.Values)
	if s.Times == nil || len(s.Times) != len(s.Result.Values) || s.banded() || s.Result.Type.Pair() {
		return nil, invalid("a strip needs a number and a time for each frame")
	}
	for i, t := range s.Times {
		if !(t >= o.From && t <= o.To) {
			s.Result.Values[i] = analyze.Value{}
		}
	}
	list := []Series{s}
	if err := check(list, ""); err != nil {
		return nil, err
	}
	for k, i := range o.Marks {
		if i < 0 || i >= len(s.Times) {
			return nil, invalid("Marks[%d] is %d, want 0 to %d", k, i, len(s.Times)-1)
		}
	}
	f := &figure{scale: o.Scale, left: float64(o.Left) / o.Scale, top: 6, bottom: 6, dark: o.Dark}
	f.width, f.height = float64(o.Width)/o.Scale-f.left, float64(o.Height)/o.Scale-f.top-f.bottom
	sane := o.Left >= 0 && o.Scale > 0 && !math.IsInf(o.Scale, 0) && sound(o.From) && sound(o.To)
	if !(sane && f.width >= 4*em && f.height >= 2*em && o.Width <= maxSide && o.Height <= maxSide && o.To > o.From) {
		return nil, invalid("a strip of %d×%d pixels at a scale of %v from %v to %v s leaves no room", o.Width, o.Height, o.Scale, o.From, o.To)
	}
	f.face, f.bold = text.NewFace(goregular.TTF, em*f.scale), text.NewFace(gomedium.TTF, titleEm*f.scale)
	f.values(list)
	f.xs = scale{o.From, o.To, f.width}
	f.trace(list)
	for k, i := range o.Marks {
		x := f.xs.at(s.Times[i])
		f.marks = append(f.marks, x)
		v, next := s.Result.Values[i], s.Result.Values[o.Marks[min(k+1, len(o.Marks)-1)]]
		if !v.Present {
			continue
		}
		d := dot{x: x, y: f.ys.at(v.X), class: classes(list)[0]}
		l := label{text: quantity(v.X, s.unit()), x: x + 6, y: d.y - 6}
		if s.unit() == "°" {
			l.text = text.Fixed(v.X, 0) + "°"
		}
		if next.Present && f.ys.at(next.X) < d.y-em { // which the line would cross
			l.x, l.anchor = x-6, "end"
		}
		f.dots, f.labels = append(f.dots, d), append(f.labels, l)
	}
	return f.picture()
}
