// Package moments chooses the frames that a row of pictures shows of a stride or of a jump.
package moments

import (
	"cmp"
	"slices"

	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

// Moment is one picture of a row.
type Moment struct {
	Frame int
	Name  say.Text
}

// Stride returns the touch-downs and toe-offs of both feet in a stride, and the middle of each stance, half-way in time.
func Stride(g *gait.Gait, of gait.Cycle) (list []Moment) {
	const rounded = 1e-3 // seconds: stored times are
	for i, e := range g.Events {
		add := func(time float64, frame int, event string) {
			if time > of.Start-rounded && time < of.End+rounded {
				list = append(list, Moment{frame, say.Of(string(e.Side), "event."+event)})
			}
		}
		add(e.Time, e.Frame, string(e.Kind))
		next := slices.IndexFunc(g.Events[i:], func(n gait.Event) bool { return n.Kind == gait.ToeOff && n.Side == e.Side && n.Pass == e.Pass })
		if e.Kind == gait.HeelStrike && next >= 0 {
			off := g.Events[i+next]
			add((e.Time+off.Time)/2, (e.Frame+off.Frame)/2, "midStance")
		}
	}
	slices.SortStableFunc(list, func(a, b Moment) int { return cmp.Compare(a.Frame, b.Frame) })
	return list
}

// Jump returns the take-off, the top, half-way in time, and the landing of a jump, and where the hips are lowest before and after.
func Jump(seq keypoint.Sequence, j jump.Jump) (list []Moment) {
	add := func(frame int, event string) { list = append(list, Moment{frame, say.Name("event." + event)}) }
	lowest := func(from, to float64) {
		frame, low := -1, 0.0
		for i, t := range seq.Times {
			if hips, ok := keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip).At(&seq.Frames[i]); ok && t > from && t < to && (frame < 0 || hips[1] > low) {
				frame, low = i, hips[1]
			}
		}
		if frame >= 0 {
			add(frame, "lowest")
		}
	}
	const reach = 0.7 // seconds before the take-off and after the landing
	lowest(j.TakeOff.Time-reach, j.TakeOff.Time)
	add(j.TakeOff.Frame, "takeOff")
	add((j.TakeOff.Frame+j.Landing.Frame)/2, "top")
	add(j.Landing.Frame, "landing")
	lowest(j.Landing.Time, j.Landing.Time+reach)
	return list
}
