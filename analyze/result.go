package analyze

import (
	"encoding/json"
	"fmt"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Result is the outcome of a rule.
type Result struct {
	Type        Type
	Name        string   // what it is, for columns and charts: "left knee flexion"
	Side        Side     // of the body, if all points are on one, else ""
	Description string   // one English sentence that names type, points and unit
	Unit        string   // "px", "°", "px/s" or "°/s"; with a scale "m" and "m/s"
	Values      []Value  // one for each frame, in Unit
	Coverage    float64  // share of the frames that have a value, 0 to 1
	Movie       *Summary // nil if the rule has no MovieOption

	// Statistics are all of them, over the frames of one person as in Movie; nil if the rule does not ask for
	// them. One that needs more values than there are is absent.
	Statistics map[Statistic]Value

	Repetitions *Repetitions // nil if the rule does not ask for them
	Symmetry    *Symmetry    // the other side; nil if the rule does not ask for it

	// Uncertainty is one standard deviation of each value against the truth, in its unit, of a coordinate that of x
	// and of y, as quality.Uncertainty tells it. A frame without one is absent; nil: no frame has one.
	// Angles refer to the angle in space: one that is seen obliquely is uncertain.
	Uncertainty []Value
	// Constant is the bias in the uncertainties, the same in every frame. It does not count between frames; a neutral pose removes it.
	Constant float64
	// Warnings say in which frames the person is not seen from where the values show (outOfPlane), and
	// why values of a named angle are absent: a joint is hidden (hiddenSide, in just the frames that have no
	// value because of it), it cannot be told where the person faces (facing), or there are no feet (lowCoverage).
	Warnings []quality.Warning
}

// place makes the result of a part, which begins at a frame, one of the whole recording of n frames.
func (r *Result) place(first, n int) {
	r.Values = padded(r.Values, first, n)
	if r.Uncertainty != nil {
		r.Uncertainty = padded(r.Uncertainty, first, n)
	}
	for i := range r.Warnings {
		r.Warnings[i].From += first
		r.Warnings[i].To += first
	}
	if r.Repetitions != nil {
		for k := range r.Repetitions.List {
			c := &r.Repetitions.List[k]
			c.Start.Frame, c.Turn.Frame, c.End.Frame = c.Start.Frame+first, c.Turn.Frame+first, c.End.Frame+first
		}
	}
	if r.Symmetry != nil {
		r.Symmetry.OtherSide.place(first, n)
	}
}

// sides returns the result, and that of the other side if there is one.
func (r *Result) sides() []*Result {
	if r.Symmetry == nil {
		return []*Result{r}
	}
	return []*Result{r, &r.Symmetry.OtherSide}
}

// whole returns the statistic of the result, or the value of an image.
func (r *Result) whole() Value {
	if r.Movie != nil {
		return r.Movie.Value
	}
	return r.Values[0]
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

// symmetryIndex names the index of a Symmetry in JSON.
const symmetryIndex = "symmetryAngle"

// indexed is the API's form of a Symmetry.
type indexed struct {
	Index string `json:"index"`
	symmetry
}

type symmetry Symmetry // without methods

// MarshalJSON writes the API's form: the name of the index and its value in percent, what is compared, and the result for the other side.
func (s Symmetry) MarshalJSON() ([]byte, error) {
	return json.Marshal(indexed{symmetryIndex, symmetry(s)})
}

// UnmarshalJSON reads what MarshalJSON writes. Another index, and another side that has a symmetry itself, are a keypoint.ErrInvalid.
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
