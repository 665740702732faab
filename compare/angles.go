package compare

import (
	"cmp"
	"math"
	"slices"
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

// Largest is the largest difference of a named angle.
type Largest struct {
	Angle      string  `json:"angle"`      // as Angle.Name
	Frame      int     `json:"frame"`      // of the source
	Difference float64 `json:"difference"` // degrees, target minus source, −180 < v ≤ 180
	Source     float64 `json:"source"`     // degrees, the angle itself
	Target     float64 `json:"target"`
}

// angles returns the differences of the named angles that both recordings have in some frame, and the largest
// difference of each, the largest of all first.
func angles(source, target keypoint.Sequence, a alignment) ([]Angle, []Largest, error) {
	all := namedAngles()
	rules := make([]analyze.Rule, len(all))
	for k, x := range all {
		rules[k] = analyze.Rule{Type: x.Type, Side: x.Side}
	}
	s, err := analyze.Run(source, rules)
	if err != nil {
		return nil, nil, err
	}
	t, err := analyze.Run(target, rules)
	if err != nil {
		return nil, nil, err
	}
	found, largest := []Angle{}, []Largest{}
	for k, x := range all {
		most := Largest{Angle: x.Name(), Frame: -1}
		x.Values = make([]analyze.Value, source.Len())
		for i, v := range s[k].Values {
			if w := a.value(i, t[k].Values); v.Present && w.Present {
				d := halfTurn(w.X - v.X)
				x.Values[i] = analyze.Value{X: d, Present: true}
				if most.Frame < 0 || math.Abs(d) > math.Abs(most.Difference) {
					most.Frame, most.Difference, most.Source, most.Target = i, d, v.X, w.X
				}
			}
		}
		if most.Frame >= 0 {
			found, largest = append(found, x), append(largest, most)
		}
	}
	slices.SortStableFunc(largest, func(x, y Largest) int { return cmp.Compare(math.Abs(y.Difference), math.Abs(x.Difference)) })
	return found, largest, nil
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
