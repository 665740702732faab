package analyze

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// resultJSON is the API's form of a Result.
type resultJSON struct {
	Type        Type                `json:"analysisType"`
	Name        string              `json:"name,omitempty"`
	Side        Side                `json:"side,omitempty"`
	Description string              `json:"description"`
	Unit        string              `json:"unit,omitempty"`
	Values      []valueJSON         `json:"values"`
	Coverage    numberJSON          `json:"coverage"`
	Uncertainty []valueJSON         `json:"uncertainty,omitempty"`
	Constant    numberJSON          `json:"constant,omitempty"`
	Movie       *summaryJSON        `json:"movieOption,omitempty"`
	Statistics  map[Statistic]Value `json:"statistics,omitempty"`
	Repetitions *Repetitions        `json:"repetitions,omitempty"`
	Symmetry    *Symmetry           `json:"symmetry,omitempty"`

	Warnings []quality.Warning `json:"warnings,omitempty"`
}

type summaryJSON struct {
	MovieOption
	Value valueJSON   `json:"value"`
	Time  *numberJSON `json:"time,omitempty"`
}

// MarshalJSON writes the API's form of a result. Numbers have at most four decimals; a
// coordinate is [x, y]; a frame without a value is null. Beyond the specification there
// are name, side, unit, coverage, uncertainty, constant, statistics, repetitions, symmetry, warnings and, in movieOption, the time of an extreme.
func (r Result) MarshalJSON() ([]byte, error) {
	pair := r.Type.Pair()
	d := resultJSON{
		Type: r.Type, Name: r.Name, Side: r.Side, Description: r.Description, Unit: r.Unit,
		Values: make([]valueJSON, len(r.Values)), Coverage: numberJSON(r.Coverage), Warnings: r.Warnings,
		Statistics: r.Statistics, Repetitions: r.Repetitions, Symmetry: r.Symmetry, Constant: numberJSON(r.Constant),
	}
	for i, v := range r.Values {
		d.Values[i] = valueJSON{v, pair}
	}
	for _, v := range r.Uncertainty {
		d.Uncertainty = append(d.Uncertainty, valueJSON{v, false})
	}
	if m := r.Movie; m != nil {
		d.Movie = &summaryJSON{MovieOption: m.MovieOption, Value: valueJSON{m.Value, pair}}
		if m.Time.Present {
			d.Movie.Time = (*numberJSON)(&m.Time.X)
		}
	}
	return json.Marshal(d)
}

// UnmarshalJSON reads what MarshalJSON writes. An unknown type, and a value that does not fit the type, is a keypoint.ErrInvalid.
func (r *Result) UnmarshalJSON(data []byte) error {
	var d resultJSON
	if err := json.Unmarshal(data, &d); err != nil {
		return fmt.Errorf("%w result: %w", keypoint.ErrInvalid, err)
	}
	if d.Type.definition().name == "" {
		return fmt.Errorf("%w result: analysisType is %q, want one of %v", keypoint.ErrInvalid, d.Type, Types())
	}
	if d.Side != "" && !slices.Contains(sides, d.Side) {
		return fmt.Errorf("%w result: side is %q, want one of %v", keypoint.ErrInvalid, d.Side, sides)
	}
	back := Result{
		Type: d.Type, Name: d.Name, Side: d.Side, Description: d.Description, Unit: cmp.Or(d.Unit, d.Type.Unit()),
		Coverage: float64(d.Coverage), Values: make([]Value, len(d.Values)), Warnings: d.Warnings,
		Statistics: d.Statistics, Repetitions: d.Repetitions, Symmetry: d.Symmetry, Constant: float64(d.Constant),
	}
	for i, v := range d.Values {
		if !v.fits(d.Type) {
			return fmt.Errorf("%w result: value %d does not fit %s", keypoint.ErrInvalid, i, d.Type)
		}
		back.Values[i] = v.Value
	}
	for i, v := range d.Uncertainty {
		if v.pair || len(d.Uncertainty) != len(d.Values) {
			return fmt.Errorf("%w result: uncertainty %d of %d values is not a number for each", keypoint.ErrInvalid, i, len(d.Values))
		}
		back.Uncertainty = append(back.Uncertainty, v.Value)
	}
	if m := d.Movie; m != nil {
		if !m.Value.fits(d.Type) {
			return fmt.Errorf("%w result: the statistic does not fit %s", keypoint.ErrInvalid, d.Type)
		}
		back.Movie = &Summary{MovieOption: m.MovieOption, Value: m.Value.Value}
		if m.Time != nil {
			back.Movie.Time = Value{X: float64(*m.Time), Present: true}
		}
	}
	*r = back
	return nil
}

// fits reports whether the value is absent or of the type's form.
func (v valueJSON) fits(t Type) bool { return !v.Present || v.pair == t.Pair() }
