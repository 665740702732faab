package compare

import (
	"math"
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
		if v := torso(&frames[i]); v > 0 {
			sizes = append(sizes, v)
		}
	}
	if len(sizes) == 0 {
		for i := range frames {
			if v := diagonal(&frames[i]) * diagonalShare; v > 0 {
				sizes = append(sizes, v)
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

// torso returns the distance from mid-shoulder to mid-hip in pixels, or of one side
// where the other is missing; 0 where there is none.
func torso(f *keypoint.Frame) float64 {
	shoulder, okS := mean(f, keypoint.LeftShoulder, keypoint.RightShoulder)
	hip, okH := mean(f, keypoint.LeftHip, keypoint.RightHip)
	both := func(a, b keypoint.Part) bool { return f.Has(a) && f.Has(b) }
	switch {
	case !okS || !okH:
		return 0
	case both(keypoint.LeftShoulder, keypoint.RightShoulder) && both(keypoint.LeftHip, keypoint.RightHip):
	// One side alone serves: the same side of shoulder and hip, where there is one.
	case both(keypoint.LeftShoulder, keypoint.LeftHip):
		shoulder, _ = f.At(keypoint.LeftShoulder)
		hip, _ = f.At(keypoint.LeftHip)
	case both(keypoint.RightShoulder, keypoint.RightHip):
		shoulder, _ = f.At(keypoint.RightShoulder)
		hip, _ = f.At(keypoint.RightHip)
	}
	return shoulder.Sub(hip).Len()
}

// diagonal returns the diagonal of the box around the detected parts in pixels.
func diagonal(f *keypoint.Frame) float64 {
	low, high := keypoint.Point{math.Inf(1), math.Inf(1)}, keypoint.Point{math.Inf(-1), math.Inf(-1)}
	if f.Empty() {
		return 0
	}
	for p := range keypoint.Part(keypoint.NumParts) {
		if pt, ok := f.At(p); ok {
			low = keypoint.Point{min(low[0], pt[0]), min(low[1], pt[1])}
			high = keypoint.Point{max(high[0], pt[0]), max(high[1], pt[1])}
		}
	}
	return high.Sub(low).Len()
}

// mean returns the mean of two parts, or the one that was found.
func mean(f *keypoint.Frame, a, b keypoint.Part) (keypoint.Point, bool) {
	p, okP := f.At(a)
	q, okQ := f.At(b)
	switch {
	case okP && okQ:
		return keypoint.Point{p[0]/2 + q[0]/2, p[1]/2 + q[1]/2}, true
	case okP:
		return p, true
	}
	return q, okQ
}

// centres returns the points that are laid over each other: the same choice on both
// sides, of the hips, else the shoulders, else all parts that both frames have.
func centres(s, t *keypoint.Frame) (cs, ct keypoint.Point, ok bool) {
	shared := s.Present() & t.Present()
	for _, pair := range [][2]keypoint.Part{
		{keypoint.LeftHip, keypoint.RightHip}, {keypoint.LeftShoulder, keypoint.RightShoulder},
	} {
		if set := keypoint.PartsOf(pair[0], pair[1]) & shared; set != 0 {
			return meanOf(s, set), meanOf(t, set), true
		}
	}
	if shared == 0 {
		return cs, ct, false
	}
	return meanOf(s, shared), meanOf(t, shared), true
}

func meanOf(f *keypoint.Frame, set keypoint.Parts) keypoint.Point {
	var sum keypoint.Point
	for p := range keypoint.Part(keypoint.NumParts) {
		if set.Has(p) {
			pt, _ := f.At(p)
			sum = sum.Add(pt)
		}
	}
	return sum.Mul(1 / float64(set.Len()))
}
