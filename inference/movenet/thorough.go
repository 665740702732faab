package movenet

import (
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/pixels"
	"github.com/bodymotion/motion/keypoint"
)

// The limits of thorough. Scores alone would turn over people who stand upright.
const (
	sureScore    = 0.70 // of the first estimate; below, it tries the other orientations
	turnGain     = 0.10 // least gain in score for another estimate to replace the first
	thoroughLean = 5 * math.Pi / 180
	sameBody     = 0.7 // least similarity of two estimates of one body
	samePart     = 0.2 // and of one part, with twice the tolerance
)

// refineMargins are the margins of crops around keypoints: the mean over several sizes is more exact.
var refineMargins = [...]float64{1.25, 1.4, 1.55}

// thorough estimates the crop, and unless that is sure, in the three other orientations, each also
// rotated upright by the torso; then crops around the keypoints of the first estimate and the best
// one. The result is the best estimate, with each part at the mean of the estimates that agree,
// weighted by the squares of the confidences.
func (v *view) thorough(s pixels.Square) (estimate, error) {
	first, err := v.straight(s, thoroughLean)
	if err != nil {
		return estimate{}, err
	}
	estimates := first.all(nil)
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
			estimates = p.all(estimates)
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
			estimates = append(estimates, r)
		}
	}
	for _, l := range estimates {
		if l.score > best.score {
			best = l
		}
	}
	if best.score < base.score+turnGain {
		best = base
	}
	return best.with(estimates), nil
}

// all appends the estimates of a pair to a list.
func (p pair) all(to []estimate) []estimate {
	to = append(to, p.asIs)
	if p.two {
		to = append(to, p.turned)
	}
	return to
}

// tight returns a crop around the keypoints, rotated if the torso leans; ok is false if there are no
// parts.
func (e *estimate) tight(margin float64) (s pixels.Square, ok bool) {
	if a, leans := lean(&e.frame); leans && math.Abs(a) > maxLean {
		s.Angle = a
	}
	sin, cos := math.Sincos(s.Angle)
	var upright keypoint.Frame // in the crop
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

// seen is the least confidence of a part that counts for a crop.
const seen = 0.2

// with returns the estimate with each part at the weighted mean of the estimates that agree, by
// COCO's object keypoint similarity.
func (e *estimate) with(estimates []estimate) estimate {
	b, ok := inference.BoundsOf(&e.frame)
	if !ok {
		return *e
	}
	area := b.Width() * b.Height()
	var sum [keypoint.NumBody]keypoint.Point
	var weight [keypoint.NumBody]float64
	for i := range estimates {
		l := &estimates[i]
		near := similarity(&e.frame, &l.frame, area)
		mean := 0.0
		for _, n := range near {
			mean += n / keypoint.NumBody
		}
		if mean <= sameBody {
			continue
		}
		for p := range keypoint.Part(keypoint.NumBody) {
			// The square root is the similarity with twice the area.
			if pt, ok := l.frame.At(p); ok && math.Sqrt(near[p]) > samePart {
				w := l.frame.Confidence(p) * l.frame.Confidence(p)
				sum[p] = sum[p].Add(pt.Mul(w))
				weight[p] += w
			}
		}
	}
	merged := *e
	for p := range keypoint.Part(keypoint.NumBody) {
		if weight[p] > 0 {
			merged.frame.Set(p, sum[p].Mul(1/weight[p]), e.frame.Confidence(p))
		}
	}
	return merged
}

// spread is the standard deviation of each part among annotators, as a share of the square root of
// the body's area (https://cocodataset.org/#keypoints-eval).
var spread = [keypoint.NumBody]float64{
	.026, .025, .025, .035, .035, .079, .079, .072, .072, .062, .062, .107, .107, .087, .087, .089, .089,
}

// similarity returns exp(−d² / (2·area·(2σ)²)) for each part, where d is the distance between the
// two frames' parts in pixels.
func similarity(a, b *keypoint.Frame, area float64) (near [keypoint.NumBody]float64) {
	for p := range keypoint.Part(keypoint.NumBody) {
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
