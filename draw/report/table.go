package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/draw/internal/text"
)

// table is a table with its title. The first column is Row.Name.
type table struct {
	Title, Note string
	Head        []string
	Rows        []row
	Wide        bool // over the width of the page
}

// row is a row of a table. Dot is a side or "mid", whose colour comes before the name; Class is "flag"
// for a row that stands out and "sub" for a summary.
type row struct {
	Name, Dot, Pill, Class string
	Cells                  []cell
}

// cell is a cell of a table. Class is "l" and "r" for the sides, "b" for bold and "why" for a reason instead of numbers.
type cell struct {
	Text, PM, Class string // PM is the uncertainty
	Care            bool
	Span            int // columns; 0 means 1
}

// String writes the cell as text.
func (c cell) String() string { return strings.TrimSpace(c.Text + " " + c.PM) }

// tables returns the tables of the report.
func (p *page) tables() (list []table) {
	if p.r.Comparison != nil {
		list = append(list, p.comparedTables()...)
	}
	if len(p.r.Jumps) > 0 {
		list = append(list, p.jumpTable())
	}
	if g := p.r.Gait; g != nil && len(g.Events) > 0 {
		list = append(list, p.gaitTable())
	}
	if t, ok := p.repetitionTable(); ok && (p.r.Comparison == nil || len(p.r.Comparison.Result.Repetitions) == 0) {
		list = append(list, t)
	}
	for _, t := range []table{p.valueTable(), p.symmetryTable()} {
		if len(t.Rows) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// mostReadings is how many values of each repetition a table has room for.
const mostReadings = 5

// repetitionTable returns the repetitions of the main curve, with the values of what is not withheld.
func (p *page) repetitionTable() (t table, ok bool) {
	if p.main == nil {
		return t, false
	}
	of := p.main.Result.Repetitions
	t = table{Title: p.W.Repetitions, Note: p.W.atTurn, Head: []string{p.W.Number, p.W.Start, p.W.Out, p.W.Hold, p.W.Back, p.withUnit(p.W.Depth, p.main)}}
	if p.flexes() {
		t.Note = p.W.mostInEach
	}
	columns := []*curve{p.main}
	for _, c := range slices.Concat(p.main.group.sides, p.curves) {
		told := slices.ContainsFunc(of.List, func(one analyze.Repetition) bool { return c.trust(p.farthest(c, one)) != study.Withheld })
		if told && !slices.Contains(columns, c) && len(columns) < mostReadings {
			columns = append(columns, c)
		}
	}
	for _, c := range columns {
		t.Head = append(t.Head, p.withUnit(p.nameOf(c, true), c))
	}
	t.Wide = len(columns) > 2
	var held []string
	var depths []float64
	means := make([][]float64, len(columns))
	for k, one := range of.List {
		r := row{Name: fmt.Sprint(k + 1), Pill: p.mark(one), Class: "flag"}
		if r.Pill == "" {
			r.Class = ""
			held, depths = append(held, r.Name), append(depths, one.Depth)
		}
		for _, v := range []float64{one.Start.Time, one.Out, one.Hold, one.Back} {
			r.Cells = append(r.Cells, cell{Text: seconds(v)})
		}
		r.Cells = append(r.Cells, cell{Text: number(one.Depth, p.main.unit)})
		for j, c := range columns {
			at := p.farthest(c, one)
			value := p.reading(c, at)
			if value.Class == "" {
				value.Class = sideClass[c.Result.Side]
			}
			if r.Cells = append(r.Cells, value); r.Class == "" && c.trust(at) != study.Withheld {
				means[j] = append(means[j], c.values[at].X)
			}
		}
		t.Rows = append(t.Rows, r)
	}
	mean, dev := row{Name: p.W.Mean, Class: "sub", Cells: []cell{{}}}, row{Name: p.W.Deviation, Class: "sub", Cells: []cell{{}}}
	if len(held) < len(of.List) {
		mean.Name = fmt.Sprintf(p.W.meanOf, strings.Join(held, p.W.list))
	}
	add := func(s analyze.Spread, unit string) {
		mean.Cells, dev.Cells = append(mean.Cells, cell{Text: orDash(s.Count > 0, number(s.Mean, unit))}), append(dev.Cells, deviation(s, unit))
	}
	add(of.Out, "s")
	add(of.Hold, "s")
	add(of.Back, "s")
	add(analyze.SpreadOf(depths), p.main.unit)
	for j, c := range columns {
		add(analyze.SpreadOf(means[j]), c.unit)
	}
	if len(held) > 1 {
		t.Rows = append(t.Rows, mean, dev)
	}
	return t, true
}

// withUnit adds the unit of a curve to a name, but for degrees.
func (p *page) withUnit(name string, c *curve) string {
	if c.unit == "°" {
		return name
	}
	return name + ", " + p.unit(c.unit)
}

// sideClass is the class of a cell of a side.
var sideClass = map[analyze.Side]string{analyze.LeftSide: "l", analyze.RightSide: "r"}

func deviation(s analyze.Spread, unit string) cell {
	return cell{Text: orDash(s.Count > 1, number(s.StandardDeviation, unit))}
}

// mostValues is how many rows of values a table has before measures that nobody asked for are left out.
const mostValues = 10

// valueTable returns the extremes of each value with their uncertainty, and why others are withheld.
func (p *page) valueTable() table {
	t := table{Title: p.W.Values, Note: p.W.valuesNote, Head: []string{p.W.Value, p.W.Min, p.W.Max, p.W.Range}}
	if p.partText() != "" {
		t.Note = p.W.partNote
	}
	still := p.r.Sequence.Len() == 1
	if still {
		t.Note, t.Head = "", []string{p.W.Value, ""}
	}
	add := func(c *curve) {
		low, high, ok := c.extent()
		cells := []cell{p.reading(c, low), p.reading(c, high), {}}
		switch {
		case !ok || c.trust(low) == study.Withheld && c.trust(high) == study.Withheld:
			cells = []cell{p.withheld(c.measure)}
			cells[0].Span = len(t.Head) - 1
		case still:
			cells = cells[1:2]
		default:
			if of := c.span(); of.Present {
				if cells[2].Text = number(of.X, c.unit); c.measure != nil {
					cells[2].PM, cells[2].Care = plusMinus(c.measure.RangeUncertainty, c.unit), c.measure.Trust == study.Care
				}
			} else {
				cells[2] = p.withheld(c.measure)
				if c.measure != nil && !c.measure.Min.Present {
					cells[0] = cell{}
				}
			}
			cells[1].Class = cmp.Or(cells[1].Class, "b")
		}
		t.Rows = append(t.Rows, row{Name: p.withUnit(p.nameOf(c, true), c), Dot: string(cmp.Or(c.Result.Side, "mid")), Cells: cells})
	}
	for _, c := range p.curves {
		add(c)
	}
	if !p.r.whole || p.first() {
		return t
	}
	for _, own := range []bool{true, false} { // first the other sides of what is shown
		for k := range p.r.Study.Measures {
			m := &p.r.Study.Measures[k]
			same := slices.ContainsFunc(p.curves, func(c *curve) bool { return c.measure.Type == m.Type })
			if m.Trust == study.Withheld && same == own && (own || len(t.Rows) < mostValues) {
				add(&curve{Series: Series{m.Rule(), analyze.Result{Name: m.Name, Type: m.Rule().Type, Side: m.Side}}, values: m.Values, unit: m.Unit, measure: m})
			}
		}
	}
	return t
}

// symmetryTable returns what compares the two sides of the series that ask for it.
func (p *page) symmetryTable() table {
	t := table{Title: p.W.Symmetry, Note: p.W.symmetryNote, Head: []string{p.W.Value, p.W.Left, p.W.Right, p.W.Symmetry}}
	add := func(name, unit string, left, right, angle analyze.Value) {
		t.Rows = append(t.Rows, row{Name: name, Cells: []cell{
			{Text: optional(left, unit), Class: "l"}, {Text: optional(right, unit), Class: "r"}, {Text: symmetryText(angle), Class: "b"}}})
	}
	for _, s := range p.r.Series {
		both := s.Result.Symmetry
		if both == nil || slices.ContainsFunc(curvesOf(&s), func(c *curve) bool { p.study(c); return !c.good() }) {
			continue
		}
		name, unit := p.nameOf(&curve{Series: s}, false), cmp.Or(s.Result.Unit, s.Result.Type.Unit())
		add(fmt.Sprintf(p.W.statistics[both.Statistic], name), unit, both.Left, both.Right, both.Angle)
		if d := both.Depth; d != nil && d.Both.Count > 0 {
			present := func(s analyze.Spread) analyze.Value { return analyze.Value{X: s.Mean, Present: s.Count > 0} }
			add(fmt.Sprintf(p.W.meanDepth, name), unit, present(d.Left), present(d.Right), d.Symmetry)
		}
	}
	return t
}

// symmetryText writes a symmetry angle, or a dash.
func symmetryText(v analyze.Value) string { return orDash(v.Present, text.Fixed(v.X, 1)+" %") }

// jumpTable returns the jumps.
func (p *page) jumpTable() table {
	t := table{Wide: true, Title: p.W.Jumps,
		Head: []string{p.W.Number, p.W.TakeOff, p.W.Landing, p.W.FlightTime, p.W.Height, p.W.Rise, p.W.Drop}}
	for k, j := range p.r.Jumps {
		t.Rows = append(t.Rows, row{Name: fmt.Sprint(k + 1), Cells: []cell{
			{Text: seconds(j.TakeOff.Time)}, {Text: seconds(j.Landing.Time)}, {Text: seconds(j.FlightTime)},
			{Text: centimetres(analyze.Value{X: j.Height, Present: true}), Class: "b"}, {Text: centimetres(j.Rise)}, {Text: centimetres(j.Drop)}}})
	}
	return t
}

// centimetres writes metres as centimetres with one decimal, or a dash.
func centimetres(v analyze.Value) string { return orDash(v.Present, text.Fixed(100*v.X, 1)) }

// gaitTable returns the numbers of a walk or a run, of both sides.
func (p *page) gaitTable() table {
	g := p.r.Gait
	t := table{Wide: true, Title: p.W.Gait, Note: p.W.symmetryNote,
		Head: []string{"", p.W.Left, p.W.Right, p.W.Both, p.W.Deviation, p.W.Symmetry}}
	add := func(name string, s analyze.TwoSided, factor float64, unit string) {
		if s.Both.Count == 0 {
			return
		}
		write := func(v analyze.Spread, of float64, class string, least int) cell {
			if v.Count < least {
				return cell{Text: dash}
			}
			return cell{Text: number(of*factor, unit), Class: class}
		}
		t.Rows = append(t.Rows, row{Name: name, Cells: []cell{
			write(s.Left, s.Left.Mean, "l", 1), write(s.Right, s.Right.Mean, "r", 1),
			write(s.Both, s.Both.Mean, "b", 1), write(s.Both, s.Both.StandardDeviation, "", 2), {Text: symmetryText(s.Symmetry)}}})
	}
	add(p.W.StrideTime, g.StrideTime, 1, "s")
	add(p.W.StepTime, g.StepTime, 1, "s")
	add(p.W.StanceTime, g.StanceTime, 1, "s")
	add(p.W.SwingTime, g.SwingTime, 1, "s")
	add(p.W.StanceShare, g.StanceShare, 100, "%")
	add(fmt.Sprintf(p.W.StrideLength, p.unit(g.Unit)), g.StrideLength, 1, g.Unit)
	add(fmt.Sprintf(p.W.StepLength, p.unit(g.Unit)), g.StepLength, 1, g.Unit)
	once := func(name string, s analyze.Spread) {
		if s.Count > 0 {
			t.Rows = append(t.Rows, row{Name: name, Cells: []cell{{}, {}, {Text: number(s.Mean, "s"), Class: "b"}, deviation(s, "s"), {}}})
		}
	}
	once(p.W.FlightTime, g.FlightTime)
	once(p.W.DoubleSupport, g.DoubleSupport)
	return t
}
