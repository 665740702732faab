package compare

import (
	"math"
	"sort"

	"github.com/bodymotion/motion/keypoint"
)

// moment is a place in a recording: frame k, and a share of the way to the next one, 0 ≤
// share < 1. The zero value is the start.
type moment struct {
	k       int
	share   float64
	outside bool // before the first or after the last frame
}

// way says where each frame of the source has its counterpart in the target.
type way struct {
	moments []moment // one a frame of the source
	path    [][2]int // of DTW
}

// align finds the way of the options. One image on either side leaves no choice.
func align(source, target side, opt Options) (way, error) {
	if source.seq.Len() > 1 && target.seq.Len() > 1 {
		switch opt.Alignment {
		case DTW:
			return warp(source, target, opt)
		case Offset:
			return shifted(source, target)
		}
	}
	w := way{moments: make([]moment, source.seq.Len())}
	for i := range w.moments {
		w.moments[i] = linear(source.seq, target.seq, i)
	}
	return w, nil
}

// target returns the target as it is at frame i of the source: a part lies between those
// of the two neighbouring frames where both have it, is the one of a frame that is hit
// exactly, and else absent.
func (w way) target(i int, frames []keypoint.Frame) keypoint.Frame {
	m := w.moments[i]
	if m.outside {
		return keypoint.Frame{}
	}
	if m.share == 0 {
		return frames[m.k]
	}
	a, b := &frames[m.k], &frames[m.k+1]
	var f keypoint.Frame
	for p := range keypoint.Part(keypoint.NumParts) {
		x, okX := a.At(p)
		y, okY := b.At(p)
		if okX && okY {
			confidence := a.Confidence(p)*(1-m.share) + b.Confidence(p)*m.share
			f.Set(p, x.Mul(1-m.share).Add(y.Mul(m.share)), confidence)
		}
	}
	return f
}

// shift returns how much later the counterpart of each frame comes, in seconds; nil
// without times.
func (w way) shift(source, target keypoint.Sequence) []float64 {
	if source.Times == nil || target.Times == nil {
		return nil
	}
	shift := make([]float64, len(w.moments))
	for i, m := range w.moments {
		at := target.Times[m.k]
		if m.share > 0 {
			at += m.share * (target.Times[m.k+1] - at)
		}
		shift[i] = (at - target.Times[0]) - (source.Times[i] - source.Times[0])
	}
	return shift
}

// linear returns the moment of the target at frame i of the source when the target is
// stretched evenly over the source, by the times where both have them.
func linear(source, target keypoint.Sequence, i int) moment {
	ns, nt := source.Len(), target.Len()
	if ns == 1 || nt == 1 {
		return moment{}
	}
	if source.Duration() > 0 && target.Duration() > 0 {
		phase := (source.Times[i] - source.Times[0]) / source.Duration()
		return atTime(target.Times, target.Times[0]+phase*target.Duration())
	}
	return atFrame(float64(i)*float64(nt-1)/float64(ns-1), nt)
}

// atTime returns the moment at a time of a recording of two or more frames.
func atTime(times []float64, at float64) moment {
	n := len(times)
	next := min(max(sort.SearchFloat64s(times, at), 1), n-1) // the first frame at or after
	return atFrame(float64(next-1)+(at-times[next-1])/(times[next]-times[next-1]), n)
}

// onFrame is how near to a frame counts as on it, in frames.
const onFrame = 1e-9

// atFrame returns the moment at u, in frames of a recording of n.
func atFrame(u float64, n int) moment {
	if r := math.Round(u); math.Abs(u-r) < onFrame {
		u = r
	}
	if u < 0 || u > float64(n-1) {
		return moment{outside: true}
	}
	k := int(u)
	return moment{k: k, share: u - float64(k)}
}
