package clean

import (
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/interp"
)

// butterworth filters forwards and backwards, so that nothing is shifted in time.
type butterworth struct {
	order  int
	cutoff float64 // Hz

	rate float64   // that b, a and zi are for, Hz
	b, a []float64 // the filter
	zi   []float64 // its state for a constant 1
	z    []pair    // its state at work
	ext  []pair    // reused
}

// pair is a number of each of two series, which are filtered at once: each step of one waits
// for its step before, so that two take the time of one.
type pair [2]float64

// evenEnough is how much steps of time may differ, as a share, to be filtered as they are.
const evenEnough = 0.1

func (f *butterworth) run(times, x, y []float64) {
	step, ok := even(times, evenEnough)
	// Steps that differ by their rounding are the same filter.
	rate := math.Round(1e9/step) / 1e9
	if 2*f.cutoff >= rate {
		return // nothing lies above the cut-off
	}
	if rate != f.rate {
		f.rate = rate
		f.b, f.a = butter(f.order, 2*f.cutoff/rate)
		f.zi, f.z = steadyState(f.b, f.a), make([]pair, f.order)
	}
	if ok {
		f.filtfilt(x, y)
		return
	}
	// At even steps, and back.
	grid, evenX, evenY := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	for i := range grid {
		grid[i] = times[0] + float64(i)*step
	}
	sample(times, x, grid, evenX)
	sample(times, y, grid, evenY)
	f.filtfilt(evenX, evenY)
	sample(grid, evenX, times, x)
	sample(grid, evenY, times, y)
}

// sample evaluates the cubic spline through the points, four or more, at other times
// between the first and the last; where the steps of time are too unequal to tell the
// spline, PCHIP.
func sample(times, x, at, out []float64) {
	var spline interp.NotAKnotCubic
	curve := spline.Predict
	if err := spline.Fit(times, x); err != nil {
		slopes := pchipSlopes(times, x)
		curve = func(t float64) float64 { return hermite(times, x, slopes, t) }
	}
	for i, t := range at {
		out[i] = curve(min(max(t, times[0]), times[len(times)-1]))
	}
}

// butter returns the coefficients b and a of a digital Butterworth low-pass of the order,
// with cutoff as a share of half the sampling rate, 0 to 1. It is the bilinear transform
// of the analogue prototype with the cut-off warped.
func butter(order int, cutoff float64) (b, a []float64) {
	const fs = 2.0
	warped := complex(2*fs*math.Tan(math.Pi*cutoff/fs), 0)
	poles := make([]complex128, order)
	gain := cmplx.Pow(warped, complex(float64(order), 0))
	for k := range poles {
		m := float64(2*k - order + 1)
		p := -cmplx.Exp(complex(0, math.Pi*m/float64(2*order))) * warped
		gain /= complex(2*fs, 0) - p
		poles[k] = (complex(2*fs, 0) + p) / (complex(2*fs, 0) - p)
	}
	zeros := make([]complex128, order)
	for k := range zeros {
		zeros[k] = -1
	}
	b, a = poly(zeros), poly(poles)
	for k := range b {
		b[k] *= real(gain)
	}
	return b, a
}

// poly returns the real coefficients of the polynomial with the roots, highest first.
func poly(roots []complex128) []float64 {
	c := make([]complex128, 1, len(roots)+1)
	c[0] = 1
	for _, r := range roots {
		c = append(c, 0)
		for k := len(c) - 1; k > 0; k-- {
			c[k] -= r * c[k-1]
		}
	}
	out := make([]float64, len(c))
	for k := range c {
		out[k] = real(c[k])
	}
	return out
}

// steadyState returns the filter's state for a constant input of 1.
func steadyState(b, a []float64) []float64 {
	n := len(a) - 1
	z := make([]float64, n)
	sumB, sumA := 0.0, a[0]
	for k := 1; k <= n; k++ {
		sumB += b[k] - a[k]*b[0]
		sumA += a[k]
	}
	z[0] = sumB / sumA
	asum, csum := a[0], 0.0
	for k := 1; k < n; k++ {
		asum += a[k]
		csum += b[k] - a[k]*b[0]
		z[k] = asum*z[0] - csum
	}
	return z
}

// filtfilt filters x and y in place. The ends are extended by points turned about the end
// points; there are more than those.
func (f *butterworth) filtfilt(x, y []float64) {
	n, pad := len(x), 3*(f.order+1)
	f.ext = slices.Grow(f.ext[:0], n+2*pad)[:n+2*pad]
	for i := range pad {
		f.ext[i] = pair{2*x[0] - x[pad-i], 2*y[0] - y[pad-i]}
		f.ext[n+pad+i] = pair{2*x[n-1] - x[n-2-i], 2*y[n-1] - y[n-2-i]}
	}
	inner := f.ext[pad : pad+n]
	for i := range inner {
		inner[i] = pair{x[i], y[i]}
	}
	for range 2 {
		for k := range f.z {
			f.z[k] = pair{f.zi[k] * f.ext[0][0], f.zi[k] * f.ext[0][1]}
		}
		lfilter(f.b, f.a, f.z, f.ext)
		slices.Reverse(f.ext)
	}
	for i := range inner {
		x[i], y[i] = inner[i][0], inner[i][1]
	}
}

// lfilter filters v in place, direct form II transposed, from the state z, which it
// changes.
func lfilter(b, a []float64, z, v []pair) {
	n := len(z)
	if n == 4 { // the default, without loops
		b0, b1, b2, b3, b4 := b[0], b[1], b[2], b[3], b[4]
		a1, a2, a3, a4 := a[1], a[2], a[3], a[4]
		p0, p1, p2, p3 := z[0][0], z[1][0], z[2][0], z[3][0]
		q0, q1, q2, q3 := z[0][1], z[1][1], z[2][1], z[3][1]
		for i := range v {
			x, y := v[i][0], v[i][1]
			p, q := b0*x+p0, b0*y+q0
			p0, q0 = b1*x+p1-a1*p, b1*y+q1-a1*q
			p1, q1 = b2*x+p2-a2*p, b2*y+q2-a2*q
			p2, q2 = b3*x+p3-a3*p, b3*y+q3-a3*q
			p3, q3 = b4*x-a4*p, b4*y-a4*q
			v[i][0], v[i][1] = p, q
		}
		return
	}
	b, a = b[:n+1], a[:n+1]
	for i := range v {
		for c, x := range v[i] {
			y := b[0]*x + z[0][c]
			for k := 1; k < n; k++ {
				z[k-1][c] = b[k]*x + z[k][c] - a[k]*y
			}
			z[n-1][c] = b[n]*x - a[n]*y
			v[i][c] = y
		}
	}
}
