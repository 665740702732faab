package ensemble

import "github.com/bodymotion/motion/keypoint"

const (
	surprise = 0.15 // torso lengths between a part and where the frame before leads to expect it
	unsure   = 0.4  // the confidence of a part below which another look is worth its time
)

// doubtful reports whether a part of the trunk or the limbs is missing, uncertain, or not where the
// frame before leads to expect it.
func doubtful(f, previous *keypoint.Frame) bool {
	torso := size([]keypoint.Frame{*f})
	for p := keypoint.LeftShoulder; p <= keypoint.RightAnkle; p++ {
		at, ok := f.At(p)
		was, before := previous.At(p)
		if !ok || !before || f.Confidence(p) < unsure || at.Sub(was).Len() > surprise*torso {
			return true
		}
	}
	return false
}
