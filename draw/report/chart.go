package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
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

// mostSessions is how many recordings the chart of a trend has room for.
const mostSessions = 12

// sessions draws the trends: the first value, about which the smallest real change lies, and the last recordings.
func (p *page) sessions() (f figure, err error) {
	list := slices.Clone(p.r.Trend)
	if len(list) == 0 {
		return f, nil
	}
	var bands []say.Text
	for i := range list {
		t := &list[i]
		first := slices.IndexFunc(t.Sessions, func(s trend.Session) bool { return s.Value.Present })
		if from := len(t.Sessions) - mostSessions; first >= 0 && first < from {
			t.Sessions = append([]trend.Session{t.Sessions[first]}, t.Sessions[from+1:]...)
		} else if from > 0 {
			t.Sessions = t.Sessions[from:]
		}
		if least := t.SmallestChange; least.Present {
			band := say.Text{say.English: "± " + t.CountsFrom().In(p.lang)}
			if len(list) > 1 {
				band = say.Text{say.English: p.letter(string(t.Side)) + " " + p.in(band)}
			}
			bands = append(bands, band)
		}
		if len(list) > 1 || t.Side != "" {
			f.Legend = append(f.Legend, legend{string(t.Side), p.sideName(t.Side)})
		}
	}
	f.Name = p.in(texts.Say("sessions"))
	of := &list[0]
	statistic := cmp.Or(of.Statistic, trend.Statistics()[0])
	if !slices.Contains(trend.Statistics(), statistic) {
		return f, fmt.Errorf("trend: %w report: the statistic %q, want one of %v", keypoint.ErrInvalid, statistic, trend.Statistics())
	}
	f.Note = p.in(texts.Say("trend."+string(statistic), say.Name(string(of.Measure))))
	if p.r.Zone == nil {
		f.Note += " · UTC"
	}
	if len(bands) > 0 {
		f.Foot = p.in(texts.Say("band", say.List(bands...)))
	}
	svg, err := chart.InlineTrend(list, chart.TrendOptions{Options: chart.Options{Title: f.Name + ": " + f.Note}, Language: p.lang, Zone: p.r.Zone})
	f.SVG = markup(svg)
	return f, err
}
