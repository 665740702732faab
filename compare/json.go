package compare

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
)

// AppendJSON appends the API's form of the frame: an object from part name to
// {distance, direction}, distances with at most four decimals and directions with at
// most two.
func (f *Frame) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	sep := false
	for p := range keypoint.Part(keypoint.NumParts) {
		d, ok := f.At(p)
		if !ok {
			continue
		}
		if sep {
			b = append(b, ',')
		}
		sep = true
		b = append(b, '"')
		b = append(b, p.String()...)
		b = append(b, `":{"distance":`...)
		b = jsonappend.Number(b, d.Distance, 4)
		b = append(b, `,"direction":`...)
		direction := d.Direction
		if direction >= 359.995 { // rounds to 360
			direction = 0
		}
		b = jsonappend.Number(b, direction, 2)
		b = append(b, '}')
	}
	return append(b, '}')
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
		if i > 0 {
			b = append(b, ',')
		}
		b = r.Frames[i].AppendJSON(b)
	}
	b = append(b, `],"score":`...)
	score, err := json.Marshal(r.Score)
	if err != nil {
		return nil, err
	}
	b = append(b, score...)
	if r.Shift != nil {
		b = append(b, `,"shift":`...)
		b = keypoint.AppendTimesJSON(b, r.Shift)
	}
	if r.Path != nil {
		b = append(b, `,"path":[`...)
		for i, step := range r.Path {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(step[0]), 10)
			b = append(b, ',')
			b = strconv.AppendInt(b, int64(step[1]), 10)
			b = append(b, ']')
		}
		b = append(b, ']')
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
	b := append([]byte(nil), `{"overall":`...)
	b = jsonappend.Number(b, s.Overall, 4)
	b = append(b, `,"parts":{`...)
	sep := false
	for p := range keypoint.Part(keypoint.NumParts) {
		v, ok := s.Parts[p]
		if !ok {
			continue
		}
		if sep {
			b = append(b, ',')
		}
		sep = true
		b = append(b, '"')
		b = append(b, p.String()...)
		b = append(b, `":`...)
		b = jsonappend.Number(b, v, 4)
	}
	return append(b, "}}"...), nil
}
