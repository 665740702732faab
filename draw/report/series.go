package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// curve is a number over the frames: one side of a Series, or one axis of one whose values are points.
type curve struct {
	Series
	axis   string // "x" or "y" of points, else ""
	values []analyze.Value
	unit   string
	group  *group
}

// group is the same number of both sides of the body, or of one, or of none.
type group struct {
	name  string   // without the side
	sides []*curve // left before right
}

// curvesOf returns the numbers of a series.
func curvesOf(s *Series) (list []*curve) {
	for _, r := range s.sides() {
		c := curve{Series: Series{s.Rule, *r}, values: r.Values, unit: cmp.Or(r.Unit, r.Type.Unit())}
		if !r.Type.Pair() {
			list = append(list, &c)
			continue
		}
		x, y := c, c
		x.axis, y.axis, y.values = "x", "y", slices.Clone(r.Values)
		for i := range y.values {
			y.values[i].X = y.values[i].Y
		}
		list = append(list, &x, &y)
	}
	return list
}

// arrange sets the groups and curves of the page, and main: the curve whose repetitions the report shows. This
// is the one whose mean depth is the largest against its uncertainty; of equals, and where that is not known,
// the one with the most complete ones, and then the first.
func (p *page) arrange() {
	for k := range p.r.Series {
		for _, c := range curvesOf(&p.r.Series[k]) {
			name := p.nameOf(c, false)
			k := slices.IndexFunc(p.all, func(g *group) bool {
				first := g.sides[0]
				return g.name == name && len(g.sides) == 1 && first.Result.Type == c.Result.Type &&
					first.Result.Side != "" && c.Result.Side != "" && first.Result.Side != c.Result.Side
			})
			if k < 0 {
				k = len(p.all)
				p.all = append(p.all, &group{name: name})
			}
			c.group = p.all[k]
			if c.group.sides = append(c.group.sides, c); c.Result.Side == analyze.LeftSide {
				slices.Reverse(c.group.sides)
			}
		}
	}
	for _, g := range p.all {
		for _, c := range g.sides {
			p.curves = append(p.curves, c)
			if r := c.Result.Repetitions; r != nil && len(r.List) > 0 && (p.main == nil || c.counts(p.main) > 0) {
				p.main = c
			}
		}
	}
}

// nameOf names what a curve shows, with its side or without it: "Left knee flexion".
func (p *page) nameOf(c *curve, sided bool) string {
	name, side := cmp.Or(c.Result.Name, string(c.Result.Type)), c.Result.Side
	switch {
	case p.W == &japanese:
		name = japaneseOf(c.Rule, side)
		if sided {
			name = p.W.side(side) + name
		}
	case !sided && side != "":
		name = strings.ReplaceAll(name, string(side)+" ", "")
	}
	if c.axis != "" {
		name += " " + c.axis
	}
	return text.Upper(name)
}

// japaneseOf names what a rule computes, without the side that all its points share.
func japaneseOf(rule analyze.Rule, side analyze.Side) string {
	kind := japanese.Lang.Of(string(rule.Type))
	if len(rule.Points) == 0 {
		return kind
	}
	names := make([]string, len(rule.Points))
	for k, s := range rule.Points {
		parts := make([]string, len(s.Parts))
		for j, part := range s.Parts {
			if parts[j] = japanese.Lang.Part(part); side == "" {
				parts[j] = japanese.Lang.Of(part.String())
			}
		}
		names[k] = strings.Join(parts, "・")
	}
	return strings.Join(names, "–") + "の" + kind
}

// numbers returns the values that are present.
func numbers(values []analyze.Value) (list []float64) {
	for _, v := range values {
		if v.Present {
			list = append(list, v.X)
		}
	}
	return list
}

// extent returns the least and the greatest value and the mean; ok is false without values.
func extent(values []analyze.Value) (low, high, mean float64, ok bool) {
	list := numbers(values)
	if len(list) == 0 {
		return 0, 0, 0, false
	}
	for _, v := range list {
		mean += v
	}
	return slices.Min(list), slices.Max(list), mean / float64(len(list)), true
}

// uncertainty returns the median of one standard deviation of the values.
func (c *curve) uncertainty() analyze.Value {
	all := numbers(c.Result.Uncertainty)
	return analyze.Value{X: rank.Upper(all), Present: len(all) > 0}
}

// depth returns how far the values go from the mean of the two ends of a repetition.
func (c *curve) depth(one analyze.Repetition) analyze.Value {
	from, to := c.values[one.Start.Frame], c.values[one.End.Frame]
	if !from.Present || !to.Present {
		return analyze.Value{}
	}
	farthest := 0.0
	for _, v := range numbers(c.values[one.Start.Frame : one.End.Frame+1]) {
		farthest = max(farthest, math.Abs(v-(from.X+to.X)/2))
	}
	return analyze.Value{X: farthest, Present: true}
}

// counts compares how well the repetitions of two curves are counted.
func (c *curve) counts(than *curve) int {
	return cmp.Or(cmp.Compare(c.clear(), than.clear()), cmp.Compare(c.Result.Repetitions.Complete, than.Result.Repetitions.Complete))
}

// clear returns the mean depth of the repetitions against the uncertainty of the values, 0 if unknown.
func (c *curve) clear() float64 {
	if u := c.uncertainty().X; u != 0 {
		return c.Result.Repetitions.Depth.Mean / u
	}
	return 0
}

// vertex returns the joint beside which pictures show an angle.
func (c *curve) vertex() (keypoint.Part, bool) {
	at := c.Rule.Place()
	if n := len(c.Rule.Points); len(at) != 1 || n != 0 && n != 3 {
		return 0, false
	}
	mirror := at[0].Mirror()
	if side := c.Result.Side; side != "" && (at[0] < mirror) != (side == analyze.LeftSide) {
		return mirror, true // the other side of a symmetry
	}
	return at[0], true
}
