package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/draw/internal/axis"
)

// chart is a chart of one number of both sides, in units of its viewBox.
type chart struct {
	Name          string
	Lines         []line
	Ticks         []tick // values, from the bottom
	Marks         []tick // time or share of the stride, from the left
	Spans         []span // repetitions
	Legend        []legend
	Width, Height float64
}

// line is a line of a chart; Area is the band of one standard deviation around it.
type line struct {
	Class, Path, Area string
}

// tick is a place on an axis with its text.
type tick struct {
	At   float64
	Text string
}

// span is a repetition in a chart.
type span struct {
	X, Width float64
	Number   int
	Flag     bool
}

// legend explains a line.
type legend struct{ Class, Text string }

const (
	chartWidth, chartHeight = 300.0, 82.0
	mostCharts              = 6
)

// charts returns the charts of the report.
func (p *page) charts() (list []*chart) {
	if p.r.Comparison != nil {
		return p.comparedCharts()
	}
	if p.r.Sequence.Duration() == 0 {
		return nil
	}
	if p.r.Gait != nil && len(p.r.Gait.Curves) > 0 {
		return p.strides()
	}
	p.ChartsNote = p.partText()
	for _, g := range p.all {
		if c := p.course(g); c != nil && len(list) < mostCharts {
			list = append(list, c)
		}
	}
	return list
}

// course draws the values of a group over time.
func (p *page) course(g *group) *chart {
	a := p.axes(p.r.Sequence.Times)
	for _, c := range g.sides {
		a.include(c.values)
	}
	if !a.found {
		return nil
	}
	c := a.chart(g.name, g.sides[0].unit)
	for _, s := range g.sides {
		c.Lines = append(c.Lines, line{Class: class(s), Path: a.path(s.values, s.Result.Type.Cyclic())})
		c.Legend = append(c.Legend, p.legendOf(s.Result.Side)...)
	}
	if _, main := p.main(); main != nil {
		for k, one := range main.Result.Repetitions.List {
			x := a.x(a.times[one.Start])
			c.Spans = append(c.Spans, span{x, a.x(a.times[one.End]) - x, k + 1, !one.Complete})
		}
	}
	return c
}

// strides draws the mean and the deviation of each value over the strides of each side.
func (p *page) strides() (list []*chart) {
	g := p.r.Gait
	var curves [][]gait.Curve // those of both sides together
	for _, c := range g.Curves {
		k := slices.IndexFunc(curves, func(known []gait.Curve) bool {
			return known[0].Type == c.Type && p.strideName(known[0]) == p.strideName(c)
		})
		if k < 0 {
			curves = append(curves, nil)
			k = len(curves) - 1
		}
		curves[k] = append(curves[k], c)
	}
	counts := map[analyze.Side]int{}
	for _, sides := range curves {
		a := p.axes(shares())
		for _, c := range sides {
			low, high := limits(c.Band)
			a.include(low)
			a.include(high)
			counts[c.Side] = max(counts[c.Side], c.Count)
		}
		if !a.found || len(list) == mostCharts {
			continue
		}
		drawn := a.chart(p.strideName(sides[0]), sides[0].Unit)
		for _, c := range sides {
			low, high := limits(c.Band)
			drawn.Lines = append(drawn.Lines, line{Class: string(c.Side), Path: a.path(c.Mean, false), Area: a.area(low, high)})
			drawn.Legend = append(drawn.Legend, p.legendOf(c.Side)...)
		}
		drawn.Marks = nil
		for share := 0.0; share <= 100; share += 25 {
			drawn.Marks = append(drawn.Marks, tick{a.x(share), fixed(share, 0) + " %"})
		}
		list = append(list, drawn)
	}
	if len(list) > 0 {
		p.ChartsNote = fmt.Sprintf(p.W.cycleAxis, counts[analyze.LeftSide], counts[analyze.RightSide])
		if text := p.partText(); text != "" {
			p.ChartsNote += " · " + text
		}
	}
	return list
}

// strideName names the curve of a gait without its side, as the group of its series, if there is one.
func (p *page) strideName(c gait.Curve) string {
	of := &curve{Series: Series{Rule: analyze.Rule{Type: c.Type}, Result: analyze.Result{Type: c.Type, Name: c.Name, Side: c.Side}}}
	for _, g := range p.all {
		for _, s := range g.sides {
			if s.Result.Name == c.Name {
				of = s
			}
		}
	}
	return p.nameOf(of, false)
}

// shares are the percentages of a stride at which a curve has its points.
func shares() []float64 {
	list := make([]float64, analyze.CurvePoints)
	for i := range list {
		list[i] = float64(i)
	}
	return list
}

// limits are the mean of a band minus and plus its deviation, or the mean if it has no deviation.
func limits(b analyze.Band) (low, high []analyze.Value) {
	low, high = slices.Clone(b.Mean), slices.Clone(b.Mean)
	for i := range low {
		if i < len(b.StandardDeviation) && low[i].Present {
			low[i].X -= b.StandardDeviation[i].X
			high[i].X += b.StandardDeviation[i].X
		}
	}
	return low, high
}

// class returns the class of a side, for its colour.
func class(c *curve) string {
	if c.Result.Side == "" {
		return "mid"
	}
	return string(c.Result.Side)
}

// legendOf explains the line of a side; nothing for a value without a side.
func (p *page) legendOf(side analyze.Side) []legend {
	switch side {
	case analyze.LeftSide:
		return []legend{{"left", p.W.Left}}
	case analyze.RightSide:
		return []legend{{"right", p.W.Right}}
	}
	return nil
}

// axes map times and values to the viewBox of a chart.
type axes struct {
	p         *page
	times     []float64
	low, high float64
	found     bool
}

func (p *page) axes(times []float64) *axes {
	return &axes{p: p, times: times, low: math.Inf(1), high: math.Inf(-1)}
}

// include widens the axis of values.
func (a *axes) include(values []analyze.Value) {
	for _, v := range values {
		if v.Present {
			a.low, a.high, a.found = min(a.low, v.X), max(a.high, v.X), true
		}
	}
}

// chart returns a chart with its ticks, after the last include.
func (a *axes) chart(name, unit string) *chart {
	c := &chart{Name: name, Width: chartWidth, Height: chartHeight}
	var degrees []float64
	if unit == "°" {
		degrees = []float64{15, 20, 30, 45, 60, 90}
	}
	step := axis.Step((a.high-a.low)/4, degrees...)
	places := axis.Decimals(step)
	first := math.Floor(a.low/step + 1e-9)
	last := max(first+1, math.Ceil(a.high/step-1e-9))
	a.low, a.high = first*step, last*step
	for k := first; k <= last; k++ {
		text := fixed(k*step, places)
		if unit == "°" {
			text += unit
		} else if k == last {
			text += " " + unit
		}
		c.Ticks = append(c.Ticks, tick{a.y(k * step), text})
	}
	from, to := a.times[0], a.times[len(a.times)-1]
	step = axis.Step((to - from) / 6)
	places = axis.Decimals(step)
	for k := math.Ceil(from/step - 1e-9); k*step <= to+step*1e-9; k++ {
		text := fixed(k*step, places)
		if len(c.Marks) == 0 {
			text += " s"
		}
		c.Marks = append(c.Marks, tick{a.x(k * step), text})
	}
	return c
}

func (a *axes) x(t float64) float64 {
	from, to := a.times[0], a.times[len(a.times)-1]
	return round1((t - from) / (to - from) * chartWidth)
}

func (a *axes) y(v float64) float64 { return round1((a.high - v) / (a.high - a.low) * chartHeight) }

func round1(v float64) float64 { return math.Round(v*10) / 10 }

// path returns the line through the values, with a gap where they are absent or start again after a turn.
func (a *axes) path(values []analyze.Value, cyclic bool) string {
	var b strings.Builder
	for i, v := range values {
		if !v.Present {
			continue
		}
		pen := 'L'
		if i == 0 || !values[i-1].Present || cyclic && math.Abs(v.X-values[i-1].X) > 180 {
			pen = 'M'
		}
		fmt.Fprintf(&b, "%c%g %g", pen, a.x(a.times[i]), a.y(v.X))
		if pen == 'M' && (i+1 == len(values) || !values[i+1].Present) {
			b.WriteString("h0") // a dot
		}
	}
	return b.String()
}

// area returns the outline between two lines; "" where a value is absent.
func (a *axes) area(low, high []analyze.Value) string {
	var b strings.Builder
	n := len(low)
	for k := range 2 * n {
		v, i := high, k
		if k >= n {
			v, i = low, 2*n-1-k
		}
		if !v[i].Present {
			return ""
		}
		pen := 'L'
		if k == 0 {
			pen = 'M'
		}
		fmt.Fprintf(&b, "%c%g %g", pen, a.x(a.times[i]), a.y(v[i].X))
	}
	return b.String() + "Z"
}
