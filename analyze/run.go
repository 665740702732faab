package analyze

import (
	"math"

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
	n := seq.Len()
	all := make([]Value, n*len(rules)) // at once, which is faster
	for i := range rules {
		results[i] = Result{Type: rules[i].Type, Description: rules[i].describe(), Values: all[i*n : i*n+n : i*n+n]}
	}
	present := make([]int, len(rules))
	// Some frames at a time, which stay in the processor's cache for all rules.
	for first := 0; first < seq.Len(); first += block {
		end := min(first+block, seq.Len())
		for i := range rules {
			present[i] += rules[i].compute(results[i].Values[first:end], seq.Frames[first:end])
		}
	}
	var scratch []float64
	for i := range rules {
		r, values := &rules[i], results[i].Values
		if r.Type.rate() {
			values = derivative(seq.Times, values, r.Type == Speed)
			results[i].Values, present[i] = values, count(values)
		}
		results[i].Coverage = float64(present[i]) / float64(max(n, 1))
		if r.Movie != nil {
			if scratch == nil {
				scratch = make([]float64, 0, seq.Len())
			}
			results[i].Movie = r.summary(values, seq.Times, scratch)
		}
	}
	return results, nil
}

// count returns how many values are present.
func count(values []Value) (n int) {
	for i := range values {
		if values[i].Present {
			n++
		}
	}
	return n
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
		if v := change / dt; finite(v) {
			out[i] = Value{X: v, Present: true}
		}
	}
	return out
}
