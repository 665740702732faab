package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/draw/chart"
)

// mostSessions is how many recordings the chart of a trend has room for.
const mostSessions = 12

// sessions draws the trends: the first value, about which the smallest real change lies, and the last recordings.
func (p *page) sessions() (f figure, err error) {
	list := slices.Clone(p.r.Trend)
	if len(list) == 0 {
		return f, nil
	}
	var bands sentences
	for i := range list {
		t := &list[i]
		first := slices.IndexFunc(t.Sessions, func(s trend.Session) bool { return s.Value.Present })
		if from := len(t.Sessions) - mostSessions; first >= 0 && first < from {
			t.Sessions = append([]trend.Session{t.Sessions[first]}, t.Sessions[from+1:]...)
		} else if from > 0 {
			t.Sessions = t.Sessions[from:]
		}
		if least := t.SmallestChange; least.Present {
			side := ""
			if len(list) > 1 {
				side = p.W.letter(string(t.Side)) + " "
			}
			bands = append(bands, side+"± "+p.quantity(counts(t), t.Unit))
		}
		if len(list) > 1 || t.Side != "" {
			f.Legend = append(f.Legend, legend{string(t.Side), p.W.sideName(t.Side)})
		}
	}
	f.Name = p.W.Sessions
	of := &list[0]
	f.Note = fmt.Sprintf(p.W.trendOf[of.Statistic], p.W.Lang.Of(string(of.Measure)))
	if p.r.Zone == nil {
		f.Note += " · UTC"
	}
	if len(bands) > 0 {
		f.Foot = fmt.Sprintf(p.W.band, p.W.listOf(bands))
	}
	svg, err := chart.InlineTrend(list, chart.TrendOptions{Options: chart.Options{Title: f.Name + ": " + f.Note}, Language: p.W.Lang, Zone: p.r.Zone})
	f.SVG = markup(svg)
	return f, err
}

// counts returns from where on a change counts, rounded as the sentence about it does.
func counts(t *trend.Trend) float64 {
	step := 100.0
	if t.Unit == "°" {
		step = 1
	}
	if t.Change != nil && t.Change.Real {
		return math.Floor(t.SmallestChange.X*step+1e-9) / step
	}
	return math.Ceil(t.SmallestChange.X*step-1e-9) / step
}
