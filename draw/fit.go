package draw

import "github.com/bodymotion/motion/keypoint"

// Fit returns the target's frame as a comparison sees it beside the source's, in
// pixels of the source's picture: a part at b comes to
//
//	cs + (b − ct) · scale
//
// where scale is the source's body size over the target's, and cs and ct are the means
// of the hips that both frames have, else of the shoulders, else of all parts that
// both have. ok is false where the frames share no part or scale is not positive.
func Fit(source, target *keypoint.Frame, scale float64) (fitted keypoint.Frame, ok bool) {
	shared := source.Present() & target.Present()
	for _, set := range [...]keypoint.Parts{
		keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip),
		keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder),
	} {
		if set &= shared; set != 0 {
			shared = set
			break
		}
	}
	if shared == 0 || !(scale > 0) {
		return fitted, false
	}
	centre := func(f *keypoint.Frame) (sum keypoint.Point) {
		for p := range keypoint.Part(keypoint.NumParts) {
			if shared.Has(p) {
				at, _ := f.At(p)
				sum = sum.Add(at)
			}
		}
		return sum.Mul(1 / float64(shared.Len()))
	}
	cs, ct := centre(source), centre(target)
	for p := range keypoint.Part(keypoint.NumParts) {
		if at, ok := target.At(p); ok {
			fitted.Set(p, cs.Add(at.Sub(ct).Mul(scale)), target.Confidence(p))
		}
	}
	return fitted, true
}
