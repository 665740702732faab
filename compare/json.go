package compare

import (
	"encoding/json"
	"fmt"

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
)

// AppendJSON appends the API's form of the frame: an object from part name to
// {distance, direction}, distances with at most four decimals and directions with at
// most two.
func (f *Frame) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	for _, p := range f.present.List() {
		d := f.differences[p]
		if d.Direction >= 359.995 { // rounds to 360
			d.Direction = 0
		}
		b = jsonappend.Number(fmt.Appendf(b, `"%v":{"distance":`, p), d.Distance, 4)
		b = jsonappend.Number(append(b, `,"direction":`...), d.Direction, 2)
		b = append(b, "},"...)
	}
	return jsonappend.End(b, '}')
}

// MarshalJSON writes the API's form, as AppendJSON does.
func (f Frame) MarshalJSON() ([]byte, error) { return f.AppendJSON(nil), nil }

// UnmarshalJSON reads what MarshalJSON writes. Distances and directions out of range are a
// keypoint.ErrInvalid.
func (f *Frame) UnmarshalJSON(data []byte) error {
	var parts map[keypoint.Part]Difference
	if err := json.Unmarshal(data, &parts); err != nil {
		return fmt.Errorf("%w difference: %w", keypoint.ErrInvalid, err)
	}
	var g Frame
	for p, d := range parts {
		if !d.valid() {
			return fmt.Errorf("%w difference of %v: distance %v and direction %v, want 0 to 1 and 0 to 360", keypoint.ErrInvalid, p, d.Distance, d.Direction)
		}
		g.set(p, d)
	}
	*f = g
	return nil
}

func (d Difference) valid() bool {
	return d.Distance >= 0 && d.Distance <= 1 && d.Direction >= 0 && d.Direction < 360
}

// MarshalJSON writes {"difference": […], "score": {"overall": …, "parts": {…}}}, with "shift"
// (seconds, at most six decimals) and "path" if there are any.
func (r Result) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 64+len(r.Frames)*keypoint.NumParts*56)
	b = append(b, `{"difference":[`...)
	for i := range r.Frames {
		b = append(r.Frames[i].AppendJSON(b), ',')
	}
	score, err := json.Marshal(r.Score)
	if err != nil {
		return nil, err
	}
	b = append(append(jsonappend.End(b, ']'), `,"score":`...), score...)
	if r.Shift != nil {
		b = keypoint.AppendTimesJSON(append(b, `,"shift":`...), r.Shift)
	}
	if r.Path != nil {
		path, err := json.Marshal(r.Path)
		if err != nil {
			return nil, err
		}
		b = append(append(b, `,"path":`...), path...)
	}
	return append(b, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Result) UnmarshalJSON(data []byte) error {
	var d struct {
		Difference []Frame
		Score      *Score
		Shift      []float64
		Path       [][2]int
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return fmt.Errorf("%w comparison: %w", keypoint.ErrInvalid, err)
	}
	*r = Result{Frames: d.Difference, Score: d.Score, Shift: d.Shift, Path: d.Path}
	return nil
}

// MarshalJSON writes {"overall": …, "parts": {part: …}} with at most four decimals.
func (s Score) MarshalJSON() ([]byte, error) {
	b := jsonappend.Number([]byte(`{"overall":`), s.Overall, 4)
	b = append(b, `,"parts":{`...)
	for p := range keypoint.Part(keypoint.NumParts) {
		if v, ok := s.Parts[p]; ok {
			b = append(jsonappend.Number(fmt.Appendf(b, `"%v":`, p), v, 4), ',')
		}
	}
	return append(jsonappend.End(b, '}'), '}'), nil
}
