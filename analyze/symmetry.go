package analyze

import (
	"cmp"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// SymmetryAngle compares a number of the left and of the right side by the symmetry angle, −100 to 100
// percent: 0 is symmetric, positive means that the right side is greater, and 100 that the sides are equal
// and opposite. It is the angle of the point (right, left) against the diagonal, and needs no side for
// reference:
//
//	symmetry angle = (45° − atan(left / right)) / 90° · 100 %
//
// with 180° subtracted where the difference is more than 90°. ok is false if both are 0 or one is not finite.
//
// Source: Zifchock, Davis, Higginson and Royer, "The symmetry angle: a novel, robust method of
// quantifying asymmetry" (Gait Posture 27:622, 2008, doi:10.1016/j.gaitpost.2007.08.006).
func SymmetryAngle(left, right float64) (percent float64, ok bool) {
	if left == 0 && right == 0 || !finite(left) || !finite(right) {
		return 0, false
	}
	degrees := 45 - math.Atan2(left, right)*180/math.Pi
	for degrees > 90 {
		degrees -= 180
	}
	for degrees < -90 {
		degrees += 180
	}
	return degrees / 90 * 100, true
}

// TwoSided is a number of both sides over repetitions or strides.
type TwoSided struct {
	Left, Right Spread
	Both        Spread // of all numbers, but the mean is that of the two sides' means if both have one
	Symmetry    Value  // the SymmetryAngle of the means in percent; absent if a side is missing
}

// TwoSidedOf returns the means, deviations and symmetry of the numbers of both sides.
func TwoSidedOf(left, right []float64) TwoSided {
	s := TwoSided{Left: SpreadOf(left), Right: SpreadOf(right)}
	s.Both = SpreadOf(append(append([]float64(nil), left...), right...))
	if len(left) > 0 && len(right) > 0 {
		s.Both.Mean = s.Left.Mean/2 + s.Right.Mean/2
		s.Symmetry.X, s.Symmetry.Present = SymmetryAngle(s.Left.Mean, s.Right.Mean)
	}
	return s
}

// Sides are the results of a rule for both sides of the body.
type Sides struct {
	Left, Right Result
	// Symmetry is the SymmetryAngle of the two statistics in percent. It is absent if a side has none.
	Symmetry Value
}

// RunSides computes a rule that names a side, or parts of one side, for both sides, such as the flexion of
// the left knee and of the right one. A rule without a statistic gets the range, so that Symmetry compares
// the ranges of motion. A rule that names no more parts of one side than of the other, and one whose values
// are points, are reported as keypoint.FieldErrors; other errors are those of Run.
func RunSides(seq keypoint.Sequence, rule Rule) (Sides, error) {
	if rule.Type.Pair() {
		return Sides{}, keypoint.FieldErrors{{Detail: "has points as values, which have no symmetry"}}
	}
	if rule.Movie == nil {
		rule.Movie = &MovieOption{Statistic: Range}
	}
	side, mirrored := rule.mirror()
	switch side {
	case RightSide:
		rule, mirrored = mirrored, rule
	case "":
		return Sides{}, keypoint.FieldErrors{{Detail: "does not name a side, or more parts of one side than of the other"}}
	}
	results, err := Run(seq, []Rule{rule, mirrored})
	if err != nil {
		return Sides{}, err
	}
	s := Sides{Left: results[0], Right: results[1]}
	if a, b := s.Left.Movie.Value, s.Right.Movie.Value; a.Present && b.Present {
		s.Symmetry.X, s.Symmetry.Present = SymmetryAngle(a.X, b.X)
	}
	return s, nil
}

// mirror returns the side of the rule, "" if it has none, and the rule for the other side.
func (r Rule) mirror() (Side, Rule) {
	side, left := r.Side, 0
	switch side {
	case LeftSide:
		r.Side = RightSide
	case RightSide:
		r.Side = LeftSide
	}
	points := make([]keypoint.Selector, len(r.Points))
	for k, s := range r.Points {
		points[k] = keypoint.Selector{Type: s.Type, Parts: make([]keypoint.Part, len(s.Parts))}
		for j, p := range s.Parts {
			q := p.Mirror()
			points[k].Parts[j] = q
			left += cmp.Compare(q, p) // a left part comes before its mirror part
		}
	}
	r.Points = points
	switch {
	case side == "" && left > 0:
		side = LeftSide
	case side == "" && left < 0:
		side = RightSide
	}
	return side, r
}
