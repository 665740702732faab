package clean

import (
	"math"
	"math/cmplx"
	"slices"
)

// butterworth filters forwards and backwards, so that there is no shift in time.
type butterworth struct {
	order  int
	cutoff float64 // Hz

	rate float64   // of b, a and zi, Hz
	b, a []float64 // the coefficients
	zi   []float64 // the state for a constant input of 1
}

// evenEnough is the largest relative difference of time steps that are not resampled.
const evenEnough = 0.1

func (f *butterworth) run(times, x []float64) {
	step, ok := even(times, evenEnough)
	if rate := meanRate(times); rate != f.rate {
		f.rate = rate
		f.b, f.a = butter(f.order, 2*f.cutoff/rate)
		f.zi = steadyState(f.b, f.a)
	}
	if ok {
		f.filtfilt(x)
		return
	}
	// Resample to even steps and back.
	grid, even := make([]float64, len(x)), make([]float64, len(x))
	for i := range grid {
		grid[i] = times[0] + float64(i)*step
	}
	sample(times, x, grid, even)
	f.filtfilt(even)
	sample(grid, even, times, x)
}

// sample evaluates the cubic spline through the points at other times.
func sample(times, x, at, out []float64) {
	curve := spline(times, x)
	for i, t := range at {
		out[i] = curve.Predict(t)
	}
}

// butter returns the coefficients b and a of a digital Butterworth low-pass with cutoff as a share of half the sampling
// rate, 0 to 1: the bilinear transform of the analogue prototype with the cut-off warped.
func butter(order int, cutoff float64) (b, a []float64) {
	const fs = 2.0
	warped := complex(2*fs*math.Tan(math.Pi*cutoff/fs), 0)
	poles, zeros := make([]complex128, order), make([]complex128, order)
	gain := cmplx.Pow(warped, complex(float64(order), 0))
	for k := range poles {
		m := float64(2*k - order + 1)
		p := -cmplx.Exp(complex(0, math.Pi*m/float64(2*order))) * warped
		gain /= complex(2*fs, 0) - p
		poles[k], zeros[k] = (complex(2*fs, 0)+p)/(complex(2*fs, 0)-p), -1
	}
	b, a = poly(zeros), poly(poles)
	for k := range b {
		b[k] *= real(gain)
	}
	return b, a
}

// poly returns the real coefficients of the polynomial with the roots, highest first.
func poly(roots []complex128) []float64 {
	c := []complex128{1}
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

// filtfilt filters x in place, forwards and backwards. The ends are extended by points
// reflected about the end points; x is longer than each extension.
func (f *butterworth) filtfilt(x []float64) {
	n, pad := len(x), 3*(f.order+1)
	ext := make([]float64, n+2*pad)
	for i := range pad {
		ext[i] = 2*x[0] - x[pad-i]
		ext[n+pad+i] = 2*x[n-1] - x[n-2-i]
	}
	copy(ext[pad:], x)
	z := make([]float64, f.order)
	for range 2 {
		for k := range z {
			z[k] = f.zi[k] * ext[0]
		}
		lfilter(f.b, f.a, z, ext)
		slices.Reverse(ext)
	}
	copy(x, ext[pad:])
}

// lfilter filters v in place in the direct form II transposed. z is the state, which it changes.
func lfilter(b, a, z, v []float64) {
	n := len(z)
	for i, x := range v {
		y := b[0]*x + z[0]
		for k := 1; k < n; k++ {
			z[k-1] = b[k]*x + z[k] - a[k]*y
		}
		z[n-1] = b[n]*x - a[n]*y
		v[i] = y
	}
}
