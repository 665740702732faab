package inference

import (
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// The motion model: the whole body keeps moving at its speed.
const (
	minCommon = 4   // common parts needed to measure a movement
	maxMove   = 0.5 // in one step, in extents of the body
)

// position is a frame, its time in seconds, and what the Network kept of that look.
type position struct {
	frame  keypoint.Frame
	time   float64
	memory any
}

// expected extrapolates a body that was at before and then at last to a time: each part as fast as it was. A part that
// was not seen before moves as the others, in the median.
func expected(before, last position, at float64) keypoint.Frame {
	elapsed := last.time - before.time
	common := before.frame.Present() & last.frame.Present()
	if elapsed <= 0 || common.Len() < minCommon {
		return last.frame
	}
	var moves []keypoint.Point
	var dx, dy []float64
	for _, p := range common.List() {
		a, _ := before.frame.At(p)
		b, _ := last.frame.At(p)
		move := b.Sub(a)
		moves, dx, dy = append(moves, move), append(dx, move[0]), append(dy, move[1])
	}
	share := (at - last.time) / elapsed
	d := keypoint.Point{rank.Median(dx), rank.Median(dy)}.Mul(share)
	box, _ := BoundsOf(&last.frame)
	far := maxMove * box.Extent()
	if d.Len() > far {
		return last.frame // a jump is not a movement
	}
	f := moved(last.frame, d)
	for i, p := range common.List() {
		if own := moves[i].Mul(share); own.Len() <= far {
			at, _ := last.frame.At(p)
			f.Set(p, at.Add(own), last.frame.Confidence(p))
		}
	}
	return f
}

// moved returns the frame with every part moved by d.
func moved(f keypoint.Frame, d keypoint.Point) keypoint.Frame {
	for _, p := range f.Present().List() {
		pt, _ := f.At(p)
		f.Set(p, pt.Add(d), f.Confidence(p))
	}
	return f
}

// samePlace is the least overlap of a person's boxes in two consecutive frames.
const samePlace = 0.2

// continues reports whether b can be the person of a one frame later.
func continues(a, b *keypoint.Frame) bool {
	before, okA := BoundsOf(a)
	after, okB := BoundsOf(b)
	return okA && okB && before.Overlap(after) >= samePlace
}
