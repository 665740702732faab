package clean

import (
	"cmp"
	"math"
	"sort"
)

// Method is the method of a step.
type Method string

// The methods of filling a gap.
const (
	Linear Method = "linear" // straight from the last point to the next
	PCHIP  Method = "pchip"  // along a monotone cubic through the points around the gap
)

// Gaps fills gaps between two points of a part that are at most Max seconds apart. Frames
// before the first and after the last point are never filled. Nor are gaps of which one end has
// a confidence below 0.3, or whose ends do not belong together: neither the velocity before nor
// that after the gap, nor rest, leads within (0.2 + 25·dt²) torso lengths across the dt seconds.
// A filled point has the smaller confidence of the two.
//
// PCHIP is the piecewise cubic Hermite interpolation of Fritsch and Butland (1984), with
// the one-sided three-point formula at the ends: it goes through every point and never
// beyond two neighbours.
type Gaps struct {
	Method Method  `json:"method,omitempty"` // "" means PCHIP
	Max    float64 `json:"max,omitempty"`    // seconds; 0 means 0.5
}

func (g Gaps) fill(t *track) {
	longest := cmp.Or(g.Max, 0.5) + 1e-6 // differences of times are rounded
	known := make([]int, 0, len(t.present))
	for i, ok := range t.present {
		if ok {
			known = append(known, i)
		}
	}
	if len(known) == len(t.present) || len(known) < 2 {
		return
	}
	times := make([]float64, len(known))
	values := make([]float64, len(known))
	for k, i := range known {
		times[k] = t.times[i]
	}
	var fill []int
	for k := 1; k < len(known); k++ {
		if a, b := known[k-1], known[k]; t.times[b]-t.times[a] <= longest && t.joined(known, k) {
			for i := a + 1; i < b; i++ {
				fill = append(fill, i)
			}
		}
	}
	for _, axis := range t.axis {
		for k, i := range known {
			values[k] = axis[i]
		}
		curve := func(at float64) float64 { return linear(times, values, at) }
		if g.Method != Linear {
			curve = pchip(times, values)
		}
		for _, i := range fill {
			axis[i] = curve(t.times[i])
		}
	}
	for _, i := range fill {
		k := sort.SearchInts(known, i)
		t.weight[i] = min(t.weight[known[k-1]], t.weight[known[k]])
		t.present[i] = true
		t.note(i, Filled)
	}
}

// guess is the confidence below which a point is hardly more than a guess.
const guess = 0.3

// joined reports whether both ends of the gap that ends at known[k] are sure, and the movement before or
// after it leads across.
func (t *track) joined(known []int, k int) bool {
	a, b := known[k-1], known[k]
	if min(t.weight[a], t.weight[b]) < guess {
		return false
	}
	if t.torso == 0 {
		return true
	}
	span := t.times[b] - t.times[a]
	move := t.point(b).Sub(t.point(a))
	off := move.Len()
	for _, side := range [2][2]int{{k - 2, k - 1}, {k, k + 1}} {
		if side[0] < 0 || side[1] >= len(known) {
			continue
		}
		i, j := known[side[0]], known[side[1]]
		velocity := t.point(j).Sub(t.point(i)).Mul(1 / (t.times[j] - t.times[i]))
		off = min(off, move.Sub(velocity.Mul(span)).Len())
	}
	return off <= (outlierDistance+acceleration*span*span)*t.torso
}

// segment returns k with times[k] ≤ at ≤ times[k+1]; at lies within the times.
func segment(times []float64, at float64) int {
	return min(max(sort.SearchFloat64s(times, at)-1, 0), len(times)-2)
}

func linear(times, values []float64, at float64) float64 {
	k := segment(times, at)
	share := (at - times[k]) / (times[k+1] - times[k])
	return values[k] + share*(values[k+1]-values[k])
}

// hermite evaluates the cubic Hermite interpolation with the given slopes.
func hermite(times, values, slopes []float64, at float64) float64 {
	k := segment(times, at)
	h := times[k+1] - times[k]
	s := (at - times[k]) / h
	d := (values[k+1] - values[k]) / h
	// Newton's form of the cubic on the segment.
	c := (slopes[k] + slopes[k+1] - 2*d) / h
	b := (d-slopes[k])/h - c
	x := s * h
	return values[k] + x*(slopes[k]+x*(b+x*c/h))
}

// pchip returns the interpolation of two or more points by PCHIP.
func pchip(times, values []float64) func(at float64) float64 {
	slopes := pchipSlopes(times, values)
	return func(at float64) float64 { return hermite(times, values, slopes, at) }
}

// pchipSlopes returns the slopes of PCHIP at two or more points.
func pchipSlopes(times, values []float64) []float64 {
	n := len(times)
	h, d := make([]float64, n-1), make([]float64, n-1)
	for k := range h {
		h[k] = times[k+1] - times[k]
		d[k] = (values[k+1] - values[k]) / h[k]
	}
	m := make([]float64, n)
	if n == 2 {
		m[0], m[1] = d[0], d[0]
		return m
	}
	for k := 1; k < n-1; k++ {
		if d[k-1]*d[k] > 0 { // else a turning point: flat
			w1, w2 := 2*h[k]+h[k-1], h[k]+2*h[k-1]
			m[k] = (w1 + w2) / (w1/d[k-1] + w2/d[k])
		}
	}
	m[0] = endSlope(h[0], h[1], d[0], d[1])
	m[n-1] = endSlope(h[n-2], h[n-3], d[n-2], d[n-3])
	return m
}

// endSlope is the one-sided three-point estimate, kept from overshooting.
func endSlope(h0, h1, d0, d1 float64) float64 {
	m := ((2*h0+h1)*d0 - h0*d1) / (h0 + h1)
	switch {
	case m*d0 <= 0:
		return 0
	case d0*d1 <= 0 && math.Abs(m) > 3*math.Abs(d0):
		return 3 * d0
	}
	return m
}
