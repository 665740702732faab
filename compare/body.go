package compare

import (
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// diagonalShare is the torso length as a share of the bounding box's diagonal.
const diagonalShare = 0.45

// bodySize returns the torso length of a recording in pixels: the median over its
// frames; ok is false when no frame tells it.
func bodySize(frames []keypoint.Frame) (size float64, ok bool) {
	sizes := make([]float64, 0, len(frames))
	for i := range frames {
		if v, ok := frames[i].TorsoLength(); ok && v > 0 {
			sizes = append(sizes, v)
		}
	}
	if len(sizes) == 0 {
		for i := range frames {
			if low, high, ok := frames[i].Bounds(); ok && low != high {
				sizes = append(sizes, high.Sub(low).Len()*diagonalShare)
			}
		}
	}
	n := len(sizes)
	if n == 0 {
		return 0, false
	}
	slices.Sort(sizes)
	return sizes[(n-1)/2]/2 + sizes[n/2]/2, true
}

// centres returns the points that are laid over each other: the same choice on both
// sides, of the hips, else the shoulders, else all parts that both frames have.
func centres(s, t *keypoint.Frame) (cs, ct keypoint.Point, ok bool) {
	shared := s.Present() & t.Present()
	for _, set := range [...]keypoint.Parts{
		keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip), keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder), keypoint.All,
	} {
		if set &= shared; set != 0 {
			cs, _ = s.Centroid(set)
			ct, _ = t.Centroid(set)
			return cs, ct, true
		}
	}
	return cs, ct, false
}
