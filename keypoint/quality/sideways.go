package quality

import (
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

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
