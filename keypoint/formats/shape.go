package formats

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// A foot seen from the side is about as long as footLength shanks, and the shoulders seen from the front are about as wide as
// shoulderWidth torsos. Between these views one becomes shorter as the other becomes longer, so that breadth stays about 1:
// 0.87 to 1.43 in 89 rendered recordings of every view.
const (
	footLength    = 0.55
	shoulderWidth = 0.65
	telltales     = 10 // frames; fewer show nothing
)

// exchanged says so if the frames, in pixels of a picture of the size of the options, can only be of a picture with width and
// height exchanged: "" if they can be of this one, or nothing tells.
func (o Options) exchanged(frames []keypoint.Frame) string {
	given, ok := breadth(frames, 1, 1)
	aspect := float64(o.Size.Y) / float64(o.Size.X)
	other, _ := breadth(frames, aspect, 1/aspect)
	if !ok || given > 0.65 && given < 1.6 || other < 0.75 || other > 1.5 {
		return ""
	}
	return fmt.Sprintf("feet and shoulders are %.1f times as broad as people's in a picture of %d × %d, and as people's are in one of %d × %d: "+
		"give the size of the picture as it is shown", given, o.Size.X, o.Size.Y, o.Size.Y, o.Size.X)
}

// breadth returns how broad feet and shoulders are, as the medians of all frames: 1 for a usual person. x and y stretch the picture.
func breadth(frames []keypoint.Frame, x, y float64) (b float64, ok bool) {
	var feet, shoulders []float64
	for i := range frames {
		length := func(from, to keypoint.Part) float64 { // 0: unknown
			p, okP := frames[i].At(from)
			q, okQ := frames[i].At(to)
			if !okP || !okQ {
				return 0
			}
			return math.Hypot((p[0]-q[0])*x, (p[1]-q[1])*y)
		}
		torso := 0.0
		for _, side := range [][6]keypoint.Part{
			{keypoint.LeftHeel, keypoint.LeftBigToe, keypoint.LeftKnee, keypoint.LeftAnkle, keypoint.LeftShoulder, keypoint.LeftHip},
			{keypoint.RightHeel, keypoint.RightBigToe, keypoint.RightKnee, keypoint.RightAnkle, keypoint.RightShoulder, keypoint.RightHip},
		} {
			if shank := length(side[2], side[3]); shank > 0 {
				feet = append(feet, length(side[0], side[1])/shank)
			}
			torso += length(side[4], side[5]) / 2
		}
		if torso > 0 {
			shoulders = append(shoulders, length(keypoint.LeftShoulder, keypoint.RightShoulder)/torso)
		}
	}
	if len(feet) < telltales || len(shoulders) < telltales {
		return 0, false
	}
	return math.Hypot(rank.Median(feet)/footLength, rank.Median(shoulders)/shoulderWidth), true
}
