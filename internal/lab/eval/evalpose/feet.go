package evalpose

import "github.com/bodymotion/motion/keypoint"

// feet are the parts that Feet measures. No network at hand knows small toes.
var feet = keypoint.PartsOf(keypoint.LeftHeel, keypoint.RightHeel, keypoint.LeftBigToe, keypoint.RightBigToe)

// Feet returns the share of the heels and big toes of the truth that were found in the paired frames, and
// how far these are from the truth, in torso lengths of its frame.
func Feet(truth, found keypoint.Sequence, matched []Pair) (given Share, errors Values) {
	for _, m := range matched {
		want, got := &truth.Frames[m.Reference], &found.Frames[m.Result]
		torso, ok := want.TorsoLength()
		if !ok {
			continue
		}
		for _, p := range (want.Present() & feet).List() {
			at, _ := want.At(p)
			is, ok := got.At(p)
			given = given.with(ok)
			if ok {
				errors = errors.add(is.Sub(at).Len() / torso)
			}
		}
	}
	return given, errors
}
