package inference

import (
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// The motion model of people in a movie: a body moves on as it did, all of it alike.
const (
	minCommon = 4   // parts that two frames share, to tell a movement
	maxMove   = 0.5 // of the body's extent, in one step
)

// moment is a frame and its time in seconds.
type moment struct {
	frame keypoint.Frame
	time  float64
}

// expected returns where a body that was at before and then at last is at a time: moved on
// by the median movement of its parts, at the speed that it had.
func expected(before, last moment, at float64) keypoint.Frame {
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
	d := keypoint.Point{median(dx), median(dy)}.Mul(share)
	box, _ := BoundsOf(&last.frame)
	if far := maxMove * box.Extent(); d.Len() > far {
		return last.frame // a jump is no movement
	}
	f := last.frame
	for _, p := range f.Present().List() {
		pt, _ := f.At(p)
		f.Set(p, pt.Add(d), f.Confidence(p))
	}
	return f
}

// median returns the median of one or more numbers, which it reorders.
func median(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	return v[(n-1)/2]/2 + v[n/2]/2
}

// samePlace is how much the boxes of two frames of one person overlap at least.
const samePlace = 0.2

// continues reports whether b can be the person of a, a frame later.
func continues(a, b *keypoint.Frame) bool {
	before, okA := BoundsOf(a)
	after, okB := BoundsOf(b)
	return okA && okB && before.Overlap(after) >= samePlace
}
