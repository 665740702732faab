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

// departure is how much an angle differs.
type departure struct {
	compare.Angle
	mean    float64 // of the magnitudes
	largest float64 // with its sign
	frame   int     // of the largest
}

// departures returns the angles that differ, the largest mean first.
func departures(angles []compare.Angle) (list []departure) {
	for _, a := range angles {
		d, n := departure{Angle: a}, len(numbers(a.Values))
		for i, v := range a.Values {
			if !v.Present {
				continue
			}
			d.mean += math.Abs(v.X)
			if math.Abs(v.X) > math.Abs(d.largest) {
				d.largest, d.frame = v.X, i
			}
		}
		if d.mean /= float64(n); n > 0 {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b departure) int { return cmp.Compare(b.mean, a.mean) })
	return list
}

// angleOf names a named angle with its side: "Left knee flexion".
func (p *page) angleOf(a compare.Angle) string {
	return text.Upper(p.W.side(a.Side) + p.W.Lang.Of(string(a.Type)))
}

// other names the recording that this one is compared with.
func (p *page) other() string { return cmp.Or(p.r.Comparison.Title, p.W.other) }

// mostDifferent returns the frame from first to last in which the parts are farthest apart, −1 if none
// is compared.
func (p *page) mostDifferent(first, last int) int {
	frame, farthest := -1, -1.0
	for i := first; i <= last; i++ {
		f := &p.r.Comparison.Result.Frames[i]
		sum, n := 0.0, 0.0
		for _, part := range f.Present().List() {
			d, _ := f.At(part)
			sum, n = sum+d.Distance, n+1
		}
		if n > 0 && sum/n > farthest {
			frame, farthest = i, sum/n
		}
	}
	return frame
}

// atFrame returns the angle that differs most in a frame; ok is false if none is known.
func (p *page) atFrame(i int) (a compare.Angle, degrees float64, ok bool) {
	for _, one := range p.r.Comparison.Result.Angles {
		if i < len(one.Values) && one.Values[i].Present && math.Abs(one.Values[i].X) >= math.Abs(degrees) {
			a, degrees, ok = one, one.Values[i].X, true
		}
	}
	return a, degrees, ok
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
	for _, d := range departures(p.r.Comparison.Result.Angles) {
		here := p.curveOf(d.Angle)
		if here == nil {
			continue
		}
		both := []chart.Series{p.seriesOf(here), p.seriesOf(here)}
		there := make([]analyze.Value, len(here.values))
		for i, v := range here.values {
			if i < len(d.Values) && v.Present && d.Values[i].Present {
				there[i] = analyze.Value{X: v.X + d.Values[i].X, Present: true}
			}
		}
		both[1].Result.Values, both[1].Dashed = there, true
		if err := p.chart(p.angleOf(d.Angle), both, 4); err != nil {
			return err
		}
		p.ChartsNote = fmt.Sprintf(p.W.dashed, p.other())
	}
	return nil
}

// curveOf returns the curve of the report that shows a named angle, nil if none does.
func (p *page) curveOf(a compare.Angle) *curve {
	for _, c := range p.curves {
		if c.Result.Type == a.Type && c.Result.Side == a.Side {
			return c
		}
	}
	return nil
}

// comparedTables returns the tables of the comparison.
func (p *page) comparedTables() (list []table) {
	res := p.r.Comparison.Result
	if len(res.Repetitions) > 0 {
		list = append(list, p.twinTable())
		if t, ok := p.repetitionTable(); ok {
			list = append(list, t)
		}
	}
	if differ := departures(res.Angles); len(differ) > 0 {
		t := table{Title: p.W.AngleDifference, Note: fmt.Sprintf(p.W.minus, p.other()),
			Head: []string{p.W.Angle, p.W.MeanSize, p.W.Largest, p.W.Time}}
		for _, d := range differ {
			t.Rows = append(t.Rows, row{Name: p.angleOf(d.Angle), Dot: string(cmp.Or(d.Side, "mid")), Cells: []cell{
				{Text: number(d.mean, "°"), Class: "b"}, {Text: signed(d.largest)}, {Text: p.timeOf(d.frame)}}})
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

// twinTable returns the repetitions with their twins in the other recording.
func (p *page) twinTable() table {
	t := table{Title: p.W.Twins, Note: fmt.Sprintf(p.W.twinsNote, p.other()), Head: []string{p.W.Number, p.W.Here, p.W.There, p.W.Score}}
	for k, one := range p.r.Comparison.Result.Repetitions {
		s := cell{Text: dash}
		if one.Score != nil {
			s = score(one.Score.Overall, true, "b")
		}
		t.Rows = append(t.Rows, row{Name: fmt.Sprint(k + 1), Cells: []cell{
			{Text: spanOf(p.r.Sequence, one.Source)}, {Text: spanOf(p.r.Comparison.Target, one.Target)}, s}})
	}
	return t
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
