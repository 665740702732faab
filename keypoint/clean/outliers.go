package clean

import "math"

// Outliers removes points that lie far from the median of their neighbours: the Hampel
// filter. A point goes when one of its coordinates is farther from the median m of the
// points within Window seconds on both sides than
//
//	Threshold · 1.4826 · median |xᵢ − m|
//
// and than one pixel, so that a part at rest keeps its last decimals. A removed point is a
// gap. (R. K. Pearson, Outliers in process modeling and identification, 2002.)
type Outliers struct {
	Window    float64 `json:"window,omitempty"`    // seconds on each side; 0 means 0.25
	Threshold float64 `json:"threshold,omitempty"` // standard deviations; 0 means 3
}

// madScale makes the median absolute deviation an estimate of the standard deviation of
// normally distributed numbers.
const madScale = 1.4826

func (o Outliers) reject(t *track) {
	if o.Window == 0 {
		o.Window = 0.25
	}
	if o.Threshold == 0 {
		o.Threshold = 3
	}
	var out []int
	first, end := 0, 0 // of the window
	values := make([]float64, 0, 64)
	for i, ok := range t.present {
		if !ok || t.times == nil {
			continue
		}
		for t.times[first] < t.times[i]-o.Window {
			first++
		}
		for end < len(t.times) && t.times[end] <= t.times[i]+o.Window {
			end++
		}
		for _, axis := range t.axis {
			values = values[:0]
			for j := first; j < end; j++ {
				if t.present[j] {
					values = append(values, axis[j])
				}
			}
			if len(values) < 4 {
				break // too few to tell
			}
			m := medianOf(values)
			for j := range values {
				values[j] = math.Abs(values[j] - m)
			}
			if d := math.Abs(axis[i] - m); d > max(o.Threshold*madScale*medianOf(values), 1) {
				out = append(out, i)
				break
			}
		}
	}
	for _, i := range out {
		t.present[i] = false
		t.note(i, Rejected)
	}
}
