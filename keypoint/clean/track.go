package clean

import (
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// track is the path of one part through a recording. It is reused for each part.
type track struct {
	part    keypoint.Part
	times   []float64
	axis    [2][]float64 // x and y, where present
	weight  []float64    // confidence
	present []bool
	torso   float64 // median length in pixels
	report  *Report
}

func newTrack(seq keypoint.Sequence, report *Report) *track {
	n := seq.Len()
	return &track{
		times: seq.Times, axis: [2][]float64{make([]float64, n), make([]float64, n)},
		weight: make([]float64, n), present: make([]bool, n), torso: medianTorso(seq), report: report,
	}
}

// load reads a part of the frames.
func (t *track) load(frames []keypoint.Frame, p keypoint.Part) {
	t.part = p
	for i := range frames {
		pt, ok := frames[i].At(p)
		t.axis[0][i], t.axis[1][i], t.present[i] = pt[0], pt[1], ok
		t.weight[i] = frames[i].Confidence(p)
	}
}

// store writes the part back.
func (t *track) store(frames []keypoint.Frame) {
	for i := range frames {
		if t.present[i] {
			frames[i].Set(t.part, keypoint.Point{t.axis[0][i], t.axis[1][i]}, t.weight[i])
		} else {
			frames[i].Unset(t.part)
		}
	}
}

func (t *track) point(frame int) keypoint.Point {
	return keypoint.Point{t.axis[0][frame], t.axis[1][frame]}
}

func (t *track) note(frame int, c Change) {
	t.report.Changes[frame][t.part] |= c
}

// runs calls fn for every run of neighbouring frames that have the part, [first, end).
func (t *track) runs(fn func(first, end int)) {
	for first, end := range rank.Runs(t.present) {
		if t.present[first] {
			fn(first, end)
		}
	}
}
