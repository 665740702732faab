package clean

import (
	"math"

	"gonum.org/v1/gonum/interp"
)

// spline returns the cubic spline through two or more points whose third derivative is continuous at the second and
// the last but one (not-a-knot; de Boor, A Practical Guide to Splines, 1978). Before the first point and after the last
// it is constant. Through fewer than four points, and if the time steps are too uneven for it, it is PCHIP.
func spline(times, values []float64) interp.Predictor {
	slopes, ok := splineSlopes(times, values)
	if !ok {
		var monotone interp.FritschButland
		monotone.Fit(times, values) // fails for no times that increase
		return &monotone
	}
	var cubic interp.PiecewiseCubic
	cubic.FitWithDerivatives(times, values, slopes)
	return &cubic
}

// splineSlopes solves the tridiagonal equations of the slopes. Package interp of gonum has this spline too,
// but takes memory by the square and time by the cube of the number of points.
func splineSlopes(times, values []float64) (slopes []float64, ok bool) {
	n := len(times)
	if n < 4 {
		return nil, false
	}
	h, d := make([]float64, n-1), make([]float64, n-1)
	for k := range h {
		h[k] = times[k+1] - times[k]
		d[k] = (values[k+1] - values[k]) / h[k]
	}
	lower, diagonal, upper, right := make([]float64, n-1), make([]float64, n), make([]float64, n-1), make([]float64, n)
	for k := 1; k < n-1; k++ {
		lower[k-1], diagonal[k], upper[k] = h[k], 2*(h[k-1]+h[k]), h[k-1]
		right[k] = 3 * (h[k]*d[k-1] + h[k-1]*d[k])
	}
	diagonal[0], upper[0], right[0] = knotless(h[0], h[1], d[0], d[1])
	diagonal[n-1], lower[n-2], right[n-1] = knotless(h[n-2], h[n-3], d[n-2], d[n-3])
	for k := 1; k < n; k++ {
		factor := lower[k-1] / diagonal[k-1]
		diagonal[k] -= factor * upper[k-1]
		right[k] -= factor * right[k-1]
	}
	right[n-1] /= diagonal[n-1]
	for k := n - 2; k >= 0; k-- {
		right[k] = (right[k] - upper[k]*right[k+1]) / diagonal[k]
	}
	return right, !math.IsNaN(right[0]) && !math.IsInf(right[0], 0)
}

// knotless returns the equation of the slope at an end, from the steps and differences there and beside.
func knotless(h0, h1, d0, d1 float64) (diagonal, beside, right float64) {
	both := h0 + h1
	return h1, both, ((h0+2*both)*h1*d0 + h0*h0*d1) / both
}
