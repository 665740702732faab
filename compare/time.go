package compare

import (
	"math"
	"slices"
	"sort"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// position is a point in time of a recording: frame k plus a share of the step to the next
// frame, 0 ≤ share < 1. The zero value is the start.
type position struct {
	k       int
	share   float64
	outside bool // before the first or after the last frame, or in a hole: there is no counterpart
}

// alignment holds the position in the target of the counterpart of each source frame.
type alignment struct {
	positions []position // one per frame of the source
	path      [][2]int   // of DTW
}

// align aligns two recordings as the options say. If one of them is an image, all alignments are linear.
func align(source, target side, opt Options) (alignment, error) {
	if source.seq.Len() > 1 && target.seq.Len() > 1 {
		switch opt.Alignment {
		case DTW:
			return warp(source, target, opt)
		case Offset:
			return shifted(source, target)
		}
	}
	a := alignment{positions: make([]position, source.seq.Len())}
	for i := range a.positions {
		a.positions[i] = linear(source.seq, target.seq, i)
	}
	return a, nil
}

// hole is the time between two frames, in seconds, above which nothing is known of what lies between.
const hole = 0.5

// holes returns the frames after which there is a hole: not if frames are that far apart on the mean.
func holes(s keypoint.Sequence) (after []int) {
	least := hole
	if rate, ok := s.FrameRate(); ok {
		least = max(hole, 1.5/rate)
	}
	for k := range len(s.Times) - 1 {
		if s.Times[k+1]-s.Times[k] > least {
			after = append(after, k)
		}
	}
	return after
}

// leaveHoles leaves out what lies in holes of the target.
func (a alignment) leaveHoles(target keypoint.Sequence) {
	after := holes(target)
	for i, m := range a.positions {
		if m.share > 0 && slices.Contains(after, m.k) {
			a.positions[i].outside = true
		}
	}
}

// target returns the target at frame i of the source. Between two frames of the target, a part
// is interpolated if both have it, and absent otherwise.
func (a alignment) target(i int, frames []keypoint.Frame) keypoint.Frame {
	m := a.positions[i]
	if m.outside {
		return keypoint.Frame{}
	}
	if m.share == 0 {
		return frames[m.k]
	}
	before, after := &frames[m.k], &frames[m.k+1]
	var f keypoint.Frame
	for _, p := range (before.Present() & after.Present()).List() {
		x, _ := before.At(p)
		y, _ := after.At(p)
		confidence := before.Confidence(p)*(1-m.share) + after.Confidence(p)*m.share
		f.Set(p, x.Mul(1-m.share).Add(y.Mul(m.share)), confidence)
	}
	return f
}

// shift returns how much later the counterpart of each frame comes, in seconds. It is nil if a recording has no times.
func (a alignment) shift(source, target keypoint.Sequence) []analyze.Value {
	if source.Times == nil || target.Times == nil {
		return nil
	}
	shift := make([]analyze.Value, len(a.positions))
	for i, m := range a.positions {
		if !m.outside {
			shift[i] = analyze.Value{X: (m.time(target.Times) - target.Times[0]) - (source.Times[i] - source.Times[0]), Present: true}
		}
	}
	return shift
}

func (m position) time(times []float64) float64 {
	at := times[m.k]
	if m.share > 0 {
		at += m.share * (times[m.k+1] - at)
	}
	return at
}

// nearest returns the frame nearest to a position.
func (m position) nearest() int { return m.k + int(math.Round(m.share)) }

// linear returns the position in the target at frame i of the source, with the target
// stretched evenly over the source: by times if both have them, else by frames.
func linear(source, target keypoint.Sequence, i int) position {
	ns, nt := source.Len(), target.Len()
	if ns == 1 || nt == 1 {
		return position{}
	}
	if source.Duration() > 0 && target.Duration() > 0 {
		phase := (source.Times[i] - source.Times[0]) / source.Duration()
		return atTime(target.Times, target.Times[0]+phase*target.Duration())
	}
	return atFrame(float64(i)*float64(nt-1)/float64(ns-1), nt)
}

// atTime returns the position at a time of a recording of two or more frames.
func atTime(times []float64, at float64) position {
	n := len(times)
	next := min(max(sort.SearchFloat64s(times, at), 1), n-1) // the first frame at or after
	return atFrame(float64(next-1)+(at-times[next-1])/(times[next]-times[next-1]), n)
}

// onFrame is the distance in frames within which a position is on a frame.
const onFrame = 1e-9

// atFrame returns the position of frame number u, which need not be whole, among n frames.
func atFrame(u float64, n int) position {
	if r := math.Round(u); math.Abs(u-r) < onFrame {
		u = r
	}
	if !(u >= 0 && u <= float64(n-1)) {
		return position{outside: true}
	}
	k := int(u)
	return position{k: k, share: u - float64(k)}
}
