package quality

import (
	"math"

	"github.com/bodymotion/motion/internal/rank"
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

const (
	lies    = 25   // degrees between the body and the horizontal of the picture, in the median, up to which it lies there
	liesAll = 45   // the same of nine of ten frames
	stays   = 0.25 // torso lengths that the middle of the feet may move
	sinks   = 0.4  // torso lengths by which the shoulders come nearer to the feet
	rests   = 0.5  // share of that way that the hands must go, which otherwise rest on something
	crosses = 2    // torso lengths of the picture's height that the hips of somebody cross who walks
)

// sideways warns of a movie that lies on its side: the body lies in the picture all the time and moves as one that stands. It crosses
// the height of the picture, or its shoulders come nearer to feet that stay, and the hands go along. Who lies, or leans on the hands,
// does neither.
func (b *body) sideways() []Warning {
	const lean, length, hip, hand, foot, n = 0, 1, 2, 3, 5, 7
	var list [n][]float64 // degrees, and then places in torso lengths
	for i := range b.seq.Frames {
		f, t := &b.seq.Frames[i], b.torso[i]
		neck, okN := middle(f, keypoint.LeftShoulder)
		hips, okH := middle(f, keypoint.LeftHip)
		hands, okW := middle(f, keypoint.LeftWrist)
		feet, okF := middle(f, keypoint.LeftAnkle)
		if body := neck.Sub(feet); okN && okH && okW && okF && t > 0 && b.places == 0 {
			degrees := math.Atan2(math.Abs(body[1]), math.Abs(body[0])) * 180 / math.Pi
			for k, v := range [n]float64{degrees, body.Len() / t, hips[1] / t, hands[0] / t, hands[1] / t, feet[0] / t, feet[1] / t} {
				list[k] = append(list[k], v)
			}
		}
	}
	way := func(k int) float64 { return rank.Percentile(list[k], 0.95) - rank.Percentile(list[k], 0.05) }
	stands := max(way(foot), way(foot+1)) < stays && way(length) > sinks && max(way(hand), way(hand+1)) > rests*way(length)
	if 2*len(list[lean]) < b.seq.Len() || b.rate == 0 || rank.Median(list[lean]) > lies || rank.Percentile(list[lean], 0.9) > liesAll ||
		way(hip) < crosses && !stands {
		return nil
	}
	return []Warning{{Code: codeSideways, Detail: "The movie lies on its side: turn it upright.", To: b.seq.Len() - 1}}
}
