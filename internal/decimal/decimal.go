// Package decimal writes numbers with few decimals, as JSON has them. Formatting is most
// of the time of writing keypoints, and package strconv searches for the shortest form
// that rounding to decimals gives at once.
package decimal

import (
	"math"
	"strconv"
)

// tens are the powers of ten, exact.
var tens = [...]float64{1, 10, 100, 1000, 10_000, 100_000, 1_000_000}

// Append appends v rounded to a number of decimals, 6 at most, without trailing
// zeros and without a minus sign on a zero.
func Append(b []byte, v float64, decimals int) []byte {
	scaled := math.Abs(v) * tens[decimals]
	if !(scaled < 1e15) { // the shortest form has more digits than fit below
		if r := math.Round(v*tens[decimals]) / tens[decimals]; !math.IsInf(r, 0) && !math.IsNaN(r) {
			v = r
		}
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	n := uint64(scaled)
	if scaled-float64(n) >= 0.5 { // exact, as math.Round
		n++
	}
	if v < 0 && n > 0 {
		b = append(b, '-')
	}
	if n >= 1e9 {
		return appendLarge(b, n, decimals)
	}
	// 32-bit divisions are faster.
	whole := uint32(n) / tens32[decimals]
	rest := uint32(n) - whole*tens32[decimals]
	switch {
	case whole < 10:
		b = append(b, byte('0'+whole))
	case whole < 100:
		b = append(b, byte('0'+whole/10), byte('0'+whole%10))
	case whole < 1000:
		b = append(b, byte('0'+whole/100), byte('0'+whole/10%10), byte('0'+whole%10))
	default:
		b = strconv.AppendUint(b, uint64(whole), 10)
	}
	switch {
	case rest == 0:
		return b
	case decimals == 2 && rest%10 != 0:
		return append(b, '.', byte('0'+rest/10), byte('0'+rest%10))
	}
	b = append(b, '.')
	for rest != 0 {
		decimals--
		digit := rest / tens32[decimals]
		b = append(b, byte('0'+digit))
		rest -= digit * tens32[decimals]
	}
	return b
}

var tens32 = [...]uint32{1, 10, 100, 1000, 10_000, 100_000, 1_000_000}

// appendLarge appends n / 10^decimals.
func appendLarge(b []byte, n uint64, decimals int) []byte {
	ten := uint64(tens32[decimals])
	b = strconv.AppendUint(b, n/ten, 10)
	if n %= ten; n == 0 {
		return b
	}
	b = append(b, '.')
	for n != 0 {
		ten /= 10
		b = append(b, byte('0'+n/ten))
		n %= ten
	}
	return b
}
