package evalpose

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
		s = s.with(ok && got.Sub(want).Len() <= within*torso)
	}
	return s
}

// PartErrors holds the distances between detected and labelled positions for each part, in COCO's
// order, in torso lengths. The zero value is ready to use.
type PartErrors [keypoint.NumBody]Values

// Plus returns the errors with those of one more person:
//
//	|found − labelled| / torso
//
// for each of the 17 parts that is labelled and was found, with the Torso of the labelled person. A
// person without a torso adds nothing. Absent parts add nothing either: PCK counts them.
func (e PartErrors) Plus(truth, found *keypoint.Frame) PartErrors {
	torso, ok := Torso(truth)
	if !ok {
		return e
	}
	for _, p := range (truth.Present() & found.Present() & keypoint.Body).List() {
		want, _ := truth.At(p)
		got, _ := found.At(p)
		e[p] = e[p][:len(e[p]):len(e[p])].add(got.Sub(want).Len() / torso)
	}
	return e
}

// All returns the errors of all parts together, in torso lengths.
func (e PartErrors) All() Values {
	var all Values
	for _, v := range e {
		all = append(all, v...)
	}
	return all
}
