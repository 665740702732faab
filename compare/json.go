package compare

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
)

// MarshalJSON writes the API's form of the frame: an object from part name to {distance, direction}, distances with at most four
// decimals and directions with at most two.
func (f Frame) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, p := range f.present.List() {
		d := f.differences[p]
		if d.Direction >= 359.995 { // rounds to 360
			d.Direction = 0
		}
		b = jsonappend.Number(fmt.Appendf(b, `"%v":{"distance":`, p), d.Distance, 4)
		b = jsonappend.Number(append(b, `,"direction":`...), d.Direction, 2)
		b = append(b, "},"...)
	}
	return jsonappend.End(b, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes. Distances and directions out of range are a keypoint.ErrInvalid.
func (f *Frame) UnmarshalJSON(data []byte) error {
	var parts map[keypoint.Part]Difference
	if err := json.Unmarshal(data, &parts); err != nil {
		return fmt.Errorf("%w difference: %w", keypoint.ErrInvalid, err)
	}
	var g Frame
	for p, d := range parts {
		if !(d.Distance >= 0 && d.Distance <= 1 && d.Direction >= 0 && d.Direction < 360) {
			return fmt.Errorf("%w difference of %v: distance %v and direction %v, want 0 to 1 and 0 to 360", keypoint.ErrInvalid, p, d.Distance, d.Direction)
		}
		g.set(p, d)
	}
	*f = g
	return nil
}

// resultJSON is the JSON form of a Result, with the angles of a frame in the form to write or to read.
type resultJSON[A any] struct {
	Difference  []Frame           `json:"difference"`
	Score       *Score            `json:"score"`
	Angles      []A               `json:"angles,omitzero"`
	Largest     []AngleDifference `json:"largest,omitzero"`
	Answer      *Answer           `json:"answer,omitempty"`
	Repetitions []Repetition      `json:"repetitions,omitzero"`
	Warnings    []Warning         `json:"warnings,omitzero"`
	Shift       []analyze.Value   `json:"shift,omitzero"`
	Path        [][2]int          `json:"path,omitzero"`
}

// MarshalJSON writes {"difference": […], "score": {"overall": …, "parts": {…}}}, with "angles" (for each frame an object from the name of
// an angle to degrees, at most two decimals), "largest", "answer", "repetitions" (objects of "source" and "target", each with the frames
// "from" and "to", "score" and "at"), "warnings", "shift" (seconds, null without a counterpart) and "path" if there are any.
func (r Result) MarshalJSON() ([]byte, error) {
	d := resultJSON[anglesJSON]{append([]Frame{}, r.Frames...), r.Score, nil, r.Largest, r.Answer, r.Repetitions, r.Warnings, r.Shift, r.Path}
	if r.Angles != nil {
		d.Angles = make([]anglesJSON, len(r.Frames))
		for i := range d.Angles {
			d.Angles[i] = anglesJSON{r.Angles, i}
		}
	}
	return json.Marshal(d)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Result) UnmarshalJSON(data []byte) error {
	var d resultJSON[map[string]float64]
	if err := json.Unmarshal(data, &d); err != nil {
		return fmt.Errorf("%w comparison: %w", keypoint.ErrInvalid, err)
	}
	back := Result{Frames: d.Difference, Score: d.Score, Largest: d.Largest, Answer: d.Answer, Repetitions: d.Repetitions, Warnings: d.Warnings, Shift: d.Shift, Path: d.Path}
	if err := back.setAngles(d.Angles); err != nil {
		return err
	}
	*r = back
	return nil
}

// MarshalJSON writes degrees with at most four decimals.
func (d AngleDifference) MarshalJSON() ([]byte, error) {
	type plain AngleDifference
	return jsonappend.Marshal(plain(d), 4)
}

// anglesJSON are the differences of angles in a frame.
type anglesJSON struct {
	angles []Angle
	frame  int
}

// valueAt returns the value of a frame, absent if there is none.
func valueAt(values []analyze.Value, frame int) analyze.Value {
	if frame >= len(values) {
		return analyze.Value{}
	}
	return values[frame]
}

// MarshalJSON writes an object from the name of an angle to degrees.
func (f anglesJSON) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, a := range f.angles {
		if v := valueAt(a.Values, f.frame); v.Present {
			b = append(jsonappend.Number(fmt.Appendf(b, `"%s":`, a.Name()), v.X, 2), ',')
		}
	}
	return jsonappend.End(b, '}'), nil
}

func (r *Result) setAngles(frames []map[string]float64) error {
	if frames == nil {
		return nil
	}
	if len(frames) != len(r.Frames) {
		return fmt.Errorf("%w comparison: angles of %d frames, want %d", keypoint.ErrInvalid, len(frames), len(r.Frames))
	}
	all, index := namedAngles(), map[string]int{}
	for k, a := range all {
		index[a.Name()] = k
	}
	for i, f := range frames {
		for name, v := range f {
			k, ok := index[name]
			if !ok || !(v >= -180 && v <= 180) {
				return fmt.Errorf("%w comparison: %q of frame %d is %v, want a named angle of -180 to 180 degrees", keypoint.ErrInvalid, name, i, v)
			}
			if all[k].Values == nil {
				all[k].Values = make([]analyze.Value, len(frames))
			}
			all[k].Values[i] = analyze.Value{X: v, Present: true}
		}
	}
	r.Angles = slices.DeleteFunc(all, func(a Angle) bool { return a.Values == nil })
	return nil
}

// MarshalJSON writes {"overall": …, "parts": {part: …}} with at most four decimals.
func (s Score) MarshalJSON() ([]byte, error) {
	type plain Score
	if s.Parts == nil {
		s.Parts = map[keypoint.Part]float64{}
	}
	return jsonappend.Marshal(plain(s), 4)
}
