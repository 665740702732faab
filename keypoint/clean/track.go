package clean

import (
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// track is the path of one part through a recording.
type track struct {
	part    keypoint.Part
	times   []float64
	axis    [2][]float64 // x and y, where present
	weight  []float64    // confidence
	present []bool
	report  *Report
}

func newTrack(seq keypoint.Sequence, p keypoint.Part, report *Report) *track {
	n := seq.Len()
	numbers := make([]float64, 3*n)
	t := &track{part: p, times: seq.Times, present: make([]bool, n), report: report}
	t.axis[0], t.axis[1], t.weight = numbers[:n:n], numbers[n:2*n:2*n], numbers[2*n:]
	for i := range seq.Frames {
		if pt, ok := seq.Frames[i].At(p); ok {
			t.axis[0][i], t.axis[1][i], t.weight[i], t.present[i] = pt[0], pt[1], seq.Frames[i].Confidence(p), true
		}
	}
	return t
}

// store writes the track back.
func (t *track) store(frames []keypoint.Frame) {
	for i := range frames {
		if t.present[i] {
			frames[i].Set(t.part, keypoint.Point{t.axis[0][i], t.axis[1][i]}, t.weight[i])
		} else {
			frames[i].Unset(t.part)
		}
	}
}

func (t *track) note(frame int, c Change) { t.report.Changes[frame][t.part] |= c }

// runs calls fn for every run of neighbouring frames that have the part, [first, end).
func (t *track) runs(fn func(first, end int)) {
	for i := 0; i < len(t.present); {
		if !t.present[i] {
			i++
			continue
		}
		first := i
		for i < len(t.present) && t.present[i] {
			i++
		}
		fn(first, i)
	}
}

// medianOf returns the median of numbers, which it reorders.
func medianOf(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	return v[(n-1)/2]/2 + v[n/2]/2
}
