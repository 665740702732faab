package compare

import (
	"math"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// Angle is the difference of a named angle of package analyze, target minus source: positive where the
// target bends more.
type Angle struct {
	Type   analyze.Type
	Side   analyze.Side    // "" for an angle without sides
	Values []analyze.Value // degrees, −180 < v ≤ 180, one per frame of the source; absent where either lacks the angle
}

// Name returns the name of the angle in JSON: "leftKneeFlexion".
func (a Angle) Name() string {
	if a.Side == "" {
		return string(a.Type)
	}
	return string(a.Side) + strings.ToUpper(string(a.Type[:1])) + string(a.Type[1:])
}

// namedAngles returns all named angles, without values.
func namedAngles() (list []Angle) {
	for _, t := range analyze.Types() {
		switch {
		case t.Sided():
			list = append(list, Angle{Type: t, Side: analyze.LeftSide}, Angle{Type: t, Side: analyze.RightSide})
		case t.Points() == 0:
			list = append(list, Angle{Type: t})
		}
	}
	return list
}

// angles returns the differences of the named angles that both recordings have in some frame.
func angles(source, target keypoint.Sequence, a alignment) ([]Angle, error) {
	all := namedAngles()
	rules := make([]analyze.Rule, len(all))
	for k, x := range all {
		rules[k] = analyze.Rule{Type: x.Type, Side: x.Side}
	}
	s, err := analyze.Run(source, rules)
	if err != nil {
		return nil, err
	}
	t, err := analyze.Run(target, rules)
	if err != nil {
		return nil, err
	}
	found := []Angle{}
	for k, x := range all {
		any := false
		x.Values = make([]analyze.Value, source.Len())
		for i, v := range s[k].Values {
			if w := a.value(i, t[k].Values); v.Present && w.Present {
				x.Values[i] = analyze.Value{X: halfTurn(w.X - v.X), Present: true}
				any = true
			}
		}
		if any {
			found = append(found, x)
		}
	}
	return found, nil
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
