package keypoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Calibration says how the World of a recording is found. Its JSON is that of the options of an extraction:
//
//	{"scale": {"bodyHeight": 1.78}, "floor": "auto"}
//	{"scale": {"length": 2, "from": [100, 700], "to": [900, 700]}, "floor": [[100, 700], [900, 704]]}
//	{"scale": {"metresPerPixel": 0.0025}, "floor": 1.5, "origin": [640, 700], "cameraPitch": 12}
type Calibration struct {
	Scale *Scale `json:"scale,omitempty"` // nil: pixels
	Floor *Floor `json:"floor,omitempty"` // nil: the picture's horizontal
	// Origin is (0, 0) in pixels. nil: where the floor is: below the feet for an automatic floor, the
	// first of two points; else the top left corner of the picture.
	Origin *Point `json:"origin,omitempty"`
	// CameraPitch is by how many degrees the camera looks down, −60 to 60, negative where it looks up. nil: unknown; analyses estimate it.
	CameraPitch *float64 `json:"cameraPitch,omitempty"`
}

// Scale is one of three ways to know the metres per pixel.
type Scale struct {
	BodyHeight     float64 `json:"bodyHeight,omitempty"`     // the person's height in metres, without shoes
	Length         float64 `json:"length,omitempty"`         // metres between From and To, in the plane of movement
	From           *Point  `json:"from,omitempty"`           // pixels
	To             *Point  `json:"to,omitempty"`             // pixels
	MetresPerPixel float64 `json:"metresPerPixel,omitempty"` // known from elsewhere
}

// Floor is one of three ways to know what is horizontal. The zero value is the picture's horizontal.
type Floor struct {
	Auto     bool    // from the feet of a person who walks or runs across the picture
	Degrees  float64 // as in World
	From, To *Point  // two points of the floor, or of any horizontal line, in pixels
}

// MarshalJSON writes "auto", a number of degrees, or two points.
func (f Floor) MarshalJSON() ([]byte, error) {
	switch {
	case f.Auto:
		return []byte(`"auto"`), nil
	case f.From != nil && f.To != nil:
		return json.Marshal([2]Point{*f.From, *f.To})
	}
	return json.Marshal(f.Degrees)
}

// UnmarshalJSON reads what MarshalJSON writes; anything else is an ErrInvalid.
func (f *Floor) UnmarshalJSON(data []byte) error {
	var back Floor
	var points [][]float64
	switch data = bytes.TrimSpace(data); {
	case string(data) == `"auto"`:
		back.Auto = true
	case json.Unmarshal(data, &points) == nil && len(points) == 2 && len(points[0]) == 2 && len(points[1]) == 2:
		back.From, back.To = &Point{points[0][0], points[0][1]}, &Point{points[1][0], points[1][1]}
	case points != nil || json.Unmarshal(data, &back.Degrees) != nil:
		return fmt.Errorf(`%w floor: want "auto", an angle in degrees, or two points [[x, y], [x, y]]`, ErrInvalid)
	}
	*f = back
	return nil
}

// Validate returns an ErrInvalid with FieldErrors for a scale that is not exactly one of the three, and for numbers out
// of range: heights of 0.3 to 3 m, lengths of 0.001 to 1000 m, scales of 0.000001 to 1000 m a pixel, angles of
// −90 to 90 degrees, pitches of −60 to 60, coordinates of −1,000,000 to 1,000,000, and two points less than a pixel apart.
func (c Calibration) Validate() error {
	var wrong FieldErrors
	if detail := c.Scale.mistake(); detail != "" {
		wrong = append(wrong, &FieldError{"/scale", detail})
	}
	if detail := c.Floor.mistake(); detail != "" {
		wrong = append(wrong, &FieldError{"/floor", detail})
	}
	if p := c.CameraPitch; p != nil && !(math.Abs(*p) <= steepest) {
		wrong = append(wrong, &FieldError{"/cameraPitch", fmt.Sprintf("is %v, want −60 to 60 degrees", *p)})
	}
	if o := c.Origin; o != nil && !near(*o) {
		detail := fmt.Sprintf("is %v, want coordinates of −%d to %d", *o, farthest, farthest)
		wrong = append(wrong, &FieldError{"/origin", detail})
	}
	if wrong == nil {
		return nil
	}
	return fmt.Errorf("%w calibration: %w", ErrInvalid, wrong)
}

func (f *Floor) mistake() string {
	switch {
	case f == nil:
	case (f.From == nil) != (f.To == nil) || f.Auto && (f.From != nil || f.Degrees != 0) || f.From != nil && f.Degrees != 0:
		return "want one of auto, an angle, and two points"
	case f.From != nil && !apart(*f.From, *f.To):
		return fmt.Sprintf("the points are %v and %v, want two that are a pixel or more apart", *f.From, *f.To)
	case !(math.Abs(f.Degrees) <= 90):
		return fmt.Sprintf("the angle is %v, want −90 to 90 degrees", f.Degrees)
	}
	return ""
}

func (s *Scale) mistake() string {
	if s == nil {
		return ""
	}
	ways := slices.DeleteFunc([]float64{s.BodyHeight, s.Length, s.MetresPerPixel}, func(v float64) bool { return v == 0 })
	switch points := s.From != nil && s.To != nil; {
	case len(ways) != 1:
		return "want one of bodyHeight, length and metresPerPixel"
	case s.BodyHeight != 0 && !(s.BodyHeight >= 0.3 && s.BodyHeight <= 3):
		return fmt.Sprintf("the height is %v, want 0.3 to 3 metres", s.BodyHeight)
	case s.Length != 0 && !(points && apart(*s.From, *s.To) && s.Length >= 0.001 && s.Length <= 1000):
		return "a length needs 0.001 to 1000 metres and two points a pixel or more apart, from and to"
	case s.Length == 0 && (s.From != nil || s.To != nil):
		return "from and to need a length"
	case s.MetresPerPixel != 0 && !(s.MetresPerPixel >= 1e-6 && s.MetresPerPixel <= 1000):
		return fmt.Sprintf("metresPerPixel is %v, want 0.000001 to 1000", s.MetresPerPixel)
	}
	return ""
}

// farthest is the largest coordinate of a point of a calibration, pixels.
const farthest = 1_000_000

func near(p Point) bool { return math.Abs(p[0]) <= farthest && math.Abs(p[1]) <= farthest }

// apart reports whether two points are near the picture, and a pixel or more from each other.
func apart(a, b Point) bool { return near(a) && near(b) && b.Sub(a).Len() >= 1 }

const (
	steepest   = 60 // degrees
	pitchError = 4  // degrees, of a pitch that somebody tells by how high the camera was
)

// pointing is the error in pixels of a point that somebody marks in a picture.
const pointing = 1

// Calibrate finds the World of the recording, to be put into Sequence.World. A calibration that is invalid, a height without a frame that
// shows the person from the head to the ankles, and an automatic floor without feet that touch it at several places are an ErrInvalid.
func (s Sequence) Calibrate(c Calibration) (World, error) {
	if err := errors.Join(s.Validate(), c.Validate()); err != nil {
		return World{}, err
	}
	var w World
	if c.Scale != nil {
		switch k := *c.Scale; {
		case k.BodyHeight != 0:
			pixels, share, ok := s.standingHeight()
			if !ok {
				return World{}, fmt.Errorf("%w scale: no frame shows the person from the head to the ankles: give a length or metresPerPixel", ErrInvalid)
			}
			w.MetresPerPixel, w.ScaleError = k.BodyHeight/pixels, share
		case k.Length != 0:
			pixels := k.To.Sub(*k.From).Len()
			w.MetresPerPixel, w.ScaleError = k.Length/pixels, math.Sqrt2*pointing/pixels
		default:
			w.MetresPerPixel = k.MetresPerPixel
		}
	}
	if f := c.Floor; f != nil {
		switch {
		case f.Auto:
			var ok bool
			if w.Floor, w.Origin, ok = s.floor(); !ok {
				return World{}, fmt.Errorf("%w floor: the feet do not show it, since nobody walks or runs across the picture: give two points or an angle", ErrInvalid)
			}
		case f.From != nil:
			d := f.To.Sub(*f.From)
			if d[0] < 0 {
				d = d.Mul(-1)
			}
			w.Floor, w.Origin = math.Atan2(-d[1], d[0])*180/math.Pi, *f.From
		default:
			w.Floor = f.Degrees
		}
	}
	if c.Origin != nil {
		w.Origin = *c.Origin
	}
	if c.CameraPitch != nil {
		w.Pitch, w.PitchError = *c.CameraPitch, pitchError
	}
	return w, w.Validate()
}
