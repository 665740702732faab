package clean

import (
	"cmp"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// Outliers removes points far from the position that their neighbours in time predict: a straight line joins the median
// of those within Window seconds before to that of those after, at least two each, so that fast steady movement is not
// an outlier. A point is removed if its distance from the line is more than
//
//	max(Threshold · σ, 0.2 torso lengths, 1 pixel)    with σ = median distance of the neighbours / 1.1774
//
// where σ is the standard deviation of normally distributed points. A removed point leaves a gap. Points at the ends of
// a recording, or beside a gap, stay. This is the Hampel filter (R. K. Pearson, Outliers in process modeling and
// identification, 2002) with a line instead of the local median, which would remove the turning points of movements.
type Outliers struct {
	Window    float64 `json:"window,omitempty"`    // seconds on each side; 0 means 0.1
	Threshold float64 `json:"threshold,omitempty"` // standard deviations; 0 means 3
}

const (
	outlierDistance = 0.2    // torso lengths from which on a point can be an outlier
	medianRadius    = 1.1774 // median distance from the centre of normally distributed points, in standard deviations
)

func (o Outliers) reject(t *track) {
	o.Window, o.Threshold = cmp.Or(o.Window, 0.1), cmp.Or(o.Threshold, 3)
	least := max(1, outlierDistance*t.torso)
	var out []int
	var buffer []float64
	first, end := 0, 0 // of the window
	for i, ok := range t.present {
		if !ok {
			continue
		}
		for t.times[first] < t.times[i]-o.Window {
			first++
		}
		for end < len(t.times) && t.times[end] <= t.times[i]+o.Window {
			end++
		}
		before, timeBefore, okBefore := t.middle(first, i, &buffer)
		after, timeAfter, okAfter := t.middle(i+1, end, &buffer)
		if !okBefore || !okAfter {
			continue
		}
		velocity := after.Sub(before).Mul(1 / (timeAfter - timeBefore))
		distance := func(k int) float64 {
			return t.point(k).Sub(before).Sub(velocity.Mul(t.times[k] - timeBefore)).Len()
		}
		d := distance(i)
		if d <= least {
			continue
		}
		buffer = buffer[:0]
		for k := first; k < end; k++ {
			if k != i && t.present[k] {
				buffer = append(buffer, distance(k))
			}
		}
		if d > o.Threshold*rank.Median(buffer)/medianRadius {
			out = append(out, i)
		}
	}
	for _, i := range out {
		t.present[i] = false
		t.note(i, Rejected)
	}
}

// middle returns the medians of the coordinates and times of the points in [first, end); ok is false for
// fewer than two points. It uses the buffer.
func (t *track) middle(first, end int, buffer *[]float64) (at keypoint.Point, seconds float64, ok bool) {
	var median3 [3]float64
	for n, values := range [3][]float64{t.axis[0], t.axis[1], t.times} {
		v := (*buffer)[:0]
		for k := first; k < end; k++ {
			if t.present[k] {
				v = append(v, values[k])
			}
		}
		if *buffer = v; len(v) < 2 {
			return at, 0, false
		}
		median3[n] = rank.Median(v)
	}
	return keypoint.Point{median3[0], median3[1]}, median3[2], true
}
