package gait

import (
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/rank"
)

// What is known of the errors, found on recorded people with markers and on rendered ones: docs/how/formulas.md has how.
const (
	mostAside  = 0.25 // the largest share of the square of a stride that leads towards the camera or away from it: 60 degrees
	focalError = 0.8  // of that share: how far the camera's focal length and the curve of a walk put a length astray
	viewError  = 0.14 // radians: one standard deviation of the mean view of a pass

	timeShare   = 0.03 // of a mean of strides or steps: the error that all of them share
	phaseTime   = 0.03 // seconds of a stance, a swing, a flight: strikes and lifts are off by different times
	phaseShare  = 0.02 // the same as a share of the stride
	lengthShare = 0.04 // of a length, from the side
)

// The errors of a single one, which the deviation of a few does not show: shares of a time and of a length, and of the stride.
const singleTime, singleLength, singlePhase = 0.06, 0.1, 0.04

// skewed is how many times less sure the steps are of somebody who is not seen from the side: their errors are not alike on both sides.
const skewed = 2

// uncertainties fills in those of the means, from their deviation and from the error that all values share. scale is that of the scale,
// as a share of it.
func (g *Gait) uncertainties(n *numbers, scale float64) {
	stride, length := g.StrideTime.Both.Mean, math.Hypot(math.Hypot(lengthShare, scale), rank.Mean(n.astray))
	share := func(single, constant float64, of ...*analyze.TwoSided) {
		for _, t := range of {
			toldBoth(t, single*t.Both.Mean, constant*t.Both.Mean)
		}
	}
	share(singleTime, timeShare, &g.StrideTime)
	share(singleTime*n.skew, timeShare*n.skew, &g.StepTime)
	share(singleLength, length, &g.StrideLength, &g.StepLength)
	toldBoth(&g.StanceTime, singlePhase*stride, phaseTime)
	toldBoth(&g.SwingTime, singlePhase*stride, phaseTime)
	toldBoth(&g.StanceShare, singlePhase, phaseShare)
	g.FlightTime, g.DoubleSupport = g.FlightTime.WithUncertainty(singlePhase*stride, phaseTime), g.DoubleSupport.WithUncertainty(singlePhase*stride, phaseTime)
	time, far := g.StrideTime.Both, g.StrideLength.Both
	if g.Cadence.Present {
		g.CadenceUncertainty = analyze.Value{X: g.Cadence.X * time.Uncertainty / time.Mean, Present: true}
	}
	if g.Speed.Present {
		g.SpeedUncertainty = analyze.Value{X: g.Speed.X * math.Hypot(time.Uncertainty/time.Mean, far.Uncertainty/far.Mean), Present: true}
	}
}

// toldBoth sets the uncertainties of each side and of both together, and says whether the sides are the same.
func toldBoth(t *analyze.TwoSided, single, constant float64) {
	for _, s := range [...]*analyze.Spread{&t.Left, &t.Right, &t.Both} {
		*s = s.WithUncertainty(single, constant)
	}
	t.Same = t.Symmetry.Present && math.Abs(t.Left.Mean-t.Right.Mean) < math.Hypot(t.Left.Uncertainty, t.Right.Uncertainty)
}
