package ensemble

import "github.com/bodymotion/motion/keypoint"

// feet are the parts of each foot.
var feet = map[keypoint.Part][]keypoint.Part{
	keypoint.LeftAnkle:  {keypoint.LeftBigToe, keypoint.LeftSmallToe, keypoint.LeftHeel},
	keypoint.RightAnkle: {keypoint.RightBigToe, keypoint.RightSmallToe, keypoint.RightHeel},
}

// firmAgreement is the distance of two looks at an ankle that vouch for a foot, torso lengths.
const firmAgreement = 0.15

// dropFeet removes the toes and heels that are unsure, and the feet whose ankle has no second witness. Few networks know feet, so
// that the ankle must vouch for them: two looks that agree on it, or if only one looked, the frame before.
func dropFeet(f *keypoint.Frame, looks []keypoint.Frame, previous *keypoint.Frame, torso float64) {
	witnesses := looks
	if len(looks) == 1 {
		witnesses = []keypoint.Frame{looks[0], *previous}
	}
	for ankle, parts := range feet {
		firm := agree(witnesses, ankle, firmAgreement*torso)
		for _, p := range parts {
			if !firm || f.Confidence(p) < unsure {
				f.Unset(p)
			}
		}
	}
}

// agree reports whether two of the frames have a part within a distance.
func agree(frames []keypoint.Frame, p keypoint.Part, within float64) bool {
	for i := range frames {
		a, ok := frames[i].At(p)
		for k := range i {
			if b, also := frames[k].At(p); ok && also && a.Sub(b).Len() <= within {
				return true
			}
		}
	}
	return false
}
