package clean

import (
	"github.com/bodymotion/motion/keypoint"
)

// track is the path of one part through a recording. It is used for one part after the
// other.
type track struct {
	part    keypoint.Part
	times   []float64
	axis    [2][]float64 // x and y, where present
	weight  []float64    // confidence
	present []bool
	changed bool // something was done that store has to write back
	report  *Report
}

func newTrack(seq keypoint.Sequence, report *Report) *track {
	n := seq.Len()
	numbers := make([]float64, 3*n)
	t := &track{times: seq.Times, present: make([]bool, n), report: report}
	t.axis[0], t.axis[1], t.weight = numbers[:n:n], numbers[n:2*n:2*n], numbers[2*n:]
	return t
}

// load reads a part of the frames.
func (t *track) load(frames []keypoint.Frame, p keypoint.Part) {
	t.part, t.changed = p, false
	n := len(frames)
	x, y, weight, present := t.axis[0][:n], t.axis[1][:n], t.weight[:n], t.present[:n]
	for i := range frames {
		f := &frames[i]
		x[i], y[i], present[i] = f.XY(p)
		weight[i] = f.Confidence(p)
	}
}

// store writes the part back.
func (t *track) store(frames []keypoint.Frame) {
	if !t.changed {
		return
	}
	n := len(frames)
	x, y, weight, present := t.axis[0][:n], t.axis[1][:n], t.weight[:n], t.present[:n]
	for i := range frames {
		if present[i] {
			frames[i].SetXY(t.part, x[i], y[i], weight[i])
		} else {
			frames[i].Unset(t.part)
		}
	}
}

func (t *track) note(frame int, c Change) {
	t.report.Changes[frame][t.part] |= c
	t.changed = true
}

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
