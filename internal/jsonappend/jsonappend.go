// Package jsonappend appends the pieces of a JSON document to a slice.
package jsonappend

import (
	"bytes"
	"math"
	"strconv"
)

// End ends an array or object whose elements each end with a comma.
func End(b []byte, bracket byte) []byte { return append(bytes.TrimSuffix(b, []byte{','}), bracket) }

// Number appends v rounded to a number of decimals, without trailing zeros and without a
// minus sign on a zero. It rounds the product with the power of ten, half away from zero:
// 1.005 becomes 1.01, where strconv rounds the exact value, which is less, to 1.
func Number(b []byte, v float64, decimals int) []byte {
	scale := math.Pow10(decimals)
	if r := math.Round(v*scale) / scale; !math.IsInf(r, 0) && !math.IsNaN(r) {
		v = r
	}
	if v == 0 {
		v = 0 // not -0
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

// Rounded is a number that JSON has with at most four decimals.
type Rounded float64

// MarshalJSON implements json.Marshaler.
func (n Rounded) MarshalJSON() ([]byte, error) { return Number(nil, float64(n), 4), nil }
