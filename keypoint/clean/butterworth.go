package clean

import (
	"math"
	"math/cmplx"
	"slices"
)

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

// lfilter filters x in place, direct form II transposed, from the state z, which it
// changes.
func lfilter(b, a, z, x []float64) {
	n := len(z)
	for i, v := range x {
		y := b[0]*v + z[0]
		for k := range n - 1 {
			z[k] = b[k+1]*v + z[k+1] - a[k+1]*y
		}
		z[n-1] = b[n]*v - a[n]*y
		x[i] = y
	}
}

// filtfilt filters x forwards and backwards, so that nothing is shifted in time. The ends
// are extended by pad points, turned about the end points. x has more than pad points.
func filtfilt(b, a, x []float64, pad int) []float64 {
	n := len(x)
	ext := make([]float64, n+2*pad)
	for i := range pad {
		ext[i] = 2*x[0] - x[pad-i]
		ext[n+pad+i] = 2*x[n-1] - x[n-2-i]
	}
	copy(ext[pad:], x)
	zi := steadyState(b, a)
	z := make([]float64, len(zi))
	for range 2 {
		for k := range z {
			z[k] = zi[k] * ext[0]
		}
		lfilter(b, a, z, ext)
		slices.Reverse(ext)
	}
	return ext[pad : pad+n]
}
