package rank

import "math"

// Mean returns the mean, NaN of none. It adds the numbers one after the other, so that all processors have the same digits.
func Mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
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
