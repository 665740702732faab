package quality

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// reportJSON is the API's form of a Report.
type reportJSON struct {
	Verdict  Verdict    `json:"verdict"`
	Warnings []Warning  `json:"warnings"`
	View     []*float64 `json:"view"` // nil: unknown
}

// MarshalJSON writes the API's form: the verdict, the warnings, and the view of each frame in whole degrees, null where it is unknown.
func (r Report) MarshalJSON() ([]byte, error) {
	d := reportJSON{r.Verdict, append([]Warning{}, r.Warnings...), make([]*float64, len(r.frames))}
	for i, v := range r.frames {
		if v.known {
			degrees := math.Round(v.degrees)
			d.View[i] = &degrees
		}
	}
	return json.Marshal(d)
}

// UnmarshalJSON reads what MarshalJSON writes. Anything else is a keypoint.ErrInvalid.
func (r *Report) UnmarshalJSON(data []byte) error {
	var d reportJSON
	if err := json.Unmarshal(data, &d); err != nil {
		return fmt.Errorf("%w report: %w", keypoint.ErrInvalid, err)
	}
	*r = Report{Verdict: d.Verdict, Warnings: d.Warnings, Views: Views{make([]view, len(d.View))}}
	for i, v := range d.View {
		if v != nil {
			r.frames[i] = view{*v, true}
		}
	}
	return nil
}
