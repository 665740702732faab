package ensemble

import "github.com/bodymotion/motion/keypoint"

// feet are the parts of each foot.
var feet = map[keypoint.Part][]keypoint.Part{
	keypoint.LeftAnkle:  {keypoint.LeftBigToe, keypoint.LeftSmallToe, keypoint.LeftHeel},
	keypoint.RightAnkle: {keypoint.RightBigToe, keypoint.RightSmallToe, keypoint.RightHeel},
}

// dropFeet removes the feet whose ankle has no second witness. A foot is only known to few networks,
// so that its ankle must vouch for it: two looks that agree on it, or if only one looked, the frame
// before.
func dropFeet(f *keypoint.Frame, looks []keypoint.Frame, previous *keypoint.Frame, torso float64) {
	witnesses := looks
	if len(looks) == 1 {
		witnesses = []keypoint.Frame{looks[0], *previous}
	}
	for ankle, parts := range feet {
		at, ok := f.At(ankle)
		near := 0
		for i := range witnesses {
			if w, seen := witnesses[i].At(ankle); ok && seen && w.Sub(at).Len() <= agreement*torso {
				near++
			}
		}
		if near < 2 {
			for _, p := range parts {
				f.Unset(p)
			}
		}
	}
}
