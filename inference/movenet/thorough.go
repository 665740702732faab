package movenet

import (
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet/internal/pixels"
	"github.com/bodymotion/motion/keypoint"
)

// The thorough look. Each limit was chosen on labelled pictures: scores alone turn people
// over who stand upright, hence the gates.
const (
	sureScore    = 0.70 // of the first look; below, the other quarter turns are tried
	turnGain     = 0.10 // by which another look has to score higher to be preferred
	thoroughLean = 5 * math.Pi / 180
	sameSight    = 0.7 // similarity from which on two looks see the same body
	samePart     = 0.2 // and the same part, with twice the tolerance
)

// refineMargins are the factors of the crops around keypoints, which show the body in other
// sizes: the mean over them is more exact than each.
var refineMargins = [...]float64{1.25, 1.4, 1.55}

// thorough looks at the crop in all four quarter turns, unless the first look is sure, each
// straightened by the torso; then at crops around the keypoints of the first look and of
// the best one. The best look counts, together with those that see the same: each part is
// their mean, weighted by the squares of the confidences.
func (v *view) thorough(s pixels.Square) (estimate, error) {
	first, err := v.straight(s, thoroughLean)
	if err != nil {
		return estimate{}, err
	}
	looks := first.all(nil)
	base := first.asIs
	if a, ok := lean(&base.frame); ok && math.Abs(a) > maxLean {
		base = first.better()
	}
	best := base
	if base.score < sureScore {
		for k := 1; k < 4; k++ {
			t := s
			t.Angle = math.Remainder(float64(k)*math.Pi/2, 2*math.Pi)
			p, err := v.straight(t, thoroughLean)
			if err != nil {
				return estimate{}, err
			}
			looks = p.all(looks)
			if b := p.better(); b.score > best.score {
				best = b
			}
		}
	}
	from := []estimate{base}
	if best != base {
		from = append(from, best)
	}
	for _, f := range from {
		for _, margin := range refineMargins {
			crop, ok := f.tight(margin)
			if !ok {
				continue
			}
			r, err := v.estimate(crop)
			if err != nil {
				return estimate{}, err
			}
			looks = append(looks, r)
		}
	}
	for _, l := range looks {
		if l.score > best.score {
			best = l
		}
	}
	if best.score < base.score+turnGain {
		best = base
	}
	return best.with(looks), nil
}

// all appends the looks of a pair.
func (p pair) all(to []estimate) []estimate {
	to = append(to, p.asIs)
	if p.two {
		to = append(to, p.turned)
	}
	return to
}

// tight returns a crop around the keypoints, turned with the torso where it leans; ok is
// false where no part is seen.
func (e *estimate) tight(margin float64) (s pixels.Square, ok bool) {
	if a, leans := lean(&e.frame); leans && math.Abs(a) > maxLean {
		s.Angle = a
	}
	sin, cos := math.Sincos(s.Angle)
	var upright keypoint.Frame // as the crop shows it
	for _, p := range e.frame.Present().List() {
		if c := e.frame.Confidence(p); c >= seen {
			pt, _ := e.frame.At(p)
			upright.Set(p, keypoint.Point{cos*pt[0] + sin*pt[1], cos*pt[1] - sin*pt[0]}, c)
		}
	}
	b, ok := inference.BoundsOf(&upright)
	c := b.Centre()
	s.Centre = keypoint.Point{cos*c[0] - sin*c[1], sin*c[0] + cos*c[1]}
	s.Side = max(b.Extent(), 16) * margin
	return s, ok
}

// seen is the confidence from which on a part counts for a crop.
const seen = 0.2

// with returns the estimate with each part at the weighted mean of the looks that see the
// same body. Their tolerance is that of COCO's keypoint similarity.
func (e *estimate) with(looks []estimate) estimate {
	b, ok := inference.BoundsOf(&e.frame)
	if !ok {
		return *e
	}
	area := b.Width() * b.Height()
	var sum [keypoint.NumParts]keypoint.Point
	var weight [keypoint.NumParts]float64
	for i := range looks {
		l := &looks[i]
		near := similarity(&e.frame, &l.frame, area)
		mean := 0.0
		for _, n := range near {
			mean += n / keypoint.NumParts
		}
		if mean <= sameSight {
			continue
		}
		for p := range keypoint.Part(keypoint.NumParts) {
			// The square root is the similarity with twice the area.
			if pt, ok := l.frame.At(p); ok && math.Sqrt(near[p]) > samePart {
				w := l.frame.Confidence(p) * l.frame.Confidence(p)
				sum[p] = sum[p].Add(pt.Mul(w))
				weight[p] += w
			}
		}
	}
	merged := *e
	for p := range keypoint.Part(keypoint.NumParts) {
		if weight[p] > 0 {
			merged.frame.Set(p, sum[p].Mul(1/weight[p]), e.frame.Confidence(p))
		}
	}
	return merged
}

// spread is how far apart people place each part, a share of the square root of a body's
// area (https://cocodataset.org/#keypoints-eval).
var spread = [keypoint.NumParts]float64{
	.026, .025, .025, .035, .035, .079, .079, .072, .072, .062, .062, .107, .107, .087, .087, .089, .089,
}

// similarity returns exp(−d² / (2·area·(2σ)²)) of each part, with d the distance of two
// frames' parts in pixels.
func similarity(a, b *keypoint.Frame, area float64) (near [keypoint.NumParts]float64) {
	for p := range keypoint.Part(keypoint.NumParts) {
		x, okX := a.At(p)
		y, okY := b.At(p)
		if okX && okY {
			d := x.Sub(y)
			s := 2 * spread[p]
			near[p] = math.Exp(-d.Dot(d) / (2 * area * s * s))
		}
	}
	return near
}
