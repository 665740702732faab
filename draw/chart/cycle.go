package chart

import (
	"image/color"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// shades draws the spans of the repetitions of a series in the background, and their
// numbers above the chart. If several series have repetitions, the spans are drawn behind
// the numbers only, so that they do not overlap.
type shades struct {
	series *Series
	color  color.NRGBA
	text   text.Style
	row    int // of its numbers above the chart, 0 is the lowest
	alone  bool
}

// rowOfNumbers is the height of a row of numbers, in ems.
const rowOfNumbers = 1.1

// counted returns the number of series with repetitions.
func counted(series []Series) int {
	n := 0
	for i := range series {
		n += min(len(series[i].Cycles), 1)
	}
	return n
}

// Plot implements plot.Plotter.
func (p shades) Plot(c draw.Canvas, plt *plot.Plot) {
	toX, _ := plt.Transforms(&c)
	for i, cycle := range p.series.Cycles {
		x0, x1 := toX(p.series.x(cycle.Start)), toX(p.series.x(cycle.End))
		opacity := uint8(0x2C)
		if i%2 == 1 {
			opacity = 0x16 // to distinguish neighbours
		}
		y0, y1 := c.Min.Y, c.Max.Y
		if !p.alone {
			y0 += y1 - y0 + rowOfNumbers*vg.Length(p.row)*p.text.Font.Size
			y1 = y0 + 0.95*rowOfNumbers*p.text.Font.Size
			opacity *= 3
		}
		c.FillPolygon(veil(p.color, opacity), []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
		sty, name := p.text, strconv.Itoa(i+1)
		if sty.Width(name)+4*px > x1-x0 {
			continue
		}
		sty.XAlign = draw.XCenter
		write(c, sty, vg.Point{X: (x0 + x1) / 2, Y: c.Max.Y + (0.18+rowOfNumbers*vg.Length(p.row))*sty.Font.Size}, name)
	}
}

// dots marks the ends and turning points of repetitions, and the maximum or minimum of a
// statistic.
type dots struct {
	series        *Series
	color, ground color.Color
	width         vg.Length
}

// Plot implements plot.Plotter.
func (p dots) Plot(c draw.Canvas, plt *plot.Plot) {
	toX, toY := plt.Transforms(&c)
	radius := 1.2*p.width + 1.4*px
	mark := func(x, y float64, hollow bool) {
		at := vg.Point{X: toX(x), Y: toY(y)}
		if !hollow {
			disc(c, at, radius+px, p.ground)
			disc(c, at, radius, p.color)
			return
		}
		disc(c, at, radius, p.color)
		disc(c, at, radius-max(0.6*p.width, px), p.ground)
	}
	for _, cycle := range p.series.Cycles {
		mark(p.series.x(cycle.Start), cycle.From, true)
		mark(p.series.x(cycle.End), cycle.To, true)
	}
	for _, cycle := range p.series.Cycles {
		mark(p.series.x(cycle.Turn), cycle.At, false)
	}
	if m := p.series.Result.Movie; m != nil && !p.series.banded() && m.Value.Present && m.Time.Present && p.series.Times != nil && !p.series.pair() {
		if t := m.Time.X; t >= plt.X.Min && t <= plt.X.Max {
			mark(t, m.Value.X, false)
		}
	}
}
