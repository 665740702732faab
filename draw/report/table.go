package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
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

// cell is a cell of a table. Class is "l" and "r" for the sides and "b" for bold.
type cell struct{ Text, Class string }

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

// repetitionTable returns the repetitions of the main curve, with the depths of both sides.
func (p *page) repetitionTable() (t table, ok bool) {
	main := p.main
	if main == nil {
		return t, false
	}
	sides := main.group.sides
	t = table{Title: p.W.Repetitions, Note: fmt.Sprintf(p.W.depthOf, text.Lower(main.group.name)),
		Head: []string{p.W.Number, p.W.Start, p.W.Out, p.W.Hold, p.W.Back}}
	short := map[analyze.Side]string{analyze.LeftSide: " " + p.W.shortLeft, analyze.RightSide: " " + p.W.shortRight}
	for _, c := range sides {
		t.Head = append(t.Head, withUnit(p.W.Depth+short[c.Result.Side], c))
	}
	depths := make([][]float64, len(sides))
	for k, one := range main.Result.Repetitions.List {
		r := row{Name: fmt.Sprint(k + 1)}
		switch {
		case !one.Complete:
			r.Class, r.Pill = "flag", p.W.incomplete
		case one.Shallow:
			r.Class, r.Pill = "flag", p.W.shallow
		}
		for _, v := range []float64{one.Start.Time, one.Out, one.Hold, one.Back} {
			r.Cells = append(r.Cells, cell{Text: seconds(v)})
		}
		for j, c := range sides {
			d := analyze.Value{X: one.Depth, Present: true}
			if c != main {
				d = c.depth(one)
			}
			r.Cells = append(r.Cells, cell{optional(d, c.unit), sideClass[c.Result.Side]})
			if d.Present && one.Complete && !one.Shallow {
				depths[j] = append(depths[j], d.X)
			}
		}
		t.Rows = append(t.Rows, r)
	}
	means, deviations := row{Name: p.W.Mean, Class: "sub", Cells: []cell{{}}}, row{Name: p.W.Deviation, Class: "sub", Cells: []cell{{}}}
	add := func(s analyze.Spread, unit string) {
		means.Cells = append(means.Cells, cell{Text: orDash(s.Count > 0, number(s.Mean, unit))})
		deviations.Cells = append(deviations.Cells, deviation(s, unit))
	}
	of := main.Result.Repetitions
	add(of.Out, "s")
	add(of.Hold, "s")
	add(of.Back, "s")
	for j, c := range sides {
		add(analyze.SpreadOf(depths[j]), c.unit)
	}
	t.Rows = append(t.Rows, means, deviations)
	return t, true
}

// withUnit adds the unit of a curve to a name, but for degrees.
func withUnit(name string, c *curve) string {
	if c.unit == "°" {
		return name
	}
	return name + ", " + c.unit
}

// sideClass is the class of a cell of a side.
var sideClass = map[analyze.Side]string{analyze.LeftSide: "l", analyze.RightSide: "r"}

func deviation(s analyze.Spread, unit string) cell {
	return cell{Text: orDash(s.Count > 1, number(s.StandardDeviation, unit))}
}

// valueTable returns the extent of each value.
func (p *page) valueTable() table {
	t := table{Title: p.W.Values, Note: p.W.valuesNote, Head: []string{p.W.Value, p.W.Min, p.W.Max, p.W.Range, p.W.Mean, "±"}}
	if p.partText() != "" {
		t.Note = p.W.partNote
	}
	still := p.r.Sequence.Len() == 1
	if still {
		t.Note, t.Head = "", []string{p.W.Value, "", "±"}
	}
	for _, c := range p.curves {
		low, high, mean, ok := extent(c.values)
		value := func(v float64) string { return orDash(ok, number(v, c.unit)) }
		cells := []cell{{Text: value(low)}, {value(high), "b"}, {Text: value(high - low)}, {Text: value(mean)}}
		if still {
			cells = []cell{{value(mean), "b"}}
		}
		cells = append(cells, cell{Text: optional(c.uncertainty(), c.unit)})
		t.Rows = append(t.Rows, row{Name: withUnit(p.nameOf(c, true), c), Dot: string(cmp.Or(c.Result.Side, "mid")), Cells: cells})
	}
	return t
}

// symmetryTable returns what compares the two sides of the series that ask for it.
func (p *page) symmetryTable() table {
	t := table{Title: p.W.Symmetry, Note: p.W.symmetryNote, Head: []string{p.W.Value, p.W.Left, p.W.Right, p.W.Symmetry}}
	add := func(name, unit string, left, right, angle analyze.Value) {
		t.Rows = append(t.Rows, row{Name: name, Cells: []cell{
			{optional(left, unit), "l"}, {optional(right, unit), "r"}, {symmetryText(angle), "b"}}})
	}
	for _, s := range p.r.Series {
		both := s.Result.Symmetry
		if both == nil {
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
			{centimetres(analyze.Value{X: j.Height, Present: true}), "b"}, {Text: centimetres(j.Rise)}, {Text: centimetres(j.Drop)}}})
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
			return cell{number(of*factor, unit), class}
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
	add(fmt.Sprintf(p.W.StrideLength, g.Unit), g.StrideLength, 1, g.Unit)
	add(fmt.Sprintf(p.W.StepLength, g.Unit), g.StepLength, 1, g.Unit)
	once := func(name string, s analyze.Spread) {
		if s.Count > 0 {
			t.Rows = append(t.Rows, row{Name: name, Cells: []cell{{}, {}, {number(s.Mean, "s"), "b"}, deviation(s, "s"), {}}})
		}
	}
	once(p.W.FlightTime, g.FlightTime)
	once(p.W.DoubleSupport, g.DoubleSupport)
	return t
}

// deepest returns the indexes of the deepest and of the shallowest repetition.
func deepest(list []analyze.Repetition) (deep, shallow int) {
	for k, one := range list {
		if one.Depth > list[deep].Depth {
			deep = k
		}
		if one.Depth < list[shallow].Depth {
			shallow = k
		}
	}
	return deep, shallow
}

// largestGroups returns the groups with the greatest values first, by the range in degrees, then the others.
func (p *page) largestGroups() []*group {
	span := func(g *group) float64 {
		most := 0.0
		for _, c := range g.sides {
			if low, high, _, _ := extent(c.values); c.unit == "°" {
				most = max(most, high-low)
			}
		}
		return most
	}
	list := slices.Clone(p.all)
	slices.SortStableFunc(list, func(a, b *group) int { return cmp.Compare(math.Round(span(b)), math.Round(span(a))) })
	return list
}
