package score

import (
	"github.com/bodymotion/motion/keypoint"
)

// Torso returns the torso length in pixels: the longest line from a shoulder to a hip. ok is false
// without a shoulder or hip, or if the length is 0.
//
// PCK usually uses one diagonal, left shoulder to right hip (Sapp & Taskar, "MODEC", CVPR 2013). The
// longest line is the same for the mirror image, and does not vanish when the person leans towards
// the camera.
func Torso(f *keypoint.Frame) (pixels float64, ok bool) {
	for _, s := range []keypoint.Part{keypoint.LeftShoulder, keypoint.RightShoulder} {
		for _, h := range []keypoint.Part{keypoint.LeftHip, keypoint.RightHip} {
			a, okA := f.At(s)
			b, okB := f.At(h)
			if okA && okB {
				pixels = max(pixels, a.Sub(b).Len())
			}
		}
	}
	return pixels, pixels > 0
}

// PCK returns the percentage of correct keypoints as a share: of the labelled ones of
// the 17 parts, those that were found within the given number of torso lengths,
//
//	|found − labelled| ≤ within · torso
//
// with the Torso of the labelled person. A part that was not found is not correct. A
// person without a torso gives an empty share. within is usually 0.2.
//
// Source: Yang & Ramanan, "Articulated human detection with flexible mixtures of parts",
// PAMI 2013, with the torso as the measure instead of the box.
func PCK(truth, found *keypoint.Frame, within float64) (s Share) {
	torso, ok := Torso(truth)
	if !ok {
		return Share{}
	}
	for _, p := range (truth.Present() & keypoint.Body).List() {
		want, _ := truth.At(p)
		got, ok := found.At(p)
		s = s.With(ok && got.Sub(want).Len() <= within*torso)
	}
	return s
}
