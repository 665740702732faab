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

// position is a frame and its time in seconds.
type position struct {
	frame keypoint.Frame
	time  float64
}

// expected extrapolates a body that was at before and then at last to a time, by the median movement of its parts.
func expected(before, last position, at float64) keypoint.Frame {
	elapsed := last.time - before.time
	common := before.frame.Present() & last.frame.Present()
	if elapsed <= 0 || common.Len() < minCommon {
		return last.frame
	}
	var dx, dy []float64
	for _, p := range common.List() {
		a, _ := before.frame.At(p)
		b, _ := last.frame.At(p)
		dx, dy = append(dx, b[0]-a[0]), append(dy, b[1]-a[1])
	}
	share := (at - last.time) / elapsed
	d := keypoint.Point{rank.Median(dx), rank.Median(dy)}.Mul(share)
	box, _ := BoundsOf(&last.frame)
	if far := maxMove * box.Extent(); d.Len() > far {
		return last.frame // a jump is not a movement
	}
	return moved(last.frame, d)
}

func moved(f keypoint.Frame, d keypoint.Point) keypoint.Frame {
	for _, p := range f.Present().List() {
		pt, _ := f.At(p)
		f.Set(p, pt.Add(d), f.Confidence(p))
	}
	return f
}

// samePlace is the least overlap of a person's boxes in two consecutive frames.
const samePlace = 0.2
