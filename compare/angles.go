package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/say"
)

// Angle is the difference of a named angle of package analyze, target minus source: positive where the target bends more.
type Angle struct {
	Type   analyze.Type
	Side   analyze.Side    // "" for an angle without sides
	Values []analyze.Value // degrees, −180 < v ≤ 180, one per frame of the source; absent where either lacks the angle
}

// Name returns the name of the angle in JSON: "leftKneeFlexion".
func (a Angle) Name() string {
	if a.Side == "" || a.Type == "" {
		return string(a.Type)
	}
	return string(a.Side) + strings.ToUpper(string(a.Type[:1])) + string(a.Type[1:])
}

// namedAngles returns all named angles, without values.
func namedAngles() (list []Angle) {
	for _, t := range analyze.Angles() {
		if t.Sided() {
			list = append(list, Angle{Type: t, Side: analyze.LeftSide}, Angle{Type: t, Side: analyze.RightSide})
		} else {
			list = append(list, Angle{Type: t})
		}
	}
	return list
}

// AngleDifference is the difference of a named angle at one moment: a median over a tenth of a second.
type AngleDifference struct {
	Angle       string  `json:"angle"`                // as Angle.Name
	Repetition  int     `json:"repetition,omitempty"` // the number of the twins, from 1; 0 before, between and after them
	Frame       int     `json:"frame"`                // of the source
	TargetFrame int     `json:"targetFrame"`
	Difference  float64 `json:"difference"`  // degrees, target minus source, −180 < v ≤ 180
	Source      float64 `json:"source"`      // degrees, the angle itself
	Target      float64 `json:"target"`      // the same
	Uncertainty float64 `json:"uncertainty"` // degrees, one standard deviation of the difference
	Sure        bool    `json:"sure"`        // whether the difference is larger than its uncertainty

	// Sentence says it as a coach would: "Repetition 3: the right knee bends 35° less (93 → 58)".
	Sentence say.Text `json:"sentence"`
}

// difference returns that of an angle from s degrees in frame i to t degrees in frame j, without a sentence.
func difference(m, n measure, repetition, i, j int, s, t float64) AngleDifference {
	d := AngleDifference{Angle: m.Name(), Repetition: repetition, Frame: i, TargetFrame: j, Difference: halfTurn(t - s), Source: s, Target: t,
		Uncertainty: math.Hypot(m.uncertainty[i].X, n.uncertainty[j].X)}
	d.Sure = math.Abs(d.Difference) > d.Uncertainty
	return d
}

// angles returns the differences of the named angles that both recordings have in some frame, and the largest
// difference of each; at the turns these go to the repetitions, too.
func (p *pair) angles(repetitions []Repetition) ([]Angle, []AngleDifference) {
	found, largest := []Angle{}, []AngleDifference{}
	for _, m := range p.s.measures {
		k := slices.IndexFunc(p.t.measures, func(n measure) bool { return n.Type == m.Type && n.Side == m.Side })
		if k < 0 {
			continue
		}
		n := p.t.measures[k]
		x := Angle{m.Type, m.Side, make([]analyze.Value, len(m.Values))}
		some := false
		for i, v := range m.Values {
			if w := p.value(i, n.Values); v.Present && w.Present {
				x.Values[i], some = analyze.Value{X: halfTurn(w.X - v.X), Present: true}, true
			}
		}
		if !some {
			continue
		}
		found = append(found, x)
		list := p.between(m, n)
		for k, twin := range p.twins {
			i, j := twin[0].turn, twin[1].turn
			if i >= 0 && m.smooth[i].Present && n.smooth[j].Present {
				d := difference(m, n, k+1, i, j, m.smooth[i].X, n.smooth[j].X)
				d.Sentence = p.sentence(x, &d)
				repetitions[k].At, list = append(repetitions[k].At, d), append(list, d)
			}
		}
		slices.SortStableFunc(list, bySize)
		list[0].Sentence = p.sentence(x, &list[0])
		largest = append(largest, list[0])
	}
	slices.SortStableFunc(largest, bySize)
	return found, largest
}

// bySize orders differences: those beyond their uncertainty first, the largest of all first.
func bySize(x, y AngleDifference) int {
	if x.Sure != y.Sure {
		if x.Sure {
			return -1
		}
		return 1
	}
	return cmp.Compare(math.Abs(y.Difference), math.Abs(x.Difference))
}

const (
	// unison is by how many seconds movements may be out of step: an angle that the other recording has within them is no difference.
	unison = 0.15
	// usualShare is the percentile of the differences of a repetition that stands for them.
	usualShare = 0.95
)

// between returns the largest differences of an angle in each of the twins, and in what is before, between and after
// them: the 95th percentile of the frames.
func (p *pair) between(m, n measure) (list []AngleDifference) {
	groups := make([][]AngleDifference, len(p.twins)+1)
	for i, pos := range p.positions {
		s, t := m.smooth[i], p.value(i, n.smooth)
		if !s.Present || !t.Present {
			continue
		}
		turns := 360 * math.Round((t.X-s.X)/360)
		j := pos.nearest()
		low, high := extent(n.smooth, p.t.seq.Times, j)
		near := min(max(s.X, low-turns), high-turns)
		d := difference(m, n, 0, i, j, s.X, near)
		low, high = extent(m.smooth, p.s.seq.Times, i)
		if own := min(max(t.X-turns, low), high); math.Abs(t.X-turns-own) > math.Abs(d.Difference) {
			d = difference(m, n, 0, i, j, own, t.X-turns)
		}
		k := 0
		for r, twin := range p.twins {
			if x := p.s.seq.Times[i]; x >= twin[0].marks[0] && x <= twin[0].end() {
				k = r + 1
			}
		}
		d.Repetition = k
		groups[k] = append(groups[k], d)
	}
	for _, g := range groups {
		if len(g) > 0 {
			slices.SortStableFunc(g, func(x, y AngleDifference) int { return cmp.Compare(math.Abs(x.Difference), math.Abs(y.Difference)) })
			list = append(list, g[int(usualShare*float64(len(g)-1))])
		}
	}
	return list
}

// extent returns the lowest and the highest of the values around a frame that has one.
func extent(values []analyze.Value, times []float64, i int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	at := func(k int) bool {
		if k < 0 || k >= len(values) || k != i && (times == nil || math.Abs(times[k]-times[i]) > unison) {
			return false
		}
		if v := values[k]; v.Present {
			low, high = min(low, v.X), max(high, v.X)
		}
		return true
	}
	for k := i; at(k); k++ {
	}
	for k := i - 1; at(k); k-- {
	}
	return low, high
}

// value returns the value of the target at frame i of the source. Between two frames of the target, it is
// interpolated if both have it, and absent otherwise.
func (a alignment) value(i int, values []analyze.Value) analyze.Value {
	m := a.positions[i]
	if m.outside {
		return analyze.Value{}
	}
	v := values[m.k]
	if m.share > 0 && v.Present {
		next := values[m.k+1]
		v = analyze.Value{X: v.X + m.share*(next.X-v.X), Present: next.Present}
	}
	return v
}

// halfTurn returns an angle within half a turn.
func halfTurn(degrees float64) float64 {
	if v := math.Remainder(degrees, 360); v > -180 {
		return v
	}
	return 180
}
