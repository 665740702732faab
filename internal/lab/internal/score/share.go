package score

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/bodymotion/motion/internal/rank"
)

// Share is a count out of a total. The zero value is empty.
type Share struct {
	Count int // 0 to Of
	Of    int // 0 or more
}

// Value returns Count / Of, 0 to 1; ok is false for an empty share.
func (s Share) Value() (v float64, ok bool) {
	if s.Of == 0 {
		return 0, false
	}
	return float64(s.Count) / float64(s.Of), true
}

// Plus returns the sum of both shares.
func (s Share) Plus(o Share) Share { return Share{s.Count + o.Count, s.Of + o.Of} }

// With returns s with one more thing, which counts or not.
func (s Share) With(counts bool) Share {
	s.Of++
	if counts {
		s.Count++
	}
	return s
}

// String returns the count and the total, "-" for an empty share.
func (s Share) String() string {
	if s.Of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", s.Count, s.Of)
}

// Percent returns the share in per cent, "–" for an empty one.
func (s Share) Percent() string {
	v, ok := s.Value()
	if !ok {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}

// Values are measured numbers. The zero value is empty.
type Values []float64

// Mean returns the arithmetic mean; ok is false if there are no values.
func (v Values) Mean() (mean float64, ok bool) {
	if len(v) == 0 {
		return 0, false
	}
	return rank.Mean(v), true
}

// Median returns the median; ok is false if there are no values.
func (v Values) Median() (median float64, ok bool) {
	return rank.Median(slices.Clone(v)), len(v) > 0
}

// RMS returns the root of the mean square; ok is false if there are no values.
func (v Values) RMS() (rms float64, ok bool) {
	return floats.Norm(v, 2) / math.Sqrt(float64(max(len(v), 1))), len(v) > 0
}

// Plus returns the values of both.
func (v Values) Plus(o Values) Values { return append(v[:len(v):len(v)], o...) }

// add appends a finite value.
func (v Values) add(x float64) Values {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return v
	}
	return append(v, x)
}
