package analyze

import (
	"cmp"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
)

// Statistic is a number that summarizes all values of a recording.
type Statistic string

// The statistics. The median of an even number of values is the mean of the middle two. The standard deviation is that of a sample, with n
// − 1, and needs two values. Percentiles interpolate linearly between the sorted values: the first one is at 0, the last one at 100.
const (
	Max    Statistic = "max"
	Min    Statistic = "min"
	Mean   Statistic = "mean"
	Median Statistic = "median"

	// Beyond the specification of the service:

	Range             Statistic = "range" // max − min
	StandardDeviation Statistic = "standardDeviation"
	percentile5       Statistic = "percentile5"
	percentile95      Statistic = "percentile95"
)

// statistics are the formulas, for one number or more. They may sort the numbers.
var statistics = map[Statistic]func([]float64) float64{
	Max:               slices.Max[[]float64],
	Min:               slices.Min[[]float64],
	Mean:              rank.Mean,
	Median:            rank.Median,
	Range:             func(v []float64) float64 { return slices.Max(v) - slices.Min(v) },
	StandardDeviation: rank.Deviation,
	percentile5:       func(v []float64) float64 { return rank.Percentile(v, 0.05) },
	percentile95:      func(v []float64) float64 { return rank.Percentile(v, 0.95) },
}

// statisticNames lists the statistics for messages.
var statisticNames = []Statistic{Max, Min, Mean, Median, Range, StandardDeviation, percentile5, percentile95}

// Target says which values a statistic counts: "all", "positive" or "negative" ones. Zero is neither positive nor negative.
type Target string

const (
	allValues      Target = "all"
	positiveValues Target = "positive"
	negativeValues Target = "negative"
)

var targetNames = []Target{allValues, positiveValues, negativeValues}

func (o MovieOption) summary(t Type, values []Value, times []float64) *Summary {
	o.Target = cmp.Or(o.Target, allValues)
	s := &Summary{MovieOption: o, Value: o.of(values, func(v Value) float64 { return v.X })}
	if t.Pair() {
		y := o.of(values, func(v Value) float64 { return v.Y })
		s.Value.Y = y.X
		if !s.Value.Present || !y.Present {
			s.Value = Value{}
		}
	}
	if s.Value.Present && (s.Statistic == Max || s.Statistic == Min) && !t.Pair() && times != nil {
		i := slices.IndexFunc(values, func(v Value) bool { return v.Present && v.X == s.Value.X })
		s.Time = Value{X: times[i], Present: true}
	}
	return s
}

// allStatistics returns every statistic of the values.
func allStatistics(values []Value) map[Statistic]Value {
	all := make(map[Statistic]Value, len(statisticNames))
	for _, name := range statisticNames {
		all[name] = MovieOption{name, allValues}.of(values, func(v Value) float64 { return v.X })
	}
	return all
}

// of returns the statistic of the numbers that count, absent if there are too few or if it overflows.
func (o MovieOption) of(values []Value, get func(Value) float64) Value {
	x := rank.Known(len(values), func(i int) (float64, bool) {
		n := get(values[i])
		return n, values[i].Present && (o.Target == allValues || o.Target == positiveValues && n > 0 || o.Target == negativeValues && n < 0)
	})
	if len(x) == 0 {
		return Value{}
	}
	return number(statistics[o.Statistic](x))
}

// MovieOption asks for a statistic over the frames of a movie.
type MovieOption struct {
	Statistic Statistic `json:"statisticsType"`
	Target    Target    `json:"targetValue,omitempty"` // "" means all
}

// Summary is a statistic over the frames of one person, Sequence.MainPerson.
type Summary struct {
	MovieOption
	// Value is the statistic; for a coordinate, x and y are taken separately. It is absent if no frame has a value that counts.
	Value Value
	// Time is when the maximum or minimum is reached first, in seconds. It is absent for
	// other statistics, for coordinates, and for recordings without times.
	Time Value
}
