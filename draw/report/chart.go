package report

import (
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/draw/chart"
)

// figure is a chart of one number of both sides, with its name and legend.
type figure struct {
	Name   string
	Note   string
	Foot   string
	SVG    markup
	Legend []legend
}

// legend explains a line.
type legend struct{ Class, Text string }

// How many charts a report has, and one that has more on its first page.
const (
	mostCharts = 6
	mostBeside = 3
)

// charts draws the charts of the report: of the strides of a gait, of what differs from another recording, or of each value over time.
func (p *page) charts() error {
	switch g := p.r.Gait; {
	case p.r.Sequence.Duration() == 0:
		return nil
	case p.r.Comparison != nil:
		return p.comparedCharts()
	case g != nil && len(g.Curves) > 0:
		return p.strides()
	}
	p.ChartsNote = p.partText()
	most := mostCharts
	if p.course() {
		most = mostBeside
	}
	for _, g := range p.all {
		var list []chart.Series
		for _, c := range g.sides {
			list = append(list, p.seriesOf(c))
		}
		if p.main != nil {
			list[0].Repetitions = p.main.Result.Repetitions.List
		}
		if err := p.chart(g.name, list, most); err != nil {
			return err
		}
	}
	return nil
}

func (p *page) seriesOf(c *curve) chart.Series {
	r := analyze.Result{Type: c.Result.Type, Side: c.Result.Side, Unit: c.unit, Values: c.values, Uncertainty: c.sigmas}
	if c.axis != "" {
		r.Type = ""
	}
	return chart.Series{Result: r, Times: p.r.Sequence.Times}
}

// chart adds a chart, if it shows a value and there are fewer than most.
func (p *page) chart(name string, list []chart.Series, most int) error {
	c, found := figure{Name: name}, false
	for _, s := range list {
		values := s.Result.Values
		if s.Band != nil {
			values = s.Band.Mean
		}
		found = found || slices.ContainsFunc(values, func(v analyze.Value) bool { return v.Present })
		if side := s.Result.Side; side != "" && !s.Dashed && p.r.Comparison == nil {
			c.Legend = append(c.Legend, legend{string(side), p.sideName(side)})
		}
	}
	if !found || len(p.Charts) == most {
		return nil
	}
	svg, err := chart.Inline(list, name)
	c.SVG = markup(svg)
	p.Charts = append(p.Charts, c)
	return err
}

// strides draws the mean and the deviation of each value over the strides of each side.
func (p *page) strides() error {
	var curves [][]gait.Curve // those of both sides together
	for _, c := range p.r.Gait.Curves {
		k := slices.IndexFunc(curves, func(known []gait.Curve) bool {
			return known[0].Type == c.Type && p.strideName(known[0]) == p.strideName(c)
		})
		if k < 0 {
			k = len(curves)
			curves = append(curves, nil)
		}
		curves[k] = append(curves[k], c)
	}
	counts := map[analyze.Side]int{}
	for _, sides := range curves {
		var list []chart.Series
		for _, c := range sides {
			list = append(list, chart.Series{Result: analyze.Result{Side: c.Side, Unit: c.Unit}, Band: &c.Band})
			counts[c.Side] = max(counts[c.Side], c.Count)
		}
		if err := p.chart(p.strideName(sides[0]), list, mostCharts); err != nil {
			return err
		}
	}
	if len(p.Charts) > 0 {
		p.ChartsNote = p.in(texts.Say("cycleAxis", counts[analyze.LeftSide], counts[analyze.RightSide]))
		if text := p.partText(); text != "" {
			p.ChartsNote += " · " + text
		}
	}
	return nil
}

// strideName names the curve of a gait without its side, as the group of its series, if there is one.
func (p *page) strideName(c gait.Curve) string {
	of := &curve{Series: Series{Rule: analyze.Rule{Type: c.Type}, Result: analyze.Result{Type: c.Type, Name: c.Name, Side: c.Side}}}
	for _, s := range p.curves {
		if s.Result.Name == c.Name {
			of = s
		}
	}
	return p.nameOf(of, false)
}
