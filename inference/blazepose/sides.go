package blazepose

import "github.com/bodymotion/motion/keypoint"

// minAcross is the least distance between the shoulders that shows which way a body faces, torso
// lengths.
const minAcross = 0.3

// keepSides exchanges left and right if the body has turned about since the previous frame while it
// stayed where it is, which nobody does from one frame to the next: the network takes the front of
// some people for their back, and back again.
func keepSides(previous *keypoint.Frame, f keypoint.Frame) keypoint.Frame {
	before, okBefore := axesOf(previous)
	now, okNow := axesOf(&f)
	if !okBefore || !okNow || before.up.Dot(now.up) <= 0 ||
		before.shoulders.Dot(now.shoulders) >= 0 || before.hips.Dot(now.hips) >= 0 ||
		before.shoulders.Len() < minAcross*before.up.Len() || now.shoulders.Len() < minAcross*now.up.Len() {
		return f
	}
	var mirrored keypoint.Frame
	for p := range points {
		if at, ok := f.At(p); ok {
			mirrored.Set(p.Mirror(), at, f.Confidence(p))
		}
	}
	return mirrored
}

// axes are the directions of a torso, pixels: from hips to shoulders, and from right to left.
type axes struct{ up, shoulders, hips keypoint.Point }

// axesOf returns the axes of a body; ok is false if a shoulder or hip is missing.
func axesOf(f *keypoint.Frame) (a axes, ok bool) {
	var at [4]keypoint.Point
	for i, p := range []keypoint.Part{keypoint.LeftShoulder, keypoint.RightShoulder, keypoint.LeftHip, keypoint.RightHip} {
		if at[i], ok = f.At(p); !ok {
			return axes{}, false
		}
	}
	up := at[0].Add(at[1]).Sub(at[2]).Sub(at[3]).Mul(0.5)
	return axes{up, at[0].Sub(at[1]), at[2].Sub(at[3])}, true
}
