package clean

import "slices"

const (
	savitzkyGolayWindow = 9 // frames, by default

	// roundedSteps is the largest relative difference of time steps that are even but for the rounding of the times.
	roundedSteps = 1e-6
)

// savitzkyGolay sets each x to the value of the polynomial through the window around it.
func savitzkyGolay(times, x []float64, window, degree int) {
	if _, ok := even(times, roundedSteps); ok {
		times = slices.Clone(times)
		for i := range times {
			times[i] = float64(i)
		}
	}
	raw := slices.Clone(x)
	for i := range x {
		first := min(max(i-window/2, 0), len(x)-window)
		x[i] = fit(times[first:first+window], raw[first:first+window], degree, times[i])
	}
}

// fit returns the value at a time of the least-squares polynomial through points, by
// orthogonal polynomials (Forsythe 1957), which stay exact where normal equations do not.
func fit(times, x []float64, degree int, at float64) float64 {
	n := len(x)
	centre, scale := (times[0]+times[n-1])/2, (times[n-1]-times[0])/2
	u := func(t float64) float64 { return (t - centre) / scale }
	previous, current := make([]float64, n), slices.Repeat([]float64{1}, n)
	previousAt, currentAt := 0.0, 1.0
	norm, beta, sum := float64(n), 0.0, 0.0
	for k := 0; ; k++ {
		c, alpha := 0.0, 0.0
		for i, q := range current {
			c += q * x[i]
			alpha += q * q * u(times[i])
		}
		sum += c / norm * currentAt
		if k == degree {
			return sum
		}
		alpha /= norm
		next := 0.0
		for i, q := range current {
			p := (u(times[i])-alpha)*q - beta*previous[i]
			previous[i], current[i] = q, p
			next += p * p
		}
		previousAt, currentAt = currentAt, (u(at)-alpha)*currentAt-beta*previousAt
		beta, norm = next/norm, next
	}
}
