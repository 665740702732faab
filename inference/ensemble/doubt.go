package ensemble

import "github.com/bodymotion/motion/keypoint"

const (
	surprise = 0.15 // torso lengths between a part and where the frame before leads to expect it
	unsure   = 0.4  // the confidence of a part below which another look is worth its time
)

// turned reports whether left and right of the trunk have changed places.
func turned(f, previous *keypoint.Frame) bool {
	trunk := []keypoint.Part{keypoint.LeftShoulder, keypoint.LeftHip}
	return fits(previous, f, trunk, clearOfBefore*size([]keypoint.Frame{*f})) == exchanged
}

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
