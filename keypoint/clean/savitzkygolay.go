package clean

import "gonum.org/v1/gonum/floats"

// savitzkyGolay fits polynomials to windows of frames.
type savitzkyGolay struct {
	window, degree int

	// Of even steps: what each of a window's numbers counts for the value at each place of
	// the window.
	weights [][]float64
	raw     []float64 // reused
}

// evenSteps is how much steps of time may differ, as a share, for the weights of even
// steps to serve: the rounding of frame times, not a variable rate.
const evenSteps = 1e-6

func (g *savitzkyGolay) run(times, x, y []float64) {
	_, steps := even(times, evenSteps)
	if steps && g.weights == nil {
		g.weights = g.evenWeights()
	}
	for _, v := range [2][]float64{x, y} {
		g.raw = append(g.raw[:0], v...)
		if steps {
			g.evenly(v)
			continue
		}
		for i := range v {
			first := min(max(i-g.window/2, 0), len(v)-g.window)
			v[i] = fit(times[first:first+g.window], g.raw[first:first+g.window], g.degree, times[i])
		}
	}
}

// evenly filters the raw numbers, at even steps, into x.
func (g *savitzkyGolay) evenly(x []float64) {
	n, half := len(x), g.window/2
	// A weight at a time for all frames whose window is around them.
	middle := x[half : n-half]
	clear(middle)
	for k, w := range g.weights[half] {
		floats.AddScaled(middle, w, g.raw[k:k+len(middle)])
	}
	for i := range half {
		x[i] = floats.Dot(g.weights[i], g.raw[:g.window])
		x[n-1-i] = floats.Dot(g.weights[g.window-1-i], g.raw[n-g.window:])
	}
}

// evenWeights returns the weights for even steps: fits to a 1 among zeros.
func (g *savitzkyGolay) evenWeights() [][]float64 {
	times, x := make([]float64, g.window), make([]float64, g.window)
	weights := make([][]float64, g.window)
	for i := range weights {
		times[i] = float64(i)
		weights[i] = make([]float64, g.window)
	}
	for k := range x {
		x[k] = 1
		for i := range weights {
			weights[i][k] = fit(times, x, g.degree, times[i])
		}
		x[k] = 0
	}
	return weights
}

// fit returns the value at a time of the least-squares polynomial through points, by
// orthogonal polynomials (Forsythe 1957), which stay exact where normal equations do not.
func fit(times, x []float64, degree int, at float64) float64 {
	n := len(x)
	centre, scale := (times[0]+times[n-1])/2, (times[n-1]-times[0])/2
	u := func(t float64) float64 { return (t - centre) / scale }
	previous, current := make([]float64, n), make([]float64, n)
	for i := range current {
		current[i] = 1
	}
	previousAt, currentAt := 0.0, 1.0
	norm := float64(n)
	beta := 0.0
	sum := 0.0
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
