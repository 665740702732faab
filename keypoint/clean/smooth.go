package clean

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/interp"
)

// The ways to smooth.
const (
	Butterworth   Method = "butterworth"   // zero-phase low-pass, forwards and backwards
	OneEuro       Method = "oneEuro"       // low-pass whose cut-off rises with the speed; causal, so it lags a little
	Median        Method = "median"        // median of the neighbours
	SavitzkyGolay Method = "savitzkyGolay" // least-squares polynomial through the neighbours
)

// Smooth smooths each run of points.
//
// Butterworth is applied twice, so that at Cutoff the amplitude is a half and not
// 1/√2. It needs even steps of time: a run whose steps differ by more than a tenth is
// resampled to even steps along a cubic spline, filtered and sampled at its own times
// again.
//
// OneEuro follows Casiez, Roussel and Vogel, "1€ Filter" (CHI 2012), with a cut-off of 1
// Hz for the speed.
//
// Median takes Window frames around each; near the ends of a run fewer, the same number
// on both sides.
//
// SavitzkyGolay fits a polynomial of degree Order to Window frames around each, by their
// times; the first and last half window lie on the polynomial of the first and last
// window.
type Smooth struct {
	Method Method  `json:"method,omitempty"` // "" means Butterworth
	Order  int     `json:"order,omitempty"`  // of Butterworth, 1 to 8, 0 means 4; degree of SavitzkyGolay, 1 to 5, 0 means 3
	Cutoff float64 `json:"cutoff,omitempty"` // Hz; of Butterworth, 0 means 6; of OneEuro at rest, 0 means 1
	Beta   float64 `json:"beta,omitempty"`   // of OneEuro: how the cut-off rises, Hz per pixel/s; 0 means 0.007
	Window int     `json:"window,omitempty"` // frames, odd; of Median, 0 means 5; of SavitzkyGolay, 0 means 9
}

func (s Smooth) window() int {
	switch {
	case s.Window > 0:
		return s.Window
	case s.Method == SavitzkyGolay:
		return 9
	}
	return 5
}

func (s Smooth) order() int {
	switch {
	case s.Order > 0:
		return s.Order
	case s.Method == SavitzkyGolay:
		return 3
	}
	return 4
}

func orElse(v, def float64) float64 {
	if v == 0 {
		return def
	}
	return v
}

// need returns how many points a run must have.
func (s Smooth) need() int {
	switch s.Method {
	case OneEuro:
		return 2
	case Median:
		return 3
	case SavitzkyGolay:
		return s.window()
	}
	return 3*(s.order()+1) + 1
}

func (s Smooth) smooth(t *track) {
	t.runs(func(first, end int) {
		if need := s.need(); end-first < need {
			t.report.Skips = append(t.report.Skips, Skip{t.part, first, end - 1, need})
			return
		}
		times := t.times[first:end]
		for _, axis := range t.axis {
			copy(axis[first:end], s.run(times, axis[first:end]))
		}
		for i := first; i < end; i++ {
			t.note(i, Smoothed)
		}
	})
}

// run smooths a run of numbers that is long enough.
func (s Smooth) run(times, x []float64) []float64 {
	switch s.Method {
	case OneEuro:
		return oneEuro(times, x, orElse(s.Cutoff, 1), orElse(s.Beta, 0.007))
	case Median:
		return median(x, s.window())
	case SavitzkyGolay:
		return savitzkyGolay(times, x, s.window(), s.order())
	}
	return s.butterworth(times, x)
}

// even is how much steps of time may differ, as a share, to count as even.
const even = 0.1

func (s Smooth) butterworth(times, x []float64) []float64 {
	n := len(x)
	step := (times[n-1] - times[0]) / float64(n-1)
	cutoff := orElse(s.Cutoff, 6) * 2 * step // as a share of half the sampling rate
	if cutoff >= 1 {
		return slices.Clone(x) // nothing lies above the cut-off
	}
	b, a := butter(s.order(), cutoff)
	pad := 3 * (s.order() + 1)
	for i := 1; i < n; i++ {
		if math.Abs(times[i]-times[i-1]-step) > even*step {
			return resampled(times, x, step, func(x []float64) []float64 { return filtfilt(b, a, x, pad) })
		}
	}
	return filtfilt(b, a, x, pad)
}

// resampled filters x at even steps and returns it at its own times.
func resampled(times, x []float64, step float64, filter func([]float64) []float64) []float64 {
	grid, out := make([]float64, len(x)), make([]float64, len(x))
	for i := range grid {
		grid[i] = times[0] + float64(i)*step
	}
	sample(times, x, grid, out)
	filtered := filter(out)
	sample(grid, filtered, times, out)
	return out
}

// sample evaluates the cubic spline through the points, four or more, at other times
// between the first and the last.
func sample(times, x, at, out []float64) {
	var spline interp.NotAKnotCubic
	if err := spline.Fit(times, x); err != nil {
		panic("clean: " + err.Error()) // the times increase, so there is a spline
	}
	for i, t := range at {
		out[i] = spline.Predict(min(max(t, times[0]), times[len(times)-1]))
	}
}

// oneEuro is the 1€ filter.
func oneEuro(times, x []float64, minCutoff, beta float64) []float64 {
	const speedCutoff = 1
	alpha := func(cutoff, dt float64) float64 {
		tau := 1 / (2 * math.Pi * cutoff)
		return 1 / (1 + tau/dt)
	}
	out := make([]float64, len(x))
	out[0] = x[0]
	speed := 0.0
	for i := 1; i < len(x); i++ {
		dt := times[i] - times[i-1]
		a := alpha(speedCutoff, dt)
		speed = a*(x[i]-out[i-1])/dt + (1-a)*speed
		a = alpha(minCutoff+beta*math.Abs(speed), dt)
		out[i] = a*x[i] + (1-a)*out[i-1]
	}
	return out
}

// median is the running median of window numbers.
func median(x []float64, window int) []float64 {
	out := make([]float64, len(x))
	buf := make([]float64, 0, window)
	for i := range x {
		half := min(window/2, i, len(x)-1-i)
		buf = append(buf[:0], x[i-half:i+half+1]...)
		out[i] = medianOf(buf)
	}
	return out
}

// savitzkyGolay fits polynomials to windows of frames.
func savitzkyGolay(times, x []float64, window, degree int) []float64 {
	n, half := len(x), window/2
	out := make([]float64, n)
	for i := range x {
		first := min(max(i-half, 0), n-window)
		out[i] = fit(times[first:first+window], x[first:first+window], degree, times[i])
	}
	return out
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
