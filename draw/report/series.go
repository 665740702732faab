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
}

// group is the same number of both sides of the body, or of one, or of none.
type group struct {
	name  string   // without the side
	sides []*curve // left before right
}

// curves returns the numbers of the report in their order.
func (r *Report) curves() (list []*curve) {
	var all []Series
	for _, s := range r.Series {
		all = append(all, s)
		if both := s.Result.Symmetry; both != nil {
			all = append(all, Series{s.Rule, both.OtherSide})
		}
	}
	for _, s := range all {
		unit := cmp.Or(s.Result.Unit, s.Result.Type.Unit())
		if !s.Result.Type.Pair() {
			list = append(list, &curve{s, "", s.Result.Values, unit})
			continue
		}
		x, y := slices.Clone(s.Result.Values), slices.Clone(s.Result.Values)
		for i := range y {
			y[i].X = y[i].Y
		}
		list = append(list, &curve{s, "x", x, unit}, &curve{s, "y", y, unit})
	}
	return list
}

// groups returns the numbers of the report, with those of both sides together.
func (p *page) groups() (list []*group) {
	for _, c := range p.r.curves() {
		name := p.nameOf(c, false)
		k := slices.IndexFunc(list, func(g *group) bool {
			first := g.sides[0]
			return g.name == name && len(g.sides) == 1 && first.Result.Type == c.Result.Type &&
				first.Result.Side != "" && c.Result.Side != "" && first.Result.Side != c.Result.Side
		})
		if k < 0 {
			list = append(list, &group{name, []*curve{c}})
			continue
		}
		g := list[k]
		if g.sides = append(g.sides, c); c.Result.Side == analyze.LeftSide {
			slices.Reverse(g.sides)
		}
	}
	return list
}

// nameOf names what a curve shows, with its side or without it: "Left knee flexion".
func (p *page) nameOf(c *curve, sided bool) string {
	name, side := cmp.Or(c.Result.Name, string(c.Result.Type)), string(c.Result.Side)
	if p.W == &japanese {
		name, side = japaneseOf(c.Rule, c.Result.Side), ""
		if sided {
			side = p.W.side(c.Result.Side)
		}
		name = side + name
	} else if !sided && side != "" {
		name = strings.ReplaceAll(name, side+" ", "")
	}
	if c.axis != "" {
		name += " " + c.axis
	}
	return text.Upper(name)
}

// extent returns the least and the greatest value of a curve and their mean; ok is false without values.
func (c *curve) extent() (low, high, mean float64, ok bool) {
	low, high = math.Inf(1), math.Inf(-1)
	n := 0
	for _, v := range c.values {
		if v.Present {
			low, high, mean = min(low, v.X), max(high, v.X), mean+v.X
			n++
		}
	}
	if n == 0 {
		return 0, 0, 0, false
	}
	return low, high, mean / float64(n), true
}

// uncertainty returns the median of one standard deviation of the values.
func (c *curve) uncertainty() analyze.Value {
	var all []float64
	for _, v := range c.Result.Uncertainty {
		if v.Present {
			all = append(all, v.X)
		}
	}
	if len(all) == 0 {
		return analyze.Value{}
	}
	return analyze.Value{X: rank.Upper(all), Present: true}
}

// depth returns how far the values go from the mean of the two ends of a repetition.
func (c *curve) depth(one analyze.Repetition) analyze.Value {
	from, to := c.values[one.Start.Frame], c.values[one.End.Frame]
	if !from.Present || !to.Present {
		return analyze.Value{}
	}
	rest, farthest := (from.X+to.X)/2, 0.0
	for _, v := range c.values[one.Start.Frame : one.End.Frame+1] {
		if v.Present {
			farthest = max(farthest, math.Abs(v.X-rest))
		}
	}
	return analyze.Value{X: farthest, Present: true}
}

// main returns the group whose repetitions the report shows, and the curve that has them: the one whose mean
// depth is the largest against its uncertainty; of equals, and where that is not known, the one with the
// most complete ones, and then the first. It is nil without repetitions.
func (p *page) main() (*group, *curve) {
	var best *curve
	var of *group
	for _, g := range p.all {
		for _, c := range g.sides {
			if r := c.Result.Repetitions; r != nil && len(r.List) > 0 && (best == nil || c.counts(best) > 0) {
				best, of = c, g
			}
		}
	}
	return of, best
}

// counts compares how well the repetitions of two curves are counted.
func (c *curve) counts(than *curve) int {
	return cmp.Or(cmp.Compare(c.clear(), than.clear()), cmp.Compare(c.Result.Repetitions.Complete, than.Result.Repetitions.Complete))
}

// clear returns the mean depth of the repetitions against the uncertainty of the values, 0 if unknown.
func (c *curve) clear() float64 {
	u := c.uncertainty()
	if !u.Present || u.X == 0 {
		return 0
	}
	return c.Result.Repetitions.Depth.Mean / u.X
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
