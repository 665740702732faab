package jump

import (
	"encoding/json"
	"fmt"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
)

// jumpJSON is the API's form of a Jump.
type jumpJSON struct {
	TakeOff    momentJSON         `json:"takeOff"`
	Landing    momentJSON         `json:"landing"`
	FlightTime jsonappend.Rounded `json:"flightTime"`
	Height     jsonappend.Rounded `json:"height"`
	Rise       analyze.Value      `json:"rise"`
	Drop       analyze.Value      `json:"drop"`
}

// momentJSON is the nearest frame, and the time in seconds.
type momentJSON struct {
	Frame int                `json:"frame"`
	Time  jsonappend.Rounded `json:"time"`
}

// MarshalJSON writes the API's form: times in seconds, lengths in metres, and null for what is absent.
func (j Jump) MarshalJSON() ([]byte, error) {
	return json.Marshal(jumpJSON{
		momentJSON{j.TakeOffFrame, jsonappend.Rounded(j.TakeOff)}, momentJSON{j.LandingFrame, jsonappend.Rounded(j.Landing)},
		jsonappend.Rounded(j.FlightTime), jsonappend.Rounded(j.Height), j.Rise, j.Drop,
	})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (j *Jump) UnmarshalJSON(data []byte) error {
	var d jumpJSON
	if err := json.Unmarshal(data, &d); err != nil {
		return fmt.Errorf("%w jump: %w", keypoint.ErrInvalid, err)
	}
	*j = Jump{
		TakeOff: float64(d.TakeOff.Time), Landing: float64(d.Landing.Time), TakeOffFrame: d.TakeOff.Frame, LandingFrame: d.Landing.Frame,
		FlightTime: float64(d.FlightTime), Height: float64(d.Height), Rise: d.Rise, Drop: d.Drop,
	}
	return nil
}
