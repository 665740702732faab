package clean

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

const (
	leastCutoff, mostCutoff = 6.0, 12.0 // Hz, of those that follow the movement
	cutoffStep              = 0.5       // Hz
	cutoffShare             = 0.4       // the highest one as a share of the frame rate

	noiseTop   = 24   // Hz below which residuals are looked at, and
	noiseShare = 0.48 // as a share of the frame rate; from two thirds of it, they are those of noise
)

// girdles are the shoulders and hips.
const girdles = 1<<keypoint.LeftShoulder | 1<<keypoint.RightShoulder | 1<<keypoint.LeftHip | 1<<keypoint.RightHip

// limbs are the parts that move alike: arms, legs, and trunk and head. Feet are often absent, and change nothing.
var limbs = [...]keypoint.Parts{
	keypoint.UpperBody &^ girdles, keypoint.LowerBody &^ girdles, keypoint.Body&^(keypoint.UpperBody|keypoint.LowerBody) | girdles,
}

// follow returns the filter for a movement: its cut-off is the mean of those that the residuals of the limbs show.
func (s Smooth) follow(t *track, frames []keypoint.Frame) filter {
	sum := 0.0
	for _, parts := range limbs {
		sum += s.cutoffOf(t, frames, parts)
	}
	s.Cutoff = math.Round(sum/float64(len(limbs))/cutoffStep) * cutoffStep
	return s.filter()
}

// cutoffOf finds the cut-off of a limb by the residuals of the filter, the root mean squares of what it takes away (D. A. Winter,
// Biomechanics and motor control of human movement). At high cut-offs that is noise, along a straight line, whose value at
// 0 Hz is all the noise. The least cut-off whose residual is not above it distorts the movement as much as it lets noise pass.
func (s Smooth) cutoffOf(t *track, frames []keypoint.Frame, parts keypoint.Parts) float64 {
	type curve struct{ times, x []float64 }
	var curves []curve
	filter, rate := s.filter(), math.Inf(1)
	for _, p := range parts.List() {
		t.load(frames, p)
		t.runs(func(first, end int) {
			times := t.times[first:end]
			if need, least := filter.lacks(times); need > 0 || least > 0 {
				return
			}
			rate = min(rate, meanRate(times))
			for _, axis := range t.axis {
				curves = append(curves, curve{times, slices.Clone(axis[first:end])})
			}
		})
	}
	if curves == nil {
		return leastCutoff
	}
	residual := func(cutoff float64) float64 {
		s.Cutoff = cutoff
		filter, sum, n, x := s.filter(), 0.0, 0, []float64(nil)
		for _, c := range curves {
			x = append(x[:0], c.x...)
			filter.run(c.times, x)
			for i := range x {
				sum, n = sum+(x[i]-c.x[i])*(x[i]-c.x[i]), n+1
			}
		}
		return math.Sqrt(sum / float64(n))
	}
	top := min(noiseTop, noiseShare*rate)
	var high, taken []float64
	for _, share := range [...]float64{4. / 6, 5. / 6, 1} {
		high, taken = append(high, share*top), append(taken, residual(share*top))
	}
	noise, _ := rank.Line(high, taken)
	cutoff := leastCutoff
	for cutoff+cutoffStep <= min(mostCutoff, cutoffShare*rate) && residual(cutoff) > noise(0) {
		cutoff += cutoffStep
	}
	return cutoff
}
