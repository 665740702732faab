package compare

import (
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// diagonalShare is the torso length as a share of the bounding box's diagonal.
const diagonalShare = 0.45

// bodySize returns the torso length of a recording in pixels: the median over its frames; ok is false if no frame shows it.
func bodySize(frames []keypoint.Frame) (size float64, ok bool) {
	sizes := rank.Known(len(frames), func(i int) (float64, bool) {
		v, ok := frames[i].TorsoLength()
		return v, ok && v > 0
	})
	if len(sizes) == 0 {
		sizes = rank.Known(len(frames), func(i int) (float64, bool) {
			f := frames[i].Only(keypoint.Body)
			low, high, ok := f.Bounds()
			return high.Sub(low).Len() * diagonalShare, ok && low != high
		})
	}
	return rank.Median(sizes), len(sizes) > 0
}

// centreParts returns the parts whose mean is the centre of two frames that share these:
// the hips, else the shoulders, else all of the body, else all.
func centreParts(shared keypoint.Parts) keypoint.Parts {
	shoulders := keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder)
	switch {
	case shared&hips != 0:
		return shared & hips
	case shared&shoulders != 0:
		return shared & shoulders
	case shared&keypoint.Body != 0:
		return shared & keypoint.Body
	}
	return shared
}

// centres returns the points that are made to coincide, of the same parts in both frames; ok is false for frames that share no part.
func centres(s, t *keypoint.Frame) (cs, ct keypoint.Point, ok bool) {
	set := centreParts(s.Present() & t.Present())
	cs, _ = s.Centroid(set)
	ct, _ = t.Centroid(set)
	return cs, ct, set != 0
}
