package keypoint

import (
	"encoding/json"
	"fmt"
	"image"

	"github.com/bodymotion/motion/internal/jsonappend"
)

// MarshalJSON writes the API's form of the frame: an object from part name to [x, y] in pixels with at most two
// decimals, without absent parts. A frame without a person is {}.
func (f Frame) MarshalJSON() ([]byte, error) {
	return f.object(func(b []byte, p Part) []byte {
		b = jsonappend.Number(append(b, '['), f.points[p][0], 2)
		return append(jsonappend.Number(append(b, ','), f.points[p][1], 2), ']')
	}), nil
}

// object returns a JSON object of the parts that were found, with the values that append writes.
func (f *Frame) object(value func(b []byte, p Part) []byte) []byte {
	b := []byte{'{'}
	for _, p := range f.present.List() {
		b = append(append(append(b, '"'), partNames[p]...), `":`...)
		b = append(value(b, p), ',')
	}
	return jsonappend.End(b, '}')
}

// scores is a frame whose JSON is an object from part name to confidence, 0 to 1, with at most four decimals.
type scores Frame

func (s scores) MarshalJSON() ([]byte, error) {
	f := Frame(s)
	return f.object(func(b []byte, p Part) []byte { return jsonappend.Number(b, f.confidence[p], 4) }), nil
}

// visibility is a frame whose JSON is an object from part name to visibility, 0 to 1, where it is known.
type visibility Frame

func (v visibility) MarshalJSON() ([]byte, error) {
	f := Frame(v)
	for _, p := range f.present.List() {
		if f.visibility[p] == 0 {
			f.Unset(p)
		}
	}
	return f.object(func(b []byte, p Part) []byte {
		share, _ := f.Visibility(p)
		return jsonappend.Number(b, share, 2)
	}), nil
}

// positions are those of a frame, whose JSON is an object from part name to [x, y, z, standard deviation].
type positions struct{ *Positions }

func (s positions) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, p := range s.Present().List() {
		b = append(append(append(b, '"'), partNames[p]...), `":[`...)
		for _, v := range [...]float64{s.at[p][0], s.at[p][1], s.at[p][2], s.sigma[p]} {
			b = append(jsonappend.Number(b, v, 5), ',')
		}
		b = append(jsonappend.End(b, ']'), ',')
	}
	return jsonappend.End(b, '}'), nil
}

func (s *positions) UnmarshalJSON(data []byte) error {
	var places map[Part][4]float64
	if err := jsonappend.Strict(data, &places); err != nil {
		return err
	}
	s.Positions = &Positions{}
	for p, v := range places {
		s.Set(p, Position{v[0], v[1], v[2]}, v[3])
	}
	return nil
}

// cameraJSON is the JSON form of a Camera.
type cameraJSON struct {
	plainCamera
	Rotation [3][3]float64       `json:"rotation"` // rows
	Size     [2]jsonappend.Whole `json:"size"`
}

type plainCamera Camera

// MarshalJSON writes offset, focal, rotation (three rows), translation and size ([width, height]).
func (c Camera) MarshalJSON() ([]byte, error) {
	j := cameraJSON{plainCamera: plainCamera(c), Size: [2]jsonappend.Whole{jsonappend.Whole(c.Size.X), jsonappend.Whole(c.Size.Y)}}
	for row := range j.Rotation {
		j.Rotation[row] = c.Rotation.Row(row)
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Camera) UnmarshalJSON(data []byte) error {
	var j cameraJSON
	if err := jsonappend.Strict(data, &j); err != nil {
		return fmt.Errorf("%w camera: %w", ErrInvalid, err)
	}
	*c = Camera(j.plainCamera)
	for row, v := range j.Rotation {
		c.Rotation.SetRow(row, v)
	}
	c.Size = image.Pt(int(j.Size[0]), int(j.Size[1]))
	return nil
}

// UnmarshalJSON reads the API's form. A member that is not a part, or a value that is not
// two numbers, is an ErrInvalid. The API's form has no confidences: each part gets 1.
func (f *Frame) UnmarshalJSON(data []byte) error {
	var points map[Part][]*float64
	if err := json.Unmarshal(data, &points); err != nil {
		return fmt.Errorf("%w frame: %w", ErrInvalid, err)
	}
	g, err := newFrame(points, nil, nil)
	if err != nil {
		return fmt.Errorf("%w frame: %w", ErrInvalid, err)
	}
	*f = g
	return nil
}

// newFrame returns the frame with the given points, their confidences, 1 without scores, and visibility.
func newFrame(points map[Part][]*float64, scores, visible map[Part]*float64) (f Frame, err error) {
	for p, xy := range points {
		if len(xy) != 2 || xy[0] == nil || xy[1] == nil {
			return f, fmt.Errorf("%v is not two numbers, want [x, y], or leave it out", p)
		}
		confidence := 1.0
		if scores != nil {
			confidence = 0
		}
		if score := scores[p]; score != nil {
			confidence = *score
		}
		f.Set(p, Point{*xy[0], *xy[1]}, confidence)
	}
	for p, score := range scores {
		switch {
		case score == nil:
			return f, fmt.Errorf("the score of %v is null, want a number", p)
		case !f.Has(p):
			return f, fmt.Errorf("there is a score but no position for %v", p)
		}
	}
	for p, share := range visible {
		if share == nil || !f.Has(p) {
			return f, fmt.Errorf("the visibility of %v is null, or it has no position", p)
		}
		f.SetVisibility(p, *share)
	}
	return f, nil
}

// document is the JSON form of a whole Sequence, of frames and confidences in the form to write or to read.
type document[F, S, V any] struct {
	Width      jsonappend.Whole   `json:"width,omitempty"`
	Height     jsonappend.Whole   `json:"height,omitempty"`
	Timestamps jsonappend.Seconds `json:"timestamps,omitzero"`
	Keypoint   []F                `json:"keypoint"`
	Scores     []S                `json:"scores"`
	Visibility []V                `json:"visibility,omitempty"`
	Changes    jsonappend.Wholes  `json:"personChanges,omitempty"`
	Looks      jsonappend.Wholes  `json:"looks,omitzero"`
	Damage     string             `json:"damage,omitempty"`
	Unseen     bool               `json:"unseen,omitempty"`
	World      World              `json:"world,omitzero"`
	Positions  []positions        `json:"positions,omitempty"`
	Space      *Space             `json:"space,omitempty"`
}

// MarshalJSON writes the sequence as one object: width and height (pixels), timestamps (seconds, at most six
// decimals; absent for an image), keypoint (the API's array of frames), scores (the confidences, one object per
// frame), visibility (likewise; absent if none is known), personChanges (frames; absent for one person), looks (frames; absent if all were looked at), damage (a sentence; absent for none), unseen (true; absent if the picture was seen) and world
// (metresPerPixel, scaleError, floor, origin; absent for the picture itself), positions (one object per frame from part
// name to [x, y, z, standard deviation] with at most five decimals; absent if none is known) and space (what they are).
func (s Sequence) MarshalJSON() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	d := document[Frame, scores, visibility]{
		Timestamps: s.Times, Keypoint: append([]Frame{}, s.Frames...), Scores: make([]scores, s.Len()),
		Changes: s.PersonChanges, Looks: s.Looks, Damage: s.Damage, Unseen: s.Unseen, World: s.World, Space: s.Space,
	}
	if s.Size.X > 0 && s.Size.Y > 0 {
		d.Width, d.Height = jsonappend.Whole(s.Size.X), jsonappend.Whole(s.Size.Y)
	}
	for i, f := range s.Frames {
		d.Scores[i] = scores(f)
		if f.space != nil {
			if d.Positions == nil {
				d.Positions = make([]positions, s.Len())
			}
			d.Positions[i] = positions{f.space}
		}
		if f.visibility != ([NumParts]uint8{}) && d.Visibility == nil {
			d.Visibility = make([]visibility, s.Len())
			for k, f := range s.Frames {
				d.Visibility[k] = visibility(f)
			}
		}
	}
	return json.Marshal(d)
}

// UnmarshalJSON reads what MarshalJSON writes. Unknown members, times that are not one per frame or do not increase,
// and scores that are null or of absent parts are an ErrInvalid. Without scores each part gets the confidence 1.
func (s *Sequence) UnmarshalJSON(data []byte) error {
	var d document[map[Part][]*float64, map[Part]*float64, map[Part]*float64]
	if err := jsonappend.Strict(data, &d); err != nil {
		return fmt.Errorf("%w sequence: %w", ErrInvalid, err)
	}
	n := len(d.Keypoint)
	switch {
	case d.Scores != nil && len(d.Scores) != n:
		return fmt.Errorf("%w sequence: %d scores for %d frames", ErrInvalid, len(d.Scores), n)
	case d.Positions != nil && len(d.Positions) != n:
		return fmt.Errorf("%w sequence: positions of %d frames for %d", ErrInvalid, len(d.Positions), n)
	case d.Visibility != nil && len(d.Visibility) != n:
		return fmt.Errorf("%w sequence: visibility of %d frames for %d", ErrInvalid, len(d.Visibility), n)
	}
	t := Sequence{Frames: make([]Frame, n), Times: d.Timestamps, Size: image.Pt(int(d.Width), int(d.Height)), PersonChanges: d.Changes, Looks: d.Looks, Damage: d.Damage, Unseen: d.Unseen, World: d.World, Space: d.Space}
	for i, points := range d.Keypoint {
		var scores map[Part]*float64
		if d.Scores != nil {
			if scores = d.Scores[i]; scores == nil {
				return fmt.Errorf("%w sequence: frame %d: the scores are null, want an object", ErrInvalid, i)
			}
		}
		var visible map[Part]*float64
		if d.Visibility != nil {
			visible = d.Visibility[i]
		}
		var err error
		if t.Frames[i], err = newFrame(points, scores, visible); err != nil {
			return fmt.Errorf("%w sequence: frame %d: %w", ErrInvalid, i, err)
		}
		if d.Positions != nil {
			t.Frames[i].SetPositions(d.Positions[i].Positions)
		}
	}
	if err := t.Validate(); err != nil {
		return err
	}
	*s = t
	return nil
}
