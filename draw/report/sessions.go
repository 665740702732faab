package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

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
