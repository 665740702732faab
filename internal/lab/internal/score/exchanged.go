package score

import "github.com/bodymotion/motion/keypoint"

const (
	tellable  = 0.15 // torso lengths between the twins of the truth
	exchanged = 0.1  // torso lengths by which the exchange must fit better
)

// Exchanged returns in how many pairs of limb parts left and right are exchanged: shoulders, elbows,
// wrists, hips, knees and ankles of the paired frames. A pair counts where both its parts are in both
// frames and, in the truth, at least 0.15 torso lengths apart, so that left can be told from right. It is
// exchanged where
//
//	|found_left − truth_right| + |found_right − truth_left| + 0.1 · torso < |found_left − truth_left| + |found_right − truth_right|
//
// frames is the number of frames with an exchanged pair, of those with a pair that counts.
func Exchanged(truth, found keypoint.Sequence, matched []Pair) (pairs, frames Share) {
	for _, m := range matched {
		want, got := &truth.Frames[m.Reference], &found.Frames[m.Result]
		torso, ok := want.TorsoLength()
		if !ok {
			continue
		}
		var here Share
		for left := keypoint.LeftShoulder; left <= keypoint.LeftAnkle; left += 2 {
			gain, apart, ok := exchange(want, got, left)
			if ok && apart >= tellable*torso {
				here = here.With(gain > exchanged*torso)
			}
		}
		if here.Of > 0 {
			pairs = pairs.Plus(here)
			frames = frames.With(here.Count > 0)
		}
	}
	return pairs, frames
}

// exchange returns by how many pixels the parts of a pair fit better together when they are exchanged,
// and how far they are apart in want. ok is false where one is missing.
func exchange(want, got *keypoint.Frame, left keypoint.Part) (gain, apart float64, ok bool) {
	right := left.Mirror()
	both := keypoint.PartsOf(left, right)
	if want.Present()&both != both || got.Present()&both != both {
		return 0, 0, false
	}
	wl, _ := want.At(left)
	wr, _ := want.At(right)
	gl, _ := got.At(left)
	gr, _ := got.At(right)
	gain = gl.Sub(wl).Len() + gr.Sub(wr).Len() - gl.Sub(wr).Len() - gr.Sub(wl).Len()
	return gain, wl.Sub(wr).Len(), true
}
