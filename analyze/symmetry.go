package analyze

import (
	"cmp"
	"encoding/json"
	"fmt"
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
	Left     Spread `json:"left"`
	Right    Spread `json:"right"`
	Both     Spread `json:"both"`     // of all numbers, but the mean is that of the two sides' means if both have one
	Symmetry Value  `json:"symmetry"` // the SymmetryAngle of the means in percent; absent if a side is missing
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

// Symmetry compares the two sides of a rule's values.
type Symmetry struct {
	Angle Value `json:"value"` // the SymmetryAngle of Left and Right in percent; absent if it cannot be told
	// Statistic is what is compared: that of the rule's MovieOption, else Range, so that the ranges of motion are
	// compared. It is "" for an image, whose values are compared.
	Statistic Statistic `json:"statisticsType,omitempty"`
	Left      Value     `json:"left"`            // the statistic of the side
	Right     Value     `json:"right"`           //
	Depth     *TwoSided `json:"depth,omitempty"` // of the complete repetitions that are not shallow, if the rule asks for them
	OtherSide Result    `json:"otherSide"`       // for the other side than that of the Result which has this Symmetry
}

// bothSides computes the rule for its side, with the other one as Symmetry.
func (r Rule) bothSides(rec *recording) Result {
	if r.Type.Sided() && r.Side == "" {
		r.Side = LeftSide
	}
	asked := r.Movie
	if asked == nil && rec.movie() {
		r.Movie = &MovieOption{Statistic: Range}
	}
	side, mirrored := r.mirror()
	res, other := r.oneSide(rec), mirrored.oneSide(rec)
	left, right := &res, &other
	if side == RightSide {
		left, right = right, left
	}
	s := &Symmetry{Left: left.whole(), Right: right.whole()}
	if r.Movie != nil {
		s.Statistic = r.Movie.Statistic
	}
	if s.Left.Present && s.Right.Present {
		s.Angle.X, s.Angle.Present = SymmetryAngle(s.Left.X, s.Right.X)
	}
	if r.Repetitions != nil {
		depth := TwoSidedOf(left.Repetitions.depths(), right.Repetitions.depths())
		s.Depth = &depth
	}
	if asked == nil {
		res.Movie, other.Movie = nil, nil
	}
	s.OtherSide, res.Symmetry = other, s
	return res
}

// whole returns the statistic of the result, or the value of an image.
func (r *Result) whole() Value {
	if r.Movie != nil {
		return r.Movie.Value
	}
	return r.Values[0]
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

// symmetryIndex names the index of a Symmetry in JSON.
const symmetryIndex = "symmetryAngle"

// indexed is the API's form of a Symmetry.
type indexed struct {
	Index string `json:"index"`
	symmetry
}

type symmetry Symmetry // without methods

// MarshalJSON writes the API's form: the name of the index and its value in percent, what is compared, and the
// result for the other side.
func (s Symmetry) MarshalJSON() ([]byte, error) {
	return json.Marshal(indexed{symmetryIndex, symmetry(s)})
}

// UnmarshalJSON reads what MarshalJSON writes. Another index, and another side that has a symmetry itself, are a
// keypoint.ErrInvalid.
func (s *Symmetry) UnmarshalJSON(data []byte) error {
	var d indexed
	if err := json.Unmarshal(data, &d); err != nil {
		return err
	}
	if d.Index != symmetryIndex || d.OtherSide.Type == "" || d.OtherSide.Symmetry != nil {
		return fmt.Errorf("%w symmetry: index %q, want %q and one other side", keypoint.ErrInvalid, d.Index, symmetryIndex)
	}
	*s = Symmetry(d.symmetry)
	return nil
}
