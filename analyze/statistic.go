package analyze

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// summary takes the rule's statistic of the values. It writes to scratch, which has room
// for all of them.
func (r *Rule) summary(values []Value, times, scratch []float64) *Summary {
	s := &Summary{MovieOption: *r.Movie}
	if s.Target == "" {
		s.Target = AllValues
	}
	x, ok := s.Statistic.of(s.Target.choose(values, false, scratch))
	s.Value = Value{X: x, Present: ok}
	if r.Type == Coordinate {
		y, okY := s.Statistic.of(s.Target.choose(values, true, scratch))
		s.Value = Value{X: x, Y: y, Present: ok && okY}
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

// choose appends the numbers that count to v.
func (t Target) choose(values []Value, ofY bool, v []float64) []float64 {
	for i := range values {
		x := values[i].X
		if ofY {
			x = values[i].Y
		}
		if values[i].Present && (t == AllValues || t == PositiveValues && x > 0 || t == NegativeValues && x < 0) {
			v = append(v, x)
		}
	}
	return v
}

// of takes the statistic of numbers, which it may reorder; ok is false where there are
// too few, or where it is beyond the range of numbers.
func (s Statistic) of(v []float64) (value float64, ok bool) {
	if len(v) == 0 || s == StandardDeviation && len(v) < 2 {
		return 0, false
	}
	switch s {
	case Max:
		value = floats.Max(v)
	case Min:
		value = floats.Min(v)
	case Mean:
		value = stat.Mean(v, nil)
	case Range:
		value = floats.Max(v) - floats.Min(v)
	case StandardDeviation:
		value = stat.StdDev(v, nil)
	case Percentile5:
		value = percentile(v, 0.05)
	case Percentile95:
		value = percentile(v, 0.95)
	default:
		value = percentile(v, 0.5)
	}
	return value, finite(value)
}

// percentile returns the number below which a share of the numbers lies, linear between
// neighbours. It reorders them.
func percentile(v []float64, share float64) float64 {
	at := share * float64(len(v)-1)
	k := int(at)
	low := smallest(v, k)
	if k+1 >= len(v) || at == float64(k) {
		return low
	}
	high := floats.Min(v[k+1:])
	part := at - float64(k)
	return low*(1-part) + high*part
}

// smallest returns the k-th smallest number, from 0, and moves the smaller ones before it
// and the larger ones behind it (Hoare's selection).
func smallest(v []float64, k int) float64 {
	low, high := 0, len(v)-1
	for low < high {
		pivot := middle(v[low], v[low+(high-low)/2], v[high])
		i, j := low, high
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return v[k]
		}
	}
	return v[k]
}

// middle returns the median of three.
func middle(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }
