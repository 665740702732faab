package chart

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/bodymotion/motion/keypoint"
)

// layout is a chart ready for drawing: from top to bottom the title, the rows of the
// legend, and the plot with the labels of levels on its right.
type layout struct {
	opt     Options
	palette palette
	title   text.Style
	legend  legend
	gutter  gutter
	plot    *plot.Plot
	em      vg.Length
	above   vg.Length // height of title and legend
}

// edge is the margin around the chart.
func (l *layout) edge() vg.Length { return 0.6 * l.em }

// arrange validates the arguments and lays out the chart.
func arrange(series []Series, opt Options) (*layout, error) {
	opt, err := opt.complete()
	if err != nil {
		return nil, err
	}
	if err := check(series); err != nil {
		return nil, err
	}
	series, opt.Title = named(series, opt.Title)
	h := handler()
	l := &layout{opt: opt, palette: opt.Theme.palette(), em: vg.Length(opt.FontSize) * px}
	l.palette.series = l.palette.colors(series)
	line := vg.Length(opt.LineWidth) * px
	words := style(h, l.em, l.palette.ink)
	l.title = style(h, 1.2*l.em, l.palette.ink)
	l.legend = legend{entries(series, l.palette), words, line}
	l.gutter = gutter{marks: marks(series, l.palette), text: words, width: max(0.6*line, px)}
	w, height := l.size()
	l.gutter.room = l.gutter.need(w)
	if opt.Title != "" {
		l.above = 1.9 * l.em
	}
	_, rows := l.legend.place(w - 2*l.edge())
	l.above += vg.Length(rows) * l.legend.row()
	l.above += vg.Length(counted(series)) * l.em * rowOfNumbers
	l.build(series, words, line)
	data := l.plot.DataCanvas(l.part(draw.NewCanvas(nil, w, height)))
	if !(data.Max.X-data.Min.X >= 4*l.em) || !(data.Max.Y-data.Min.Y >= 3*l.em) { // NaN if even labels do not fit
		return nil, fmt.Errorf("%w chart: %d×%d pixels leave no room beside title, legend and labels of %g pixels",
			keypoint.ErrInvalid, opt.Width, opt.Height, opt.FontSize)
	}
	return l, nil
}

// part returns the part of the canvas for the plot.
func (l *layout) part(c draw.Canvas) draw.Canvas {
	return draw.Crop(c, l.edge(), -l.edge()-l.gutter.room, l.edge(), -l.edge()-l.above)
}

// build creates the plot.
func (l *layout) build(series []Series, words text.Style, line vg.Length) {
	p := plot.New()
	p.TextHandler = words.Handler
	p.Title.TextStyle.Handler = words.Handler
	p.Legend.TextStyle.Handler = words.Handler
	p.BackgroundColor = nil
	x, y := ranges(series)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.low, x.high, y.low, y.high
	unit, _ := series[0].unit()
	p.X.Label.Text, p.Y.Label.Text = "frame", unit
	switch {
	case series[0].banded():
		p.X.Label.Text = "% of the cycle"
	case series[0].Times != nil:
		p.X.Label.Text = "time (s)"
	}
	w, h := l.size()
	perTick := max(6*l.em, 1.6*(words.Width(number(x.high))+l.em))
	p.X.Tick.Marker = ticks{most: int((w - l.gutter.room) / perTick), whole: series[0].Times == nil || series[0].banded()}
	p.Y.Tick.Marker = ticks{most: int((h - l.above - 4*l.em) / (1.9 * l.em)), degrees: unit == "degrees"}
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Color, a.Width, a.Padding = l.palette.ink, px, 0
		a.Tick.Color, a.Tick.Width, a.Tick.Length = l.palette.ink, px, 0.35*l.em
		for _, s := range []*text.Style{&a.Label.TextStyle, &a.Tick.Label} {
			s.Handler, s.Color = words.Handler, l.palette.ink
			s.Font = sans(l.em)
		}
		a.Label.Padding = 0.2 * l.em
	}
	row, rows := 0, counted(series)
	for i := range series {
		if len(series[i].Cycles) == 0 {
			continue
		}
		p.Add(shades{&series[i], l.palette.series[i], words, row, rows == 1})
		row++
	}
	grid := plotter.NewGrid()
	for _, g := range []*draw.LineStyle{&grid.Horizontal, &grid.Vertical} {
		*g = draw.LineStyle{Color: veil(l.palette.ink, 0x20), Width: px}
	}
	p.Add(grid)
	for i := range series {
		p.Add(band{&series[i], l.palette.series[i]})
	}
	p.Add(l.gutter)
	for i := range series {
		p.Add(curve{&series[i], l.palette.series[i], line})
	}
	for i := range series {
		p.Add(dots{&series[i], l.palette.series[i], l.palette.ground, line})
	}
	l.plot = p
}

// draw draws the chart on a canvas of its size.
func (l *layout) draw(c draw.Canvas) {
	c.SetColor(l.palette.ground)
	c.Fill(c.Rectangle.Path())
	inner := draw.Crop(c, l.edge(), -l.edge(), l.edge(), -l.edge())
	if t := l.opt.Title; t != "" {
		write(c, l.title, vg.Point{X: inner.Min.X, Y: inner.Max.Y - 1.2*l.em}, fit(l.title, t, inner.Max.X-inner.Min.X))
		inner.Max.Y -= 1.9 * l.em
	}
	l.legend.draw(inner)
	l.plot.Draw(l.part(c))
}
