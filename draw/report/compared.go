package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

// other names the recording that this one is compared with.
func (p *page) other() string { return cmp.Or(p.r.Comparison.Title, p.in(texts.Say("other"))) }

// told returns the differences that pictures show: at most three: of each repetition the largest at the turning
// point, then the largest of all at other times.
func (p *page) told() (list []compare.AngleDifference) {
	res := p.r.Comparison.Result
	for _, r := range res.Repetitions {
		if len(r.At) > 0 {
			list = append(list, slices.MaxFunc(r.At, func(a, b compare.AngleDifference) int {
				return cmp.Compare(math.Abs(a.Difference), math.Abs(b.Difference))
			}))
		}
	}
	for _, d := range res.Largest {
		if !slices.ContainsFunc(list, func(o compare.AngleDifference) bool { return o.Frame == d.Frame }) {
			list = append(list, d)
		}
	}
	return list[:min(len(list), mostShots)]
}

func degrees(v float64) string { return bare(say.Amount{Value: v, Unit: "°"}) }

func signed(v float64) string {
	if text := degrees(v); v > 0 && text != "0°" {
		return "+" + text
	}
	return degrees(v)
}

// comparedCharts draws the angles that differ most in both recordings, the other one dashed.
func (p *page) comparedCharts() error {
	res := p.r.Comparison.Result
	for _, d := range res.Largest {
		here, there := p.curveOf(d), res.Angles[slices.IndexFunc(res.Angles, func(a compare.Angle) bool { return a.Name() == d.Angle })]
		if here == nil {
			continue
		}
		both := []chart.Series{p.seriesOf(here), p.seriesOf(here)}
		values := make([]analyze.Value, len(here.values))
		for i, v := range here.values {
			if v.Present && there.Values[i].Present {
				values[i] = analyze.Value{X: v.X + there.Values[i].X, Present: true}
			}
		}
		both[1].Result.Values, both[1].Dashed = values, true
		if err := p.chart(p.angleOf(d), both, 4); err != nil {
			return err
		}
		p.ChartsNote = p.in(texts.Say("dashed", p.other()))
	}
	return nil
}

// curveOf returns the curve of the report that shows an angle, nil if none does.
func (p *page) curveOf(d compare.AngleDifference) *curve {
	for _, c := range p.curves {
		if a := (compare.Angle{Type: c.Result.Type, Side: c.Result.Side}); a.Name() == d.Angle {
			return c
		}
	}
	return nil
}

// angleOf names an angle with its side: "Left knee flexion".
func (p *page) angleOf(d compare.AngleDifference) string { return p.in(say.Name(d.Angle).Title()) }

func (p *page) comparedTables() (list []table) {
	res := p.r.Comparison.Result
	if len(res.Repetitions) > 0 {
		list = append(list, p.twinTable())
		if t, ok := p.repetitionTable(); ok {
			list = append(list, t)
		}
	}
	if len(res.Largest) > 0 {
		t := table{Title: p.in(texts.Say("differences")), Note: p.in(texts.Say("minus", p.other()))}
		t.Head = p.heads(texts.Say("angle"), texts.Say("difference"), say.Text{say.English: "±"}, texts.Say("here"), texts.Say("there"), texts.Say("at"))
		for _, d := range res.Largest {
			sigma := strings.TrimPrefix(say.Amount{Sigma: d.Uncertainty, Unit: "°"}.PlusMinus(), "± ") + "°"
			t.Rows = append(t.Rows, row{Name: p.angleOf(d), Cells: []cell{
				difference(d), {Text: sigma}, {Text: degrees(d.Source)}, {Text: degrees(d.Target)}, {Text: p.timeOf(d.Frame)}}})
		}
		list = append(list, t)
	}
	return list
}

// besideTwins is how many angles stand beside each repetition.
const besideTwins = 3

// twinTable returns the repetitions with their twins in the other recording, and what differs most at their turns.
func (p *page) twinTable() table {
	res := p.r.Comparison.Result
	t := table{Title: p.in(texts.Say("twins")), Note: p.in(texts.Say("twins.note", p.other())), Head: p.heads(texts.Say("no"), texts.Say("here"), texts.Say("there"))}
	for _, d := range res.Largest[:min(besideTwins, len(res.Largest))] {
		t.Head = append(t.Head, p.angleOf(d))
	}
	for k, one := range res.Repetitions {
		r := row{Name: fmt.Sprint(k + 1), Cells: []cell{{Text: spanOf(p.r.Sequence, one.Source)}, {Text: spanOf(p.r.Comparison.Target, one.Target)}}}
		for _, d := range res.Largest[:min(besideTwins, len(res.Largest))] {
			c := cell{Text: dash}
			for _, at := range one.At {
				if at.Angle == d.Angle {
					c = difference(at)
				}
			}
			r.Cells = append(r.Cells, c)
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// difference writes a difference, bold if it is beyond its uncertainty.
func difference(d compare.AngleDifference) cell {
	c := cell{Text: signed(d.Difference)}
	if d.Sure {
		c.Class = "b"
	}
	return c
}

// spanOf writes a span of a recording in seconds, or in frames without times.
func spanOf(seq keypoint.Sequence, s keypoint.Span) string {
	if s.First < 0 || s.Last >= len(seq.Times) || s.First > s.Last {
		return fmt.Sprintf("%d–%d", s.First, s.Last)
	}
	return seconds(seq.Times[s.First]) + "–" + seconds(seq.Times[s.Last])
}
