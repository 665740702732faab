package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// curve is a number over the frames: one side of a Series, or one axis of one whose values are points.
type curve struct {
	Series
	axis    string // "x" or "y" of points, else ""
	values  []analyze.Value
	sigmas  []analyze.Value // nil: none is known
	unit    string
	group   *group
	measure *study.Measure // nil: not studied
}

// group is the same number of both sides of the body, or of one, or of none.
type group struct {
	name  string   // without the side
	sides []*curve // left before right
}

func curvesOf(s *Series) (list []*curve) {
	for _, r := range s.sides() {
		c := curve{Series: Series{s.Rule, *r}, values: r.Values, sigmas: r.Uncertainty, unit: cmp.Or(r.Unit, r.Type.Unit())}
		if !r.Type.Pair() {
			list = append(list, &c)
			continue
		}
		x, y := c, c
		x.axis, y.axis, y.values, y.sigmas = "x", "y", slices.Clone(r.Values), slices.Clone(r.Uncertainty)
		for _, list := range [][]analyze.Value{y.values, y.sigmas} {
			for i := range list {
				list[i].X = list[i].Y
			}
		}
		list = append(list, &x, &y)
	}
	return list
}

// arrange sets the groups and curves of the page, and main: the curve whose repetitions the report shows, the lead of
// the study or else the first one.
func (p *page) arrange() {
	for k := range p.r.Series {
		for _, c := range curvesOf(&p.r.Series[k]) {
			p.study(c)
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
			if c.measure != nil && c.measure.Trust == quality.TrustWithheld {
				continue
			}
			if r := c.Result.Repetitions; r != nil && len(r.List) > 0 && (p.main == nil || p.leads(c)) {
				p.main = c
			}
		}
	}
}

// study gives a curve what the study says of it.
func (p *page) study(c *curve) {
	if p.r.Study == nil {
		return
	}
	for k := range p.r.Study.Measures {
		if m := &p.r.Study.Measures[k]; m.Name == c.Result.Name && m.Unit == c.unit && !c.Rule.Hidden {
			c.measure, c.values, c.sigmas = m, m.Values, m.Uncertainty
		}
	}
}

func (p *page) leads(c *curve) bool {
	return c.measure != nil && p.r.Study.Lead != nil && *p.r.Study.Lead == study.Lead{Type: c.measure.Type, Side: c.measure.Side}
}

// nameOf names what a curve shows, with its side or without it: "Left knee flexion".
func (p *page) nameOf(c *curve, sided bool) string {
	name, side := cmp.Or(c.Result.Name, string(c.Result.Type)), c.Result.Side
	switch { // results have English names
	case p.lang != say.English && sided:
		name = p.in(say.Of(string(side), p.in(c.called())))
	case p.lang != say.English:
		name = p.in(c.called())
	case !sided && side != "":
		name = strings.ReplaceAll(name, string(side)+" ", "")
	}
	if c.axis != "" {
		name += " " + c.axis
	}
	return text.Upper(name)
}

// called names what a curve shows, without the side that all its points share.
func (c *curve) called() say.Text {
	kind := say.Name(string(c.Result.Type))
	if len(c.Rule.Points) == 0 || c.measure != nil {
		return kind
	}
	var points []say.Text
	for _, s := range c.Rule.Points {
		var parts []say.Text
		for _, part := range s.Parts {
			if c.Result.Side == "" {
				parts = append(parts, say.Name(part.String()))
			} else {
				parts = append(parts, say.Part(part))
			}
		}
		points = append(points, say.Join(texts.Say("points.join"), parts...))
	}
	return texts.Say("points.of", say.Join(texts.Say("points.to"), points...), kind)
}

// extent returns the frames of the least and of the greatest value; ok is false without values.
func (c *curve) extent() (low, high int, ok bool) {
	for i, v := range c.values {
		switch {
		case !v.Present:
			continue
		case !ok:
			low, high, ok = i, i, true
		case v.X < c.values[low].X:
			low = i
		case v.X > c.values[high].X:
			high = i
		}
	}
	return low, high, ok
}

// span returns the range; it is absent if an end is withheld.
func (c *curve) span() analyze.Value {
	low, high, ok := c.extent()
	if c.measure != nil {
		return c.measure.Range
	}
	if !ok || c.trust(low) == quality.TrustWithheld || c.trust(high) == quality.TrustWithheld {
		return analyze.Value{}
	}
	return analyze.Value{X: c.values[high].X - c.values[low].X, Present: true}
}

// trust says what the value of a frame is worth.
func (c *curve) trust(i int) quality.Trust {
	switch {
	case !c.values[i].Present:
		return quality.TrustWithheld
	case c.unit == "°" && i < len(c.sigmas) && c.sigmas[i].Present:
		return quality.TrustOf(c.sigmas[i].X)
	case c.measure != nil:
		return c.measure.Trust
	}
	return quality.TrustGood
}

// flexes reports whether a flexion falls from rest in the repetitions, as in a rise from a chair.
func (p *page) flexes() bool {
	of := p.main.Result
	return of.Repetitions.Direction == "falls" && of.Type.Points() == 0 && p.main.unit == "°"
}

// farthest returns the frame of a repetition that tells how far it goes: its turn, or of a flexion that falls that of the greatest value.
func (p *page) farthest(c *curve, one analyze.Repetition) int {
	at := one.Turn.Frame
	if p.flexes() {
		for i := one.Start.Frame; i <= one.End.Frame; i++ {
			if v := c.values[i]; v.Present && (!c.values[at].Present || v.X > c.values[at].X) {
				at = i
			}
		}
	}
	return at
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
