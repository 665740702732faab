package quality

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

const (
	standWindow = 1.5  // seconds for which both feet must stand still against each other
	standStill  = 0.06 // torso lengths by which their difference may vary meanwhile
	sway        = 0.08 // torso lengths that they must move in the picture together
	swayRatio   = 2    // as a multiple of how much their difference varies
	maxSway     = 0.6  // torso lengths that they may move together: beyond, the person jumps or slides
)

// cameraMoves warns of the frames that are given, and of those in which both ankles stand still against each other and move
// together in the picture: feet on the floor, seen by a camera that moves. Of a person who walks it tells nothing.
func (b *body) cameraMoves(known []keypoint.Span) []Warning {
	const detail = "The camera moves: coordinates and speeds in the picture are not those of the person alone."
	moves := make([]bool, b.seq.Len())
	for _, s := range known {
		for i := s.First; i <= s.Last; i++ {
			moves[i] = true
		}
	}
	window := b.frames(standWindow)
	for first := 0; first+window <= b.seq.Len() && b.rate > 0; first += max(window/2, 1) {
		apart, together, ok := b.feet(first, first+window-1)
		if ok && apart < standStill && together > max(sway, swayRatio*apart) && together < maxSway {
			for i := first; i < first+window; i++ {
				moves[i] = true
			}
		}
	}
	return warn(CodeCameraMoves, detail, b.spans(func(i int) bool { return moves[i] }, b.frames(joinTime), 1))
}

// feet returns how much the difference and the middle of the ankles vary within frames, in torso
// lengths: the larger range of both coordinates. ok is false if a frame lacks an ankle.
func (b *body) feet(first, last int) (apart, together float64, ok bool) {
	var low, high [2]keypoint.Point
	for i := first; i <= last; i++ {
		f := &b.seq.Frames[i]
		left, okL := f.At(keypoint.LeftAnkle)
		right, okR := f.At(keypoint.RightAnkle)
		if !okL || !okR || b.torso[i] == 0 {
			return 0, 0, false
		}
		for k, v := range [2]keypoint.Point{left.Sub(right), left.Add(right).Mul(0.5)} {
			if i == first {
				low[k], high[k] = v, v
			}
			low[k] = keypoint.Point{min(low[k][0], v[0]), min(low[k][1], v[1])}
			high[k] = keypoint.Point{max(high[k][0], v[0]), max(high[k][1], v[1])}
		}
	}
	size := func(k int) float64 {
		d := high[k].Sub(low[k])
		return math.Max(d[0], d[1]) / b.torso[first]
	}
	return size(0), size(1), true
}
