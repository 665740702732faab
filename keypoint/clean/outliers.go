package clean

import (
	"cmp"
	"math"
	"slices"
)

// Outliers removes points far from the median of their neighbours (the Hampel filter). A point
// is an outlier if one of its coordinates is farther from the median m of the points within
// Window seconds on both sides than
//
//	Threshold · 1.4826 · median |xᵢ − m|
//
// and than one pixel, so that a part at rest keeps its decimals. A removed point leaves a gap.
// (R. K. Pearson, Outliers in process modeling and identification, 2002.)
type Outliers struct {
	Window    float64 `json:"window,omitempty"`    // seconds on each side; 0 means 0.25
	Threshold float64 `json:"threshold,omitempty"` // standard deviations; 0 means 3
}

// madScale makes the median absolute deviation an estimate of the standard deviation of
// normally distributed numbers.
const madScale = 1.4826

func (o Outliers) reject(t *track) {
	if t.times == nil {
		return
	}
	o.Window, o.Threshold = cmp.Or(o.Window, 0.25), cmp.Or(o.Threshold, 3)
	var out []int
	for axis := range t.axis {
		out = o.along(t, axis, out)
	}
	for _, i := range out {
		t.present[i] = false
		t.note(i, Rejected)
	}
}

// along appends the frames that are outliers in one of the coordinates.
func (o Outliers) along(t *track, axis int, out []int) []int {
	x := t.axis[axis]
	first, end := 0, 0                // of the window
	sorted := make([]float64, 0, 128) // the values in the window
	for i, ok := range t.present {
		if !ok {
			continue
		}
		for ; t.times[first] < t.times[i]-o.Window; first++ {
			if t.present[first] {
				k, _ := slices.BinarySearch(sorted, x[first])
				sorted = slices.Delete(sorted, k, k+1)
			}
		}
		for ; end < len(t.times) && t.times[end] <= t.times[i]+o.Window; end++ {
			if t.present[end] {
				k, _ := slices.BinarySearch(sorted, x[end])
				sorted = slices.Insert(sorted, k, x[end])
			}
		}
		n := len(sorted)
		if n < 4 {
			continue // too few
		}
		m := sorted[(n-1)/2]/2 + sorted[n/2]/2
		if d := math.Abs(x[i] - m); d > 1 && d > o.Threshold*madScale*medianDeviation(sorted, m) {
			out = append(out, i)
		}
	}
	return out
}

// medianDeviation returns the median of |xᵢ − m| of sorted numbers whose median is m.
func medianDeviation(sorted []float64, m float64) float64 {
	n := len(sorted)
	low, high := (n-1)/2, (n-1)/2+1 // the next ones below and above
	var before, d float64
	for range n/2 + 1 { // smallest deviations first
		before = d
		if high == n || low >= 0 && m-sorted[low] <= sorted[high]-m {
			d = m - sorted[low]
			low--
		} else {
			d = sorted[high] - m
			high++
		}
	}
	if n%2 == 1 {
		return d
	}
	return before/2 + d/2
}
