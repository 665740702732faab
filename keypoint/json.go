package keypoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"strconv"

	"github.com/bodymotion/motion/internal/jsonappend"
)

// AppendJSON appends the API's form of the frame to b: an object from part name to
// [x, y] in pixels with at most two decimals, without absent parts. A frame
// without a person is {}.
func (f *Frame) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	for _, p := range f.present.List() {
		b = append(b, partMembers[p]...)
		b = jsonappend.Number(append(b, '['), f.points[p][0], 2)
		b = jsonappend.Number(append(b, ','), f.points[p][1], 2)
		b = append(b, "],"...)
	}
	return jsonappend.End(b, '}')
}

// appendScoresJSON appends the confidences of the frame to b: an object from part
// name to a number of 0 to 1 with at most four decimals.
func (f *Frame) appendScoresJSON(b []byte) []byte {
	b = append(b, '{')
	for _, p := range f.present.List() {
		b = append(jsonappend.Number(append(b, partMembers[p]...), f.confidence[p], 4), ',')
	}
	return jsonappend.End(b, '}')
}

// partMembers are the names of the parts as JSON members.
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
	var points map[Part][]float64
	if err := json.Unmarshal(data, &points); err != nil {
		return fmt.Errorf("%w frame: %w", ErrInvalid, err)
	}
	g, err := newFrame(points, nil)
	if err != nil {
		return fmt.Errorf("%w frame: %w", ErrInvalid, err)
	}
	*f = g
	return nil
}

// newFrame returns the frame with the given points and their confidences; without scores
// these are 1.
func newFrame(points map[Part][]float64, scores map[Part]*float64) (f Frame, err error) {
	for p, xy := range points {
		if len(xy) != 2 {
			return f, fmt.Errorf("%v has %d numbers, want [x, y]", p, len(xy))
		}
		confidence := 1.0
		if scores != nil {
			confidence = 0
		}
		if score := scores[p]; score != nil {
			confidence = *score
		}
		f.Set(p, Point{xy[0], xy[1]}, confidence)
	}
	for p, score := range scores {
		switch {
		case score == nil:
			return f, fmt.Errorf("the score of %v is null, want a number", p)
		case !f.Has(p):
			return f, fmt.Errorf("there is a score but no position for %v", p)
		}
	}
	return f, nil
}

// document is the JSON form of a whole Sequence.
type document struct {
	Width      int                  `json:"width"`
	Height     int                  `json:"height"`
	Timestamps []float64            `json:"timestamps"`
	Keypoint   []map[Part][]float64 `json:"keypoint"`
	Scores     []map[Part]*float64  `json:"scores"`
	Changes    []int                `json:"personChanges"`
	Looks      []int                `json:"looks"`
	World      World                `json:"world"`
}

// MarshalJSON writes the sequence as one object: width and height (pixels), timestamps
// (seconds, at most six decimals; absent for an image), keypoint (the API's array of frames),
// scores (the confidences, one object per frame), personChanges (frames; absent for one
// person), looks (frames; absent if all were looked at) and world (metresPerPixel, scaleError, floor,
// origin; absent for the picture itself).
func (s Sequence) MarshalJSON() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	b := make([]byte, 0, 64+len(s.Frames)*(NumParts*44))
	b = appendSize(append(b, '{'), s.Size)
	if s.Times != nil {
		b = append(AppendTimesJSON(append(b, `"timestamps":`...), s.Times), ',')
	}
	b = AppendFramesJSON(append(b, `"keypoint":`...), s.Frames)
	b = append(b, `,"scores":[`...)
	for i := range s.Frames {
		b = append(s.Frames[i].appendScoresJSON(b), ',')
	}
	b = jsonappend.End(b, ']')
	if len(s.PersonChanges) > 0 {
		b = appendNumbers(append(b, `,"personChanges":`...), s.PersonChanges)
	}
	if s.Looks != nil {
		b = appendNumbers(append(b, `,"looks":`...), s.Looks)
	}
	if s.World != (World{}) {
		w, err := json.Marshal(s.World)
		if err != nil {
			return nil, err
		}
		b = append(append(b, `,"world":`...), w...)
	}
	return append(b, '}'), nil
}

// appendNumbers appends an array of frame numbers.
func appendNumbers(b []byte, frames []int) []byte {
	b = append(b, '[')
	for _, frame := range frames {
		b = append(strconv.AppendInt(b, int64(frame), 10), ',')
	}
	return jsonappend.End(b, ']')
}

// appendSize appends the members width and height of a known size.
func appendSize(b []byte, size image.Point) []byte {
	if size.X > 0 && size.Y > 0 {
		b = fmt.Appendf(b, `"width":%d,"height":%d,`, size.X, size.Y)
	}
	return b
}

// AppendFramesJSON appends the API's form of a recording, an array of frames.
func AppendFramesJSON(b []byte, frames []Frame) []byte {
	b = append(b, '[')
	for i := range frames {
		b = append(frames[i].AppendJSON(b), ',')
	}
	return jsonappend.End(b, ']')
}

// AppendTimesJSON appends an array of seconds with at most six decimals.
func AppendTimesJSON(b []byte, times []float64) []byte {
	b = append(b, '[')
	for _, t := range times {
		b = append(jsonappend.Number(b, t, 6), ',')
	}
	return jsonappend.End(b, ']')
}

// UnmarshalJSON reads what MarshalJSON writes. Unknown members, times that are not one per
// frame or do not increase, and scores that are null or of absent parts are an ErrInvalid. Without scores
// each part gets the confidence 1.
func (s *Sequence) UnmarshalJSON(data []byte) error {
	var d document
	if err := strict(data, &d); err != nil {
		return fmt.Errorf("%w sequence: %w", ErrInvalid, err)
	}
	if d.Scores != nil && len(d.Scores) != len(d.Keypoint) {
		return fmt.Errorf("%w sequence: %d scores for %d frames", ErrInvalid, len(d.Scores), len(d.Keypoint))
	}
	t := Sequence{Frames: make([]Frame, len(d.Keypoint)), Times: d.Timestamps, Size: image.Pt(d.Width, d.Height), PersonChanges: d.Changes, Looks: d.Looks, World: d.World}
	for i, points := range d.Keypoint {
		var scores map[Part]*float64
		if d.Scores != nil {
			if scores = d.Scores[i]; scores == nil {
				return fmt.Errorf("%w sequence: frame %d: the scores are null, want an object", ErrInvalid, i)
			}
		}
		var err error
		if t.Frames[i], err = newFrame(points, scores); err != nil {
			return fmt.Errorf("%w sequence: frame %d: %w", ErrInvalid, i, err)
		}
	}
	if err := t.Validate(); err != nil {
		return err
	}
	*s = t
	return nil
}

// strict decodes a single document; unknown members are an error.
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
