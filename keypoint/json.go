package keypoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"strconv"

	"github.com/bodymotion/motion/internal/decimal"
)

// AppendJSON appends the API's form of the frame to b: an object from part name to
// [x, y] in pixels with at most two decimals, absent parts left out. A frame
// without a person is {}.
func (f *Frame) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	sep := false
	for p := range Part(NumParts) {
		if !f.present.Has(p) {
			continue
		}
		if sep {
			b = append(b, ',')
		}
		sep = true
		b = append(b, partMembers[p]...)
		b = append(b, '[')
		b = decimal.Append(b, f.points[p][0], 2)
		b = append(b, ',')
		b = decimal.Append(b, f.points[p][1], 2)
		b = append(b, ']')
	}
	return append(b, '}')
}

// AppendScoresJSON appends the confidences of the frame to b: an object from part
// name to a number of 0 to 1 with at most four decimals.
func (f *Frame) AppendScoresJSON(b []byte) []byte {
	b = append(b, '{')
	sep := false
	for p := range Part(NumParts) {
		if !f.present.Has(p) {
			continue
		}
		if sep {
			b = append(b, ',')
		}
		sep = true
		b = append(b, partMembers[p]...)
		b = decimal.Append(b, f.confidence[p], 4)
	}
	return append(b, '}')
}

// partMembers are the names of the parts as they stand in JSON.
var partMembers = func() (m [NumParts]string) {
	for p, name := range partNames {
		m[p] = `"` + name + `":`
	}
	return m
}()

// MarshalJSON writes the API's form, as AppendJSON does.
func (f Frame) MarshalJSON() ([]byte, error) { return f.AppendJSON(nil), nil }

// UnmarshalJSON reads the API's form. A member that is not a part, or a value that is not
// two numbers, is an ErrInvalid. The API's form has no confidences: each part gets 1.
func (f *Frame) UnmarshalJSON(data []byte) error {
	var members map[Part][]float64
	if err := json.Unmarshal(data, &members); err != nil {
		return fmt.Errorf("%w frame: %w", ErrInvalid, err)
	}
	var g Frame
	for p, xy := range members {
		if len(xy) != 2 {
			return fmt.Errorf("%w frame: %v has %d numbers, want [x, y]", ErrInvalid, p, len(xy))
		}
		g.Set(p, Point{xy[0], xy[1]}, 1)
	}
	*f = g
	return nil
}

// document is the JSON form of a whole Sequence.
type document struct {
	Width      int                `json:"width,omitempty"`
	Height     int                `json:"height,omitempty"`
	Timestamps []float64          `json:"timestamps,omitempty"`
	Keypoint   []Frame            `json:"keypoint"`
	Scores     []map[Part]float64 `json:"scores,omitempty"`
}

// MarshalJSON writes the sequence as one object: width and height (pixels),
// timestamps (seconds, microsecond precision; left out for an image), keypoint
// (the API's array of frames) and scores (the confidences, an object a frame).
func (s Sequence) MarshalJSON() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	b := make([]byte, 0, 64+len(s.Frames)*(NumParts*44))
	b = append(b, '{')
	if s.Size.X > 0 && s.Size.Y > 0 {
		b = append(b, `"width":`...)
		b = strconv.AppendInt(b, int64(s.Size.X), 10)
		b = append(b, `,"height":`...)
		b = strconv.AppendInt(b, int64(s.Size.Y), 10)
		b = append(b, ',')
	}
	if s.Times != nil {
		b = append(b, `"timestamps":`...)
		b = AppendTimesJSON(b, s.Times)
		b = append(b, ',')
	}
	b = append(b, `"keypoint":`...)
	b = AppendFramesJSON(b, s.Frames)
	b = append(b, `,"scores":[`...)
	for i := range s.Frames {
		if i > 0 {
			b = append(b, ',')
		}
		b = s.Frames[i].AppendScoresJSON(b)
	}
	return append(b, "]}"...), nil
}

// AppendFramesJSON appends the API's form of a recording, an array of frames.
func AppendFramesJSON(b []byte, frames []Frame) []byte {
	b = append(b, '[')
	for i := range frames {
		if i > 0 {
			b = append(b, ',')
		}
		b = frames[i].AppendJSON(b)
	}
	return append(b, ']')
}

// AppendTimesJSON appends an array of seconds with at most six decimals.
func AppendTimesJSON(b []byte, times []float64) []byte {
	b = append(b, '[')
	for i, t := range times {
		if i > 0 {
			b = append(b, ',')
		}
		b = decimal.Append(b, t, 6)
	}
	return append(b, ']')
}

// UnmarshalJSON reads what MarshalJSON writes. Unknown members, times that are not one per
// frame or do not increase, and scores of absent parts are an ErrInvalid. Without scores
// each part gets the confidence 1.
func (s *Sequence) UnmarshalJSON(data []byte) error {
	var d document
	if err := strict(data, &d); err != nil {
		return fmt.Errorf("%w sequence: %w", ErrInvalid, err)
	}
	if d.Scores != nil && len(d.Scores) != len(d.Keypoint) {
		return fmt.Errorf("%w sequence: %d scores for %d frames", ErrInvalid, len(d.Scores), len(d.Keypoint))
	}
	for i, scores := range d.Scores {
		if err := setScores(&d.Keypoint[i], scores); err != nil {
			return fmt.Errorf("%w sequence: frame %d: %w", ErrInvalid, i, err)
		}
	}
	t := Sequence{Frames: d.Keypoint, Times: d.Timestamps, Size: image.Pt(d.Width, d.Height)}
	if err := t.Validate(); err != nil {
		return err
	}
	*s = t
	return nil
}

// setScores puts the confidences of all parts into a frame.
func setScores(f *Frame, scores map[Part]float64) error {
	for p := range scores {
		if !f.Has(p) {
			return fmt.Errorf("there is a score but no position for %v", p)
		}
	}
	for _, p := range f.Present().List() {
		f.Set(p, f.points[p], scores[p])
	}
	return nil
}

// strict reads one document without unknown members and with nothing behind it.
func strict(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("there is more after the document")
	}
	return nil
}
