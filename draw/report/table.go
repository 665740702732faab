package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
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

// cell is a cell of a table. Class is "l" and "r" for the sides, "b" for bold, "why" for a reason instead of numbers and "same" for
// sides that do not differ.
type cell struct {
	Text, PM, Class string // PM is the uncertainty
	Care            bool
	Span            int // columns; 0 means 1
}

func (c cell) String() string { return strings.TrimSpace(c.Text + " " + c.PM) }

func (p *page) heads(names ...say.Text) (list []string) {
	for _, name := range names {
		list = append(list, p.in(name))
	}
	return list
}

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
	if t := p.valueTable(); len(t.Rows) > 0 {
		list = append(list, t)
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
	t = table{Title: p.in(texts.Say("repetitions")), Note: p.in(texts.Say(either(p.flexes(), "mostInEach", "atTurn")))}
	of, columns, depth := p.main.Result.Repetitions, p.columns(), p.main.of(0)
	each := say.Amount{Sigma: of.List[0].TimeUncertainty, Unit: "s"} // what a column shares stands in its head
	if m := p.main.measure; m != nil && m.Range.Present {
		depth = p.main.amount(0, m.RangeUncertainty)
	}
	t.Head = p.heads(texts.Say("no"), texts.Say("start"))
	for k := range 3 {
		t.Head = append(t.Head, shared(p.in(p.tempo(k)), each))
	}
	t.Head = append(t.Head, shared(p.withUnit(p.in(texts.Say("depth")), depth), depth))
	for _, c := range columns {
		t.Head = append(t.Head, p.withUnit(p.nameOf(c, true), c.of(0)))
	}
	t.Wide = len(columns) > 2
	var held []string
	var depths []float64
	means := make([][]float64, len(columns))
	for k, one := range of.List {
		r := p.repetitionRow(k, one, columns)
		if r.Class == "" {
			held, depths = append(held, r.Name), append(depths, one.Depth)
			for j, c := range columns {
				if at := p.farthest(c, one); c.trust(at) != quality.TrustWithheld {
					means[j] = append(means[j], c.values[at].X)
				}
			}
		}
		t.Rows = append(t.Rows, r)
	}
	if len(held) < 2 {
		return t, true
	}
	mean, dev := row{Name: p.in(texts.Say("mean")), Class: "sub", Cells: []cell{{}}}, row{Name: p.in(texts.Say("deviation")), Class: "sub", Cells: []cell{{}}}
	if len(held) < len(of.List) {
		mean.Name = p.in(texts.Say("mean.of", say.Phrase(named(held)...)))
	}
	add := func(s analyze.Spread, unit say.Amount) {
		dev.Cells = append(dev.Cells, spread(s, s.StandardDeviation, unit, 2))
		unit.Sigma = s.Uncertainty
		mean.Cells = append(mean.Cells, spread(s, s.Mean, unit, 1))
	}
	for _, s := range []analyze.Spread{of.Out, of.Hold, of.Back} {
		add(s, say.Amount{Unit: "s"})
	}
	add(analyze.SpreadOf(depths), p.main.of(0))
	for j, c := range columns {
		add(analyze.SpreadOf(means[j]), c.of(0))
	}
	t.Rows = append(t.Rows, mean, dev)
	return t, true
}

// shared adds to the head of a column the uncertainty that all of its numbers have.
func shared(head string, a say.Amount) string {
	return strings.TrimSuffix(head+" "+plusMinus(a, a.Sigma > 0), " ")
}

// tempo heads a column of the ways of repetitions and of the hold between them, with whose they are: "Knee down, s".
func (p *page) tempo(k int) say.Text {
	ways := []string{"out", "hold", "back"}
	if s := p.r.Study; s != nil && len(s.Ways) == 2 && p.leads(p.main) {
		ways = []string{s.Ways[0], "hold", s.Ways[1]}
	}
	return texts.Say("tempo."+ways[k], say.Joint(string(p.main.Result.Type))).Title()
}

// columns are the curves whose values the table of repetitions has, the main one first.
func (p *page) columns() []*curve {
	list := []*curve{p.main}
	for _, c := range slices.Concat(p.main.group.sides, p.curves) {
		told := slices.ContainsFunc(p.main.Result.Repetitions.List, func(one analyze.Repetition) bool { return c.trust(p.farthest(c, one)) != quality.TrustWithheld })
		if told && !slices.Contains(list, c) && len(list) < mostReadings {
			list = append(list, c)
		}
	}
	return list
}

// repetitionRow returns a repetition with its tempo, its depth and the values of the columns.
func (p *page) repetitionRow(k int, one analyze.Repetition, columns []*curve) row {
	r := row{Name: fmt.Sprint(k + 1), Pill: p.mark(one)}
	if r.Pill != "" {
		r.Class = "flag"
	}
	for _, v := range []float64{one.Start.Time, one.Out, one.Hold, one.Back} {
		r.Cells = append(r.Cells, cell{Text: seconds(v)})
	}
	r.Cells = append(r.Cells, cell{Text: bare(p.main.of(one.Depth))})
	for _, c := range columns {
		value := p.reading(c, p.farthest(c, one))
		value.Class = cmp.Or(value.Class, sideClass[c.Result.Side])
		r.Cells = append(r.Cells, value)
	}
	return r
}

// sideClass is the class of a cell of a side.
var sideClass = map[analyze.Side]string{analyze.LeftSide: "l", analyze.RightSide: "r"}

// spread writes a number of a spread of at least so many values in the unit of an amount, else a dash.
func spread(of analyze.Spread, value float64, unit say.Amount, least int) cell {
	return optional(analyze.Value{X: value, Present: of.Count >= least}, unit)
}

// mean writes the mean of a spread with its uncertainty.
func mean(of analyze.Spread, unit say.Amount) cell {
	unit.Sigma = of.Uncertainty
	return spread(of, of.Mean, unit, 1)
}

// difference says which side is greater, and by how much: "right +0.09 ± 0.03".
func (p *page) difference(s analyze.TwoSided, unit string) cell {
	if s.Same {
		return cell{Text: p.in(texts.Say("same")), Class: "same"}
	}
	greater, by := "right", s.Right.Mean-s.Left.Mean
	if by < 0 {
		greater = "left"
	}
	c := optional(analyze.Value{X: math.Abs(by), Present: s.Symmetry.Present}, say.Amount{Sigma: math.Hypot(s.Left.Uncertainty, s.Right.Uncertainty), Unit: unit})
	if s.Symmetry.Present {
		c.Text, c.Class = p.in(say.Name(greater))+" +"+c.Text, "b"
	}
	return c
}

// mostValues is how many rows of values a table has before measures that nobody asked for are left out.
const mostValues = 10

// valueTable returns the extremes of each value with their uncertainty, and why others are withheld.
func (p *page) valueTable() table {
	t := table{Title: p.in(texts.Say("values")), Note: p.in(texts.Say("values.note"))}
	if t.Head = p.heads(texts.Say("value"), texts.Say("min"), texts.Say("max"), texts.Say("range")); p.partText() != "" {
		t.Note = p.in(texts.Say("only.note"))
	}
	if p.r.Sequence.Len() == 1 {
		t.Note, t.Head = "", []string{t.Head[0], ""}
	}
	add := func(c *curve) {
		name := p.withUnit(p.nameOf(c, true), c.of(0))
		t.Rows = append(t.Rows, row{Name: name, Dot: string(cmp.Or(c.Result.Side, "mid")), Cells: p.extremes(c, len(t.Head)-1)})
	}
	for _, c := range p.curves {
		add(c)
	}
	if !p.r.whole || p.course() {
		return t
	}
	for _, own := range []bool{true, false} { // first the other sides of what is shown
		for k := range p.r.Study.Measures {
			m := &p.r.Study.Measures[k]
			same := slices.ContainsFunc(p.curves, func(c *curve) bool { return c.measure.Type == m.Type })
			if m.Trust == quality.TrustWithheld && same == own && (own || len(t.Rows) < mostValues) {
				if e := slices.IndexFunc(p.r.Study.Estimates, func(e study.Measure) bool { return e.Name == m.Name }); e >= 0 {
					m = &p.r.Study.Estimates[e]
				}
				add(&curve{Series: Series{m.Rule(), analyze.Result{Name: m.Name, Type: m.Rule().Type, Side: m.Side}}, values: m.Values, sigmas: m.Uncertainty, unit: m.Unit, measure: m})
			}
		}
	}
	return t
}

// extremes returns the least and the greatest value of a curve and its range, in one column only the greatest.
func (p *page) extremes(c *curve, columns int) []cell {
	low, high, ok := c.extent()
	switch {
	case !ok || c.trust(low) == quality.TrustWithheld && c.trust(high) == quality.TrustWithheld:
		why := p.withheld(c)
		why.Span = columns
		return []cell{why}
	case columns == 1:
		return []cell{p.reading(c, high)}
	}
	cells := []cell{p.reading(c, low), p.reading(c, high), {}}
	cells[1].Class = cmp.Or(cells[1].Class, "b")
	switch of := c.span(); {
	case of.Present && c.measure != nil:
		wide := *c
		wide.values, wide.sigmas = []analyze.Value{of}, []analyze.Value{c.measure.RangeUncertainty}
		cells[2] = p.reading(&wide, 0)
	case of.Present:
		cells[2].Text = bare(c.of(of.X))
	default:
		if cells[2] = p.withheld(c); c.measure != nil && !c.measure.Min.Present {
			cells[0] = cell{}
		}
	}
	return cells
}

func (p *page) jumpTable() table {
	t := table{Wide: true, Title: p.in(texts.Say("jumps"))}
	t.Head = p.heads(texts.Say("no"), texts.Say("jump.takeOff"), texts.Say("jump.landing"), texts.Say("flightTime"), texts.Say("jump.height"), texts.Say("jump.rise"), texts.Say("jump.drop"))
	for k, j := range p.r.Jumps {
		t.Rows = append(t.Rows, row{Name: fmt.Sprint(k + 1), Cells: []cell{
			{Text: seconds(j.TakeOff.Time)}, {Text: seconds(j.Landing.Time)},
			optional(analyze.Value{X: j.FlightTime, Present: true}, say.Amount{Sigma: j.FlightTimeUncertainty, Unit: "s"}),
			optional(analyze.Value{X: j.Height, Present: true}, say.Measured("height", 0, j.HeightUncertainty, "m")),
			optional(j.Rise, say.Measured("rise", 0, j.RiseUncertainty.X, "m")), optional(j.Drop, say.Measured("drop", 0, j.RiseUncertainty.X, "m"))}})
	}
	return t
}

func (p *page) gaitTable() table {
	g := p.r.Gait
	t := table{Wide: true, Title: p.in(texts.Say("gait"))}
	t.Head = append([]string{""}, p.heads(say.Name("left").Title(), say.Name("right").Title(), texts.Say("both"), texts.Say("deviation"), texts.Say("difference"))...)
	add := func(name say.Text, s analyze.TwoSided, unit string) {
		if s.Both.Count == 0 {
			return
		}
		of := say.Amount{Unit: unit}
		cells := []cell{mean(s.Left, of), mean(s.Right, of), mean(s.Both, of), spread(s.Both, s.Both.StandardDeviation, of, 2), p.difference(s, unit)}
		if cells[0].Class, cells[1].Class, cells[2].Class = "l", "r", "b"; s.Same {
			cells[0].Class, cells[1].Class = "same", "same"
		}
		t.Rows = append(t.Rows, row{Name: p.in(name), Cells: cells})
	}
	length := p.unit(say.Amount{Unit: g.Unit})
	add(texts.Say("strideTime"), g.StrideTime, "s")
	add(texts.Say("stepTime"), g.StepTime, "s")
	add(texts.Say("stanceTime"), g.StanceTime, "s")
	add(texts.Say("swingTime"), g.SwingTime, "s")
	add(texts.Say("stanceShare"), g.StanceShare, "%")
	add(texts.Say("strideLength", length), g.StrideLength, g.Unit)
	add(texts.Say("stepLength", length), g.StepLength, g.Unit)
	once := func(name say.Text, s analyze.Spread) {
		if s.Count > 0 {
			of := say.Amount{Unit: "s"}
			both := mean(s, of)
			both.Class = "b"
			t.Rows = append(t.Rows, row{Name: p.in(name), Cells: []cell{{}, {}, both, spread(s, s.StandardDeviation, of, 2), {}}})
		}
	}
	once(texts.Say("flightTime"), g.FlightTime)
	once(texts.Say("doubleSupport"), g.DoubleSupport)
	return t
}
