package ensemble

import "github.com/bodymotion/motion/keypoint"

const (
	surprise = 0.15 // torso lengths between a part and where its movement leads to expect it
	shock    = 0.3  // the same, for a grave doubt
	covered  = 0.3  // the visibility below which a part leaves no grave doubt: no network sees it
	unsure   = 0.4  // the confidence of a part below which another look is worth its time
)

// doubt says how much another look is worth its time.
type doubt int

const (
	none doubt = iota
	slight
	grave   // a part is missing or far from where it is expected
	swapped // the sides of a limb are exchanged
)

// turned reports whether left and right of the trunk or of the legs have changed places.
func turned(f, expected *keypoint.Frame) bool {
	least := clearOfBefore * size([]keypoint.Frame{*f})
	trunk := []keypoint.Part{keypoint.LeftShoulder, keypoint.LeftHip}
	return fits(expected, f, trunk, least) == exchanged || fits(expected, f, limbs[0].decide, least) == exchanged
}

// doubtOf returns the doubt that a frame leaves of the parts of the trunk and the limbs.
func doubtOf(f, expected *keypoint.Frame) (d doubt) {
	torso := size([]keypoint.Frame{*f})
	for _, l := range limbs {
		if fits(expected, f, l.decide, clearOfBefore*torso) == exchanged {
			return swapped
		}
	}
	for p := keypoint.LeftShoulder; p <= keypoint.RightAnkle; p++ {
		at, ok := f.At(p)
		was, before := expected.At(p)
		away := at.Sub(was).Len()
		visibility, told := f.Visibility(p)
		switch {
		case (!ok || !before || away > shock*torso) && (!told || visibility >= covered):
			return grave
		case !ok || !before || f.Confidence(p) < unsure || away > surprise*torso:
			d = slight
		}
	}
	return d
}
