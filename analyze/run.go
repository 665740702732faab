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
	Coverage    float64 // share of the frames that have a value, 0 to 1
	Movie       *Summary
}

// Summary is a statistic over the frames.
type Summary struct {
	MovieOption
	// Value is the statistic; of a coordinate it is taken of x and of y for
	// themselves. It is absent where no frame has a value that counts.
	Value Value
	// Time is when the maximum or minimum is reached first; it is absent for other
	// statistics, for coordinates, and without times.
	Time Time
}

// Time is a moment of the recording.
type Time struct {
	Seconds float64
	Present bool
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
		if r.Type.rate() {
			values = derivative(seq.Times, values, r.Type == Speed)
		}
		results[i] = Result{Type: r.Type, Description: r.describe(), Values: values, Coverage: coverage(values)}
		if r.Movie != nil {
			results[i].Movie = r.summary(values, seq.Times)
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
	case Coordinate, Speed: // of which the derivative is taken
		return Value{p[0][0], p[0][1], true}
	case SegmentAngle:
		if p[0] == p[1] {
			return Value{}
		}
		d := math.Atan2(p[0][1]-p[1][1], p[1][0]-p[0][0]) * 180 / math.Pi
		if d <= -180 { // from a −0 of height
			d = 180
		}
		return Value{X: d, Present: true}
	case HorizontalDifference:
		return Value{X: p[0][0] - p[1][0], Present: true}
	case VerticalDifference:
		return Value{X: p[0][1] - p[1][1], Present: true}
	case EuclideanDistance:
		return Value{X: math.Hypot(p[0][0]-p[1][0], p[0][1]-p[1][1]), Present: true}
	}
	turn, ok := keypoint.Turn(p[0], p[1], p[2])
	if !ok {
		return Value{} // a ray without a direction
	}
	switch r.Type {
	case VectorAngle, AngularVelocity: // of which the derivative is taken
		return Value{X: math.Abs(turn), Present: true}
	case JointFlexion:
		return Value{X: 180 - math.Abs(turn), Present: true}
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
func (r *Rule) summary(values []Value, times []float64) *Summary {
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
		return s
	}
	if (s.Statistic == Max || s.Statistic == Min) && r.Type != Coordinate && times != nil {
		i := slices.IndexFunc(values, func(v Value) bool { return v.Present && v.X == s.Value.X })
		s.Time = Time{times[i], true}
	}
	return s
}

// coverage returns the share of values that are present, 0 for none.
func coverage(values []Value) float64 {
	n := 0
	for _, v := range values {
		if v.Present {
			n++
		}
	}
	return float64(n) / float64(max(len(values), 1))
}

// derivative returns the change per second of numbers, or the speed of points: between
// the two neighbouring frames, or to the one of them that has a value.
func derivative(times []float64, values []Value, points bool) []Value {
	out := make([]Value, len(values))
	has := func(i int) bool { return i >= 0 && i < len(values) && values[i].Present }
	for i, v := range values {
		from, to := i, i
		if has(i - 1) {
			from--
		}
		if has(i + 1) {
			to++
		}
		if !v.Present || from == to || times == nil {
			continue
		}
		dt := times[to] - times[from]
		change := values[to].X - values[from].X
		if points {
			change = math.Hypot(change, values[to].Y-values[from].Y)
		}
		out[i] = Value{X: change / dt, Present: true}
	}
	return out
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
	case Range:
		return floats.Max(v) - floats.Min(v), true
	case StandardDeviation:
		if len(v) < 2 {
			return 0, false
		}
		return stat.StdDev(v, nil), true
	}
	slices.Sort(v)
	switch n := len(v); s {
	case Percentile5:
		return percentile(v, 0.05), true
	case Percentile95:
		return percentile(v, 0.95), true
	default:
		return v[(n-1)/2]/2 + v[n/2]/2, true
	}
}

// percentile is linear between sorted numbers.
func percentile(v []float64, share float64) float64 {
	at := share * float64(len(v)-1)
	k := int(at)
	if k+1 >= len(v) {
		return v[k]
	}
	return v[k] + (at-float64(k))*(v[k+1]-v[k])
}
