// Package trig has the arctangent that angles and directions are made of. A job computes
// some hundred thousand of them, and that of package math takes twice as long.
package trig

import "math"

// steps is how many intervals the slopes from 0 to 1 are parted into.
const steps = 64

// arc holds the arctangents of k/steps, in degrees. Its length is a power of two, so that
// no index is out of range.
var arc = func() (a [128]float64) {
	for k := range steps {
		a[k] = math.Atan(float64(k)/steps) * (180 / math.Pi)
	}
	a[steps] = 45
	return a
}()

// Atan2 returns the angle of the point (x, y) in degrees, −180 ≤ v ≤ 180, from the
// x-axis towards the y-axis, within 2⁻⁵¹ of the true value relative to it. Multiples of
// 45 degrees are exact. Its sign is that of y; zeros, infinities and NaN are as in
// math.Atan2.
//
// With c the multiple of 1/64 that is nearest to the slope m/n ≤ 1,
//
//	atan(m/n) = atan(c) + atan((m − c·n) / (n + c·m))
//
// and the second term, below 1/127, is four terms of its series.
func Atan2(y, x float64) float64 {
	const sign = 1 << 63
	xb, yb := math.Float64bits(x), math.Float64bits(y)
	ax, ay := xb&^sign, yb&^sign // numbers are in the order of their bits
	m, n := math.Float64frombits(min(ax, ay)), math.Float64frombits(max(ax, ay))
	if !(n > 1e-280 && n < 1e300) {
		return math.Copysign(math.Atan2(math.Abs(y), x)*(180/math.Pi), y)
	}
	k := uint(m/n*steps + 0.5)
	c := float64(k) * (1.0 / steps)
	t := (m - c*n) / (n + c*m)
	z := t * t
	a := arc[k%128] + t*(180/math.Pi)*(1-z*(1.0/3-z*(1.0/5-z*(1.0/7))))
	// Without branches, which would be guessed wrong as often as right.
	o := &octants[(ax-ay)>>63|xb>>63<<1]
	a = o.base + o.factor*a
	return math.Float64frombits(math.Float64bits(a) | yb&sign)
}

// octants place the angle of m/n into the upper half plane. Bit 0 of their number tells
// that y is the larger one, bit 1 that x is negative.
var octants = [4]struct{ base, factor float64 }{{0, 1}, {90, -1}, {180, -1}, {90, 1}}
