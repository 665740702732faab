package analyze

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/bodymotion/motion/keypoint"
)

// Value is the value of one frame: a number X, or of a coordinate the point (X, Y).
type Value struct {
	X, Y    float64
	Present bool // false where the frame has no value; X and Y are 0 then
}

// Result is what a rule gave.
type Result struct {
	Type        Type
	Description string  // one English sentence: type, points and unit
	Values      []Value // one a frame
	Movie       *Summary
}

// Summary is a statistic over the frames.
type Summary struct {
	MovieOption
	// Value is the statistic; of a coordinate it is taken of x and of y for
	// themselves. It is absent where no frame has a value that counts.
	Value Value
}

// Run computes the rules for every frame. A sequence without times and of one frame
// is an image, for which a rule may not have a movie option. What is wrong with the
// rules comes back as Errors; a sequence that is not valid is a keypoint.ErrInvalid.
func Run(seq keypoint.Sequence, rules []Rule) ([]Result, error) {
	if err := seq.Validate(); err != nil {
		return nil, err
	}
	if err := Check(rules, seq.Times != nil || seq.Len() != 1); err != nil {
		return nil, err
	}
	results := make([]Result, len(rules))
	for i, r := range rules {
		values := make([]Value, seq.Len())
		for j := range seq.Frames {
			values[j] = r.value(&seq.Frames[j])
		}
		results[i] = Result{Type: r.Type, Description: r.describe(), Values: values}
		if r.Movie != nil {
			results[i].Movie = r.summary(values)
		}
	}
	return results, nil
}

// value computes the rule for one frame.
func (r *Rule) value(f *keypoint.Frame) Value {
	var p [3]keypoint.Point
	for i, s := range r.Points {
		q, ok := s.At(f)
		if !ok {
			return Value{}
		}
		p[i] = q
	}
	switch r.Type {
	case Coordinate:
		return Value{p[0][0], p[0][1], true}
	case HorizontalDifference:
		return Value{X: p[0][0] - p[1][0], Present: true}
	case VerticalDifference:
		return Value{X: p[0][1] - p[1][1], Present: true}
	case EuclideanDistance:
		return Value{X: math.Hypot(p[0][0]-p[1][0], p[0][1]-p[1][1]), Present: true}
	}
	a, b := p[0].Sub(p[1]), p[2].Sub(p[1])
	if a == (keypoint.Point{}) || b == (keypoint.Point{}) {
		return Value{} // a ray without a direction
	}
	// Counter-clockwise on screen, where y points down.
	turn := math.Atan2(a[1]*b[0]-a[0]*b[1], a[0]*b[0]+a[1]*b[1]) * 180 / math.Pi
	if r.Type == VectorAngle {
		return Value{X: math.Abs(turn), Present: true}
	}
	if turn < 0 {
		turn += 360
	}
	if turn >= 360 { // a tiny negative turn, rounded
		turn = 0
	}
	return Value{X: turn, Present: true}
}

// summary takes the rule's statistic of the values.
func (r *Rule) summary(values []Value) *Summary {
	s := &Summary{MovieOption: *r.Movie}
	if s.Target == "" {
		s.Target = AllValues
	}
	chosen := make([]float64, 0, len(values))
	axis := func(get func(Value) float64) (float64, bool) {
		chosen = chosen[:0]
		for _, v := range values {
			x := get(v)
			if v.Present && (s.Target == AllValues || s.Target == PositiveValues && x > 0 || s.Target == NegativeValues && x < 0) {
				chosen = append(chosen, x)
			}
		}
		return s.Statistic.of(chosen)
	}
	s.Value.X, s.Value.Present = axis(func(v Value) float64 { return v.X })
	if r.Type == Coordinate {
		var ok bool
		s.Value.Y, ok = axis(func(v Value) float64 { return v.Y })
		s.Value.Present = s.Value.Present && ok
	}
	if !s.Value.Present {
		s.Value = Value{}
	}
	return s
}

// of takes the statistic of numbers, which it may reorder.
func (s Statistic) of(v []float64) (float64, bool) {
	if len(v) == 0 {
		return 0, false
	}
	switch s {
	case Max:
		return floats.Max(v), true
	case Min:
		return floats.Min(v), true
	case Mean:
		return stat.Mean(v, nil), true
	}
	slices.Sort(v)
	n := len(v)
	return v[(n-1)/2]/2 + v[n/2]/2, true
}
