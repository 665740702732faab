package compare

import (
	"math"
	"sort"

	"github.com/bodymotion/motion/keypoint"
)

// timeline finds the target's frame for each frame of the source.
type timeline struct {
	source, whole keypoint.Sequence // whole is the target
	timed         bool              // both have times to go by
}

func newTimeline(source, target keypoint.Sequence) timeline {
	return timeline{source, target, source.Duration() > 0 && target.Duration() > 0}
}

// target returns the target as it is at frame i of the source: a part lies between
// those of the two neighbouring frames where both have it, is the one of a frame that
// is hit exactly, and else absent.
func (t timeline) target(i int) keypoint.Frame {
	k, share := t.position(i)
	frames := t.whole.Frames
	if share == 0 {
		return frames[k]
	}
	a, b := &frames[k], &frames[k+1]
	var f keypoint.Frame
	for p := range keypoint.Part(keypoint.NumParts) {
		x, okX := a.At(p)
		y, okY := b.At(p)
		if okX && okY {
			confidence := a.Confidence(p)*(1-share) + b.Confidence(p)*share
			f.Set(p, x.Mul(1-share).Add(y.Mul(share)), confidence)
		}
	}
	return f
}

// onFrame is how near to a frame counts as on it, in frames.
const onFrame = 1e-9

// position returns the target's frame k, and the share of the way to the next one, 0 ≤
// share < 1, at frame i of the source.
func (t timeline) position(i int) (k int, share float64) {
	ns, nt := t.source.Len(), t.whole.Len()
	if ns == 1 || nt == 1 {
		return 0, 0
	}
	var u float64
	if t.timed {
		s := t.source.Times
		phase := (s[i] - s[0]) / t.source.Duration()
		times := t.whole.Times
		at := times[0] + phase*t.whole.Duration()
		next := sort.SearchFloat64s(times, at) // the first frame at or after
		next = min(max(next, 1), nt-1)
		u = float64(next-1) + (at-times[next-1])/(times[next]-times[next-1])
	} else {
		u = float64(i) * float64(nt-1) / float64(ns-1)
	}
	u = min(max(u, 0), float64(nt-1))
	if r := math.Round(u); math.Abs(u-r) < onFrame {
		return int(r), 0
	}
	return int(u), u - math.Floor(u)
}
