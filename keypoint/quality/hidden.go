package quality

import (
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// hideable are the parts of which it can be told whether something hides them.
const hideable = (limbs | keypoint.Feet) &^ (1<<keypoint.LeftShoulder | 1<<keypoint.RightShoulder | 1<<keypoint.LeftHip | 1<<keypoint.RightHip)

const (
	leastVisible = 0.6 // the least visibility of a part that is taken for seen
	visibleTime  = 0.1 // seconds on each side over which it is the median
)

// Hidden returns the parts that are hidden in each frame, behind the body or a thing: elbows, wrists, knees, ankles and
// feet. Networks invent such parts; what is computed from them is no measurement. Parts that are absent are not in it.
func Hidden(seq keypoint.Sequence) []keypoint.Parts {
	b := newBody(seq)
	out := make([]keypoint.Parts, seq.Len())
	half := 0
	if b.rate > 0 {
		half = b.frames(visibleTime)
	}
	var sample []float64
	for _, person := range seq.People() {
		for i := person.First; i <= person.Last; i++ {
			for _, p := range (seq.Frames[i].Present() & hideable).List() {
				sample = sample[:0]
				for k := max(i-half, person.First); k <= min(i+half, person.Last); k++ {
					if v, ok := seq.Frames[k].Visibility(p); ok {
						sample = append(sample, v)
					}
				}
				if len(sample) > 0 && rank.Median(sample) < leastVisible {
					out[i] |= keypoint.PartsOf(p)
				}
			}
		}
	}
	return out
}
