package chart

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// px is one pixel: 1/96 of an inch, as in CSS.
const px = vg.Inch / 96

// curve draws the lines of a series.
type curve struct {
	series *Series
	color  color.Color
	width  vg.Length
}

// dashes is the pattern of the second line of a coordinate.
func dashes(width vg.Length) []vg.Length { return []vg.Length{4 * width, 2.5 * width} }

// Plot implements plot.Plotter.
func (p curve) Plot(c draw.Canvas, plt *plot.Plot) {
	sty := draw.LineStyle{Color: p.color, Width: p.width}
	p.line(c, plt, sty, func(i int) float64 { return p.series.values()[i].X })
	if p.series.pair() {
		sty.Dashes = dashes(p.width)
		p.line(c, plt, sty, func(i int) float64 { return p.series.values()[i].Y })
	}
}

// line draws one number of each value, with gaps for absent values.
func (p curve) line(c draw.Canvas, plt *plot.Plot, sty draw.LineStyle, get func(int) float64) {
	toX, toY := plt.Transforms(&c)
	var run []vg.Point
	flush := func() {
		switch len(run) {
		case 0:
		case 1:
			disc(c, run[0], max(p.width, 1.6*px), p.color)
		default:
			c.StrokeLines(sty, thin(run))
		}
		run = run[:0]
	}
	for i, v := range p.series.values() {
		if !v.Present {
			flush()
			continue
		}
		if len(run) > 0 && p.series.cyclic() && math.Abs(get(i)-get(i-1)) > 180 {
			flush()
		}
		run = append(run, vg.Point{X: toX(p.series.x(i)), Y: toY(get(i))})
	}
	flush()
}

// thin keeps the first, the lowest, the highest and the last point in each column of
// pixels, which looks the same.
func thin(run []vg.Point) []vg.Point {
	column := func(p vg.Point) float64 { return math.Floor(float64(p.X / px)) }
	if width := column(run[len(run)-1]) - column(run[0]) + 1; float64(len(run)) <= 4*width {
		return run
	}
	var kept []vg.Point
	for from := 0; from < len(run); {
		low, high, to := from, from, from
		for ; to < len(run) && column(run[to]) == column(run[from]); to++ {
			if run[to].Y < run[low].Y {
				low = to
			}
			if run[to].Y > run[high].Y {
				high = to
			}
		}
		keep := []int{from, low, high, to - 1}
		slices.Sort(keep)
		for _, i := range slices.Compact(keep) {
			kept = append(kept, run[i])
		}
		from = to
	}
	return kept
}

// disc fills a circle.
func disc(c draw.Canvas, at vg.Point, radius vg.Length, clr color.Color) {
	c.DrawGlyph(draw.GlyphStyle{Color: clr, Radius: radius, Shape: draw.CircleGlyph{}}, at)
}
