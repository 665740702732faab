package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/keypoint"
)

// other names the recording that this one is compared with.
func (p *page) other() string { return cmp.Or(p.r.Comparison.Title, p.W.other) }

// leadComparison says first what differs most.
func (p *page) leadComparison(l *lead) {
	res := p.r.Comparison.Result
	said := func(d compare.AngleDifference) string { return d.Sentence[p.W.Lang] }
	switch {
	case len(res.Largest) > 0:
		l.Title = said(res.Largest[0])
	case slices.ContainsFunc(res.Warnings, func(w compare.Warning) bool { return w.Code == compare.CodeNotTheSame }):
		l.Title = p.W.notTheSame
	default:
		l.Title = p.W.nothingShared
	}
	l.say(p.W.comparedWith, p.other())
	for _, w := range res.Warnings {
		l.add(true, w.Sentence[p.W.Lang])
	}
	for _, d := range res.Largest[min(1, len(res.Largest)):min(3, len(res.Largest))] {
		l.add(true, said(d)+p.W.stop)
	}
	if n := len(res.Repetitions); n > 0 {
		l.say(p.W.twins, n)
		l.show(p.W.Repetitions, fmt.Sprint(n))
	}
	if here, there := p.r.Sequence.Duration(), p.r.Comparison.Target.Duration(); here > 0 && there > 0 {
		l.say(p.W.durations, seconds(here), seconds(there))
	}
	if res.Score != nil {
		l.show(p.W.Score, score(res.Score.Overall, true, "").Text)
		l.add(true, p.W.scoreSentence)
	}
}

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

// signed writes a difference in degrees.
func signed(degrees float64) string {
	switch text := number(math.Abs(degrees), "°"); {
	case text == "0°":
		return text
	case degrees < 0:
		return "−" + text
	default:
		return "+" + text
	}
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
		p.ChartsNote = fmt.Sprintf(p.W.dashed, p.other())
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
func (p *page) angleOf(d compare.AngleDifference) string { return text.Upper(p.W.Lang.Of(d.Angle)) }

// comparedTables returns the tables of the comparison.
func (p *page) comparedTables() (list []table) {
	res := p.r.Comparison.Result
	if len(res.Repetitions) > 0 {
		list = append(list, p.twinTable())
		if t, ok := p.repetitionTable(); ok {
			list = append(list, t)
		}
	}
	if len(res.Largest) > 0 {
		t := table{Title: p.W.AngleDifference, Note: fmt.Sprintf(p.W.minus, p.other()),
			Head: []string{p.W.Angle, p.W.Difference, "±", p.W.Here, p.W.There, p.W.Time}}
		for _, d := range res.Largest {
			t.Rows = append(t.Rows, row{Name: p.angleOf(d), Cells: []cell{difference(d), {Text: number(math.Ceil(d.Uncertainty), "°")},
				{Text: number(d.Source, "°")}, {Text: number(d.Target, "°")}, {Text: p.timeOf(d.Frame)}}})
		}
		list = append(list, t)
	}
	if res.Score != nil {
		t := table{Title: p.W.PartScore, Note: p.W.scoreNote, Head: []string{p.W.Part, p.W.Left, p.W.Right}}
		for part := range keypoint.Part(keypoint.NumParts) {
			if part > part.Mirror() {
				continue
			}
			left, ok := res.Score.Parts[part]
			right, also := res.Score.Parts[part.Mirror()]
			if !ok && !also {
				continue
			}
			cells := []cell{score(left, ok, "l"), score(right, also, "r")}
			if part == part.Mirror() {
				cells = []cell{score(left, ok, ""), {}}
			}
			t.Rows = append(t.Rows, row{Name: text.Upper(p.W.Lang.Part(part)), Cells: cells})
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
	t := table{Title: p.W.Twins, Note: fmt.Sprintf(p.W.twinsNote, p.other()), Head: []string{p.W.Number, p.W.Here, p.W.There, p.W.Score}}
	for _, d := range res.Largest[:min(besideTwins, len(res.Largest))] {
		t.Head = append(t.Head, p.angleOf(d))
	}
	for k, one := range res.Repetitions {
		s := cell{Text: dash}
		if one.Score != nil && len(res.Warnings) == 0 {
			s = score(one.Score.Overall, true, "")
		}
		r := row{Name: fmt.Sprint(k + 1), Cells: []cell{{Text: spanOf(p.r.Sequence, one.Source)}, {Text: spanOf(p.r.Comparison.Target, one.Target)}, s}}
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
	if math.Abs(d.Difference) > d.Uncertainty {
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

// score writes a score of 0 to 1 as 0 to 100.
func score(v float64, ok bool, class string) cell {
	if !ok {
		return cell{Text: dash}
	}
	return cell{Text: text.Fixed(100*v, 0), Class: class}
}
