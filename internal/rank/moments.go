package rank

import (
	"iter"
	"math"
	"slices"
)

// Mean returns the mean, NaN of none. It adds the numbers one after the other, so that all processors have the same digits.
func Mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// Step returns the mean difference of successive times, without those of more than one and a half times the median, where
// frames are lost; 0 of fewer than two.
func Step(times []float64) (step float64, lost bool) {
	var steps []float64
	for i := 1; i < len(times); i++ {
		steps = append(steps, times[i]-times[i-1])
	}
	most := 1.5 * Median(slices.Clone(steps))
	kept := slices.DeleteFunc(slices.Clone(steps), func(v float64) bool { return v > most })
	if len(kept) == 0 {
		return 0, false
	}
	return Mean(kept), len(kept) < len(steps)
}

// Runs yields the runs of equal values, each as the index of its first one and that behind its last one.
func Runs[T comparable](values []T) iter.Seq2[int, int] {
	return func(yield func(first, end int) bool) {
		for first, end := 0, 0; first < len(values); first = end {
			for end < len(values) && values[end] == values[first] {
				end++
			}
			if !yield(first, end) {
				return
			}
		}
	}
}

// Covariance returns the covariance of a sample, n − 1, of pairs of numbers; NaN of fewer than two. The variance of
// numbers is that with themselves.
func Covariance(v, w []float64) float64 {
	m, n := Mean(v), Mean(w)
	var sum, restV, restW float64 // the rests are what rounding leaves of the deviations
	for i := range v {
		x, y := v[i]-m, w[i]-n
		sum, restV, restW = sum+x*y, restV+x, restW+y
	}
	return (sum - restV*restW/float64(len(v))) / float64(len(v)-1)
}

// Deviation returns the standard deviation of a sample, n − 1; NaN of fewer than two numbers.
func Deviation(v []float64) float64 { return math.Sqrt(Covariance(v, v)) }

// together is the correlation from which on numbers go with others.
const together = 0.8

// Line returns the line of least squares through pairs of numbers; ok is false where they correlate by less than 0.8, or x is the same
// but for rounding.
func Line(x, y []float64) (at func(x float64) float64, ok bool) {
	both, meanX, meanY, spread := Covariance(x, y), Mean(x), Mean(y), Deviation(x)
	at = func(x float64) float64 { return meanY + both/(spread*spread)*(x-meanX) }
	return at, both > together*spread*Deviation(y) && spread > 1e-9*math.Abs(meanX)
}
