package keypoint

import (
	"fmt"
	"image"
	"math"
	"math/bits"

	"github.com/go-gl/mathgl/mgl64"
)

// Position is a place in space: x to the right, y up and z towards the first camera, in the unit of Sequence.Space.
type Position = mgl64.Vec3

// Positions are the places of the parts of one person in space. The zero value has none.
type Positions struct {
	at      [NumParts]Position
	sigma   [NumParts]float64
	present Parts
}

// At returns the place of part p; ok is false if it is unknown.
func (s *Positions) At(p Part) (at Position, ok bool) {
	if s == nil || !s.present.Has(p) || p >= NumParts {
		return Position{}, false
	}
	return s.at[p], true
}

// Error returns one standard deviation of the place of part p in each direction; 0 if it is unknown.
func (s *Positions) Error(p Part) float64 {
	if s == nil || p >= NumParts {
		return 0
	}
	return s.sigma[p]
}

// Centroid returns the mean of the places of a set of parts that are known; ok is false if none is.
func (s *Positions) Centroid(parts Parts) (at Position, ok bool) {
	parts &= s.Present()
	for rest := parts; rest != 0; rest &= rest - 1 {
		at = at.Add(s.at[bits.TrailingZeros32(uint32(rest))].Mul(1 / float64(parts.Len())))
	}
	return at, parts != 0
}

// Present returns the parts whose places are known.
func (s *Positions) Present() Parts {
	if s == nil {
		return 0
	}
	return s.present
}

// Set puts part p at a place with one standard deviation in each direction, 0 if it is unknown. A number that is NaN
// or infinite makes the place unknown. Set panics if p is not a part.
func (s *Positions) Set(p Part, at Position, sigma float64) {
	if !finite(at[0]) || !finite(at[1]) || !finite(at[2]) || !(sigma >= 0) || !finite(sigma) {
		s.unset(p)
		return
	}
	s.at[p], s.sigma[p] = at, sigma
	s.present |= 1 << p
}

// unset makes the place of part p unknown. It panics if p is not a part.
func (s *Positions) unset(p Part) {
	s.at[p], s.sigma[p] = Position{}, 0
	s.present &^= 1 << p
}

// exchange exchanges the places of a part and of its mirror part.
func (s *Positions) exchange(p Part) {
	q := p.Mirror()
	s.at[p], s.at[q] = s.at[q], s.at[p]
	s.sigma[p], s.sigma[q] = s.sigma[q], s.sigma[p]
	if s.present.Has(p) != s.present.Has(q) {
		s.present ^= 1<<p | 1<<q
	}
}

// Space says what the positions of the frames of a Sequence are: those that several cameras see (Cameras), those that a
// laboratory has measured (Cameras is empty and not nil), or those that are guessed from one camera (nil).
type Space struct {
	Unit     string   `json:"unit"`             // "m", or "torso": the median length of the torso
	Residual float64  `json:"residual"`         // median distance in pixels between the parts as seen and the positions as the cameras would see them
	Angle    float64  `json:"angle"`            // degrees at the person between the two cameras that are nearest to a right angle; 0 for one camera
	Cameras  []Camera `json:"cameras,omitzero"` // nil: guessed from one camera
}

// Seen reports whether the positions are measured: several cameras see them, or a laboratory has measured them.
func (s *Space) Seen() bool { return s != nil && s.Cameras != nil }

// The units of Space.
const (
	Metres = "m"
	Torso  = "torso"
)

// ViewPixels returns how many pixels of the picture from the person's side (space.View) a length in the unit is: 500 a metre, 250 a
// torso length.
func (s *Space) ViewPixels() float64 {
	if s.Unit == Metres {
		return 500
	}
	return 250
}

// Camera is a camera in space: a point X is seen by it at
//
//	(x, y, z) = Rotation · X + Translation           right, down and forward of the camera
//	(px, py)  = focal · (x/z, y/z) + Size / 2        pixels
type Camera struct {
	// Offset is when its recording began, in seconds after the first one's: a moment t of the first recording is t − Offset of this one.
	Offset      float64     `json:"offset"`
	Focal       float64     `json:"focal"` // focal length in pixels
	Rotation    mgl64.Mat3  `json:"rotation"`
	Translation Position    `json:"translation"`
	Size        image.Point `json:"-"` // of its pictures in pixels
}

// Project returns where the camera sees a position, in pixels; ok is false behind the camera.
func (c *Camera) Project(at Position) (pt Point, ok bool) {
	v := c.Rotation.Mul3x1(at).Add(c.Translation)
	if !(v[2] > 0) {
		return Point{}, false
	}
	pt = Point{v[0], v[1]}.Mul(c.Focal / v[2]).Add(Point{float64(c.Size.X) / 2, float64(c.Size.Y) / 2})
	return pt, finite(pt[0]) && finite(pt[1])
}

// Eye returns where the camera stands.
func (c *Camera) Eye() Position {
	return c.Rotation.Transpose().Mul3x1(c.Translation).Mul(-1)
}

// Validate returns an ErrInvalid for another unit, and numbers that are not finite.
func (s *Space) Validate() error {
	if s.Unit != Metres && s.Unit != Torso {
		return fmt.Errorf("%w space: unit %q, want %q or %q", ErrInvalid, s.Unit, Metres, Torso)
	}
	sum := s.Residual + s.Angle
	for _, c := range s.Cameras {
		sum += c.Offset + c.Focal + c.Translation.Len()
		for _, v := range c.Rotation {
			sum += math.Abs(v)
		}
	}
	if !finite(sum) {
		return fmt.Errorf("%w space: a number is not finite", ErrInvalid)
	}
	return nil
}

// Positions returns where the parts are in space, nil if this is unknown; they must not be changed. Sequence.Space says what they
// are. If that is nil, they are what a network guesses from this picture alone: metres from the middle of the hips.
func (f *Frame) Positions() *Positions { return f.space }

// SetPositions says where the parts are in space; nil makes it unknown. It keeps a copy.
func (f *Frame) SetPositions(s *Positions) {
	f.space = nil
	if s != nil && s.present != 0 {
		c := *s
		f.space = &c
	}
}
