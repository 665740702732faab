package analyze

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

const (
	travelTorsos = 0.6  // how far the person travels in a stride at least, in torso lengths
	travelSize   = 0.15 // or by which share the person becomes larger or smaller
)

// inPlace removes the repetitions before the first and after the last one in place. If none is in place,
// all are kept.
func (s *series) inPlace(list []Repetition) []Repetition {
	first, last := -1, -1
	for k := range list {
		if !s.travels(list[k].Cycle) {
			if last = k; first < 0 {
				first = k
			}
		}
	}
	if first < 0 {
		return list
	}
	return list[first : last+1]
}

// travels reports whether the person is elsewhere at the end of a repetition.
func (s *series) travels(c Cycle) bool {
	f, g := &s.seq.Frames[c.Start], &s.seq.Frames[c.End]
	hips := keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip)
	a, okA := f.Centroid(hips)
	b, okB := g.Centroid(hips)
	if okA && okB && b.Sub(a).Len() > travelTorsos*s.torso {
		return true
	}
	from, okA := f.BodyHeight()
	to, okB := g.BodyHeight()
	return okA && okB && math.Abs(to/from-1) > travelSize
}
