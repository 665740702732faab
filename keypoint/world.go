package keypoint

import (
	"fmt"
	"math"

	"github.com/bodymotion/motion/internal/rank"
)

// World maps the picture to the plane in which the person moves. The zero value is the picture itself: pixels from its top left corner.
//
//	x = m · ( cos φ · (px − ox) − sin φ · (py − oy))     along the floor, to the right
//	y = m · ( sin φ · (px − ox) + cos φ · (py − oy))     down
//
// with m the metres per pixel, φ the angle of the floor and (ox, oy) the origin. It holds where the
// camera looks at right angles to that plane; whatever is nearer to the camera seems larger.
type World struct {
	// MetresPerPixel is the scale; 0: unknown, and lengths stay pixels.
	MetresPerPixel float64 `json:"metresPerPixel,omitempty"`
	// ScaleError is one standard error of MetresPerPixel as a share of it; 0: exact, or unknown.
	ScaleError float64 `json:"scaleError,omitempty"`
	// Floor is the angle of the floor in the picture in degrees, positive where it rises to the right:
	// what counts as horizontal. It is the roll of the camera, positive clockwise as its holder sees it.
	Floor float64 `json:"floor"`
	// Pitch is by how many degrees the camera looks down, negative where it looks up. It changes no Point.
	Pitch float64 `json:"pitch,omitempty"`
	// PitchError is one standard error of Pitch in degrees; 0: the pitch is unknown.
	PitchError float64 `json:"pitchError,omitempty"`
	// Origin is the place of (0, 0) in pixels.
	Origin Point `json:"origin"`
}

// Metric reports whether lengths are metres rather than pixels.
func (w World) Metric() bool { return w.MetresPerPixel > 0 }

// Point returns the place of a point of the picture: in metres if the world is Metric, else in pixels.
func (w World) Point(p Point) Point {
	if w == (World{}) {
		return p
	}
	d, right := p.Sub(w.Origin), w.Right()
	d = Point{d.Dot(right), right[0]*d[1] - right[1]*d[0]}
	if w.Metric() {
		d = d.Mul(w.MetresPerPixel)
	}
	return d
}

// Right returns the direction in the picture, of length 1, that is horizontal: along the floor.
func (w World) Right() Point {
	sin, cos := math.Sincos(w.Floor * math.Pi / 180)
	return Point{cos, -sin}
}

// Validate returns an ErrInvalid for numbers that are not finite, a negative scale or error, a
// floor that is not within −180 to 180 degrees, and a pitch that is not within −60 to 60 degrees.
func (w World) Validate() error {
	bad := func(what string, v any, want string) error {
		return fmt.Errorf("%w world: %s is %v, want %s", ErrInvalid, what, v, want)
	}
	switch {
	case !(w.MetresPerPixel >= 0) || !finite(w.MetresPerPixel):
		return bad("metres per pixel", w.MetresPerPixel, "a number above 0, or 0 if unknown")
	case !(w.ScaleError >= 0) || !finite(w.ScaleError):
		return bad("scale error", w.ScaleError, "a share of 0 or more")
	case !(math.Abs(w.Floor) <= 180):
		return bad("floor", w.Floor, "−180 to 180 degrees")
	case !(math.Abs(w.Pitch) <= steepest) || w.Pitch != 0 && w.PitchError == 0:
		return bad("pitch", w.Pitch, "−60 to 60 degrees, and 0 without its error")
	case !(w.PitchError >= 0 && w.PitchError <= steepest):
		return bad("pitch error", w.PitchError, "0 to 60 degrees")
	case !finite(w.Origin[0]) || !finite(w.Origin[1]):
		return bad("origin", w.Origin, "finite pixels")
	}
	return nil
}

// CapturedAt returns the sequence with the times of a camera that recorded at frameRate frames per second, where the
// movie is in slow motion: every time is multiplied by the rate of the movie, without what lies between lost frames, over
// frameRate. The frames are shared with s. A rate that is not above 0 and finite, a sequence of fewer than two times, and frames that are then less than 2
// microseconds apart, so that JSON would lose their order, are an ErrInvalid.
func (s Sequence) CapturedAt(frameRate float64) (Sequence, error) {
	played, ok := s.FrameRate()
	if step, lost := rank.Step(s.Times); lost {
		played, ok = Sequence{Times: []float64{0, step}}.FrameRate()
	}
	if !ok || !finite(frameRate) || frameRate <= 0 {
		return Sequence{}, fmt.Errorf("%w capture: %v frames per second of a movie of %d times, want a rate above 0 of a movie", ErrInvalid, frameRate, len(s.Times))
	}
	times := make([]float64, len(s.Times))
	for i, t := range s.Times {
		times[i] = t * played / frameRate
		if i > 0 && times[i]-times[i-1] < 2e-6 {
			return Sequence{}, fmt.Errorf("%w capture: at %v frames per second, frame %d is less than 2 microseconds after the one before: want a lower rate", ErrInvalid, frameRate, i)
		}
	}
	s.Times = times
	return s, s.Validate()
}
