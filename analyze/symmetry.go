package analyze

import "math"

// SymmetryAngle compares a number of the left and of the right side by the symmetry angle, −100 to 100 percent: 0 is symmetric,
// positive means that the right side is greater, and 100 that the sides are equal and opposite. It is the angle of the point
// (right, left) against the diagonal, and needs no side for reference:
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
	return math.Remainder(45-math.Atan2(left, right)*180/math.Pi, 180) / 90 * 100, true
}

// TwoSided is a number of both sides over repetitions or strides.
type TwoSided struct {
	Left     Spread `json:"left"`
	Right    Spread `json:"right"`
	Both     Spread `json:"both"`     // of all numbers, but the mean is that of the two sides' means if both have one
	Symmetry Value  `json:"symmetry"` // the SymmetryAngle of the means in percent; absent if a side is missing

	// Same says that left and right differ by less than the uncertainty of their difference.
	Same bool `json:"same,omitempty"`
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
