package space

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
)

const (
	turnTime     = 0.15 // seconds before and after a frame that tell whether the body turns
	headingTime  = 0.6  // seconds before and after, in which a walk turns the pelvis one way and the other
	leastHeading = 0.5  // cosine of the largest slope of the lines of shoulders and hips
)

// Headings returns where the body faces in each frame, by the positions: a horizontal direction of length 1, zero if it
// is unknown, as for somebody who lies on the side. For somebody who lies on the front it is where the head points.
//
// It is at right angles to the lines of the shoulders and of the hips, the mean over 0.6 s before and after with the
// weights of a Hann window, without the frames in which the body faces the other way. An invalid sequence has no headings.
func Headings(seq keypoint.Sequence) []keypoint.Position {
	if seq.Validate() != nil {
		return make([]keypoint.Position, seq.Len())
	}
	left := make([]keypoint.Position, seq.Len())
	for i := range left {
		left[i] = leftwards(seq.Frames[i].Positions())
	}
	left = around(seq, left, turnTime, func(_, _ int) bool { return true })
	now := left
	left = around(seq, left, headingTime, func(i, k int) bool { return now[i].Dot(now[k]) > 0 })
	for i, v := range left {
		left[i] = keypoint.Position{}
		if n := v.Len(); n >= leastHeading {
			left[i] = keypoint.Position{-v[2] / n, 0, v[0] / n}
		}
	}
	return left
}

// leftwards returns the mean of the horizontal parts of the directions from right to left; zero if none is known.
func leftwards(s *keypoint.Positions) (sum keypoint.Position) {
	n := 0.0
	for _, part := range [...]keypoint.Part{keypoint.LeftShoulder, keypoint.LeftHip} {
		l, okL := s.At(part)
		r, okR := s.At(part.Mirror())
		if d := l.Sub(r); okL && okR && d.Len() > 0 {
			sum, n = sum.Add(d.Mul(1/d.Len())), n+1
		}
	}
	sum[1] = 0
	return sum.Mul(1 / max(n, 1))
}

// around returns the weighted means of the vectors that are known within some seconds of each frame and of the same
// person; zero where the frame's own is unknown.
func around(seq keypoint.Sequence, vectors []keypoint.Position, seconds float64, same func(i, k int) bool) []keypoint.Position {
	means := make([]keypoint.Position, len(vectors))
	for _, person := range seq.People() {
		from := person.First
		for i := person.First; i <= person.Last; i++ {
			if seq.Times == nil || vectors[i] == (keypoint.Position{}) {
				means[i] = vectors[i]
				continue
			}
			for seq.Times[i]-seq.Times[from] >= seconds {
				from++
			}
			weights := 0.0
			for k := from; k <= person.Last && seq.Times[k]-seq.Times[i] < seconds; k++ {
				if vectors[k] != (keypoint.Position{}) && same(i, k) {
					w := 1 + math.Cos(math.Pi*(seq.Times[k]-seq.Times[i])/seconds)
					means[i], weights = means[i].Add(vectors[k].Mul(w)), weights+w
				}
			}
			means[i] = means[i].Mul(1 / max(weights, 1e-9))
		}
	}
	return means
}
