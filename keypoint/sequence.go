package keypoint

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
)

// ErrInvalid is the kind of all errors about invalid input. Test for it with errors.Is.
var ErrInvalid = errors.New("invalid")

// Sequence holds the keypoints of one recording, one frame per picture of a movie. An image is a Sequence of one frame without times.
type Sequence struct {
	Frames []Frame
	Times  []float64   // seconds from the start, one per frame, increasing; nil for an image or if unknown
	Size   image.Point // width and height of the upright picture in pixels; zero if unknown

	// PersonChanges are the frames from which somebody else is followed, or somebody who may be somebody else: increasing, from 1
	// on. nil: one person throughout. Speeds, paths, statistics and cleaning do not reach across these frames.
	PersonChanges []int

	// Looks are the frames in which the person was looked for, if not in all: increasing. nil: all
	// frames. The others are empty, or filled in between by cleaning.
	Looks []int

	// Damage says in one sentence what is wrong with the movie, such as missing frames; "" if nothing is known.
	Damage string

	// Unseen says that another program has found the keypoints: nobody has compared them with the picture.
	Unseen bool

	// World is the scale, the floor and the origin, as Calibrate finds them. Frames stay in pixels;
	// analyses, speeds and exports follow it. Its zero value is the picture itself.
	World World

	// Space says what the positions of the frames in space are; nil if there are none, or only what a network guesses.
	Space *Space
}

// Len returns the number of frames.
func (s Sequence) Len() int { return len(s.Frames) }

// Empty reports whether no frame has a part: nobody was found.
func (s Sequence) Empty() bool {
	return !slices.ContainsFunc(s.Frames, func(f Frame) bool { return !f.Empty() })
}

// Duration returns the time from the first to the last frame in seconds; 0 without times.
func (s Sequence) Duration() float64 {
	if len(s.Times) < 2 {
		return 0
	}
	return s.Times[len(s.Times)-1] - s.Times[0]
}

// FrameRate returns the frames per second: 1 over the mean difference of successive times, of a movie whose rate
// varies too. A whole rate, or 1000/1001 of one such as 29.97, is returned exactly if its last frame is as late as the
// last time, but for a microsecond a frame, to which times in JSON are rounded, or if the times are those of its
// frames in whole milliseconds, as in WebM. ok is false for fewer than two times.
func (s Sequence) FrameRate() (fps float64, ok bool) {
	last := len(s.Times) - 1
	if !(s.Duration() > 0) {
		return 0, false
	}
	fps = float64(last) / s.Duration()
	for _, exact := range []float64{math.Round(fps), math.Round(fps*1.001) * 1000 / 1001} {
		off := func(i int) float64 { return math.Abs(s.Times[i] - s.Times[0] - float64(i)/exact) }
		if exact > 0 && (off(last) <= 1.001e-6*float64(last) || s.milliseconds(off)) {
			return exact, true
		}
	}
	return fps, true
}

// milliseconds reports whether all times are whole milliseconds, and none is off by more than one.
func (s Sequence) milliseconds(off func(frame int) float64) bool {
	for i, t := range s.Times {
		if math.Abs(t*1000-math.Round(t*1000)) > 1e-6 || off(i) > 0.001001 {
			return false
		}
	}
	return true
}

// Validate returns an ErrInvalid for a negative size, an invalid World, times that are not one per frame, finite and
// increasing, an invalid Space, PersonChanges that are not increasing frames after the first, and Looks that are not increasing frames.
func (s Sequence) Validate() error {
	if s.Size.X < 0 || s.Size.Y < 0 {
		return fmt.Errorf("%w sequence: size %d×%d is negative", ErrInvalid, s.Size.X, s.Size.Y)
	}
	if err := s.World.Validate(); err != nil {
		return err
	}
	if s.Space != nil {
		if err := s.Space.Validate(); err != nil {
			return err
		}
	}
	first := 0
	for _, frame := range s.PersonChanges {
		if frame <= first || frame >= len(s.Frames) {
			return fmt.Errorf("%w sequence: another person from frame %d on, want frames after %d and below %d", ErrInvalid, frame, first, len(s.Frames))
		}
		first = frame
	}
	next := 0
	for _, frame := range s.Looks {
		if frame < next || frame >= len(s.Frames) {
			return fmt.Errorf("%w sequence: frame %d was looked at, want frames from %d and below %d", ErrInvalid, frame, next, len(s.Frames))
		}
		next = frame + 1
	}
	if s.Times == nil {
		return nil
	}
	if len(s.Times) != len(s.Frames) {
		return fmt.Errorf("%w sequence: %d times for %d frames, want one per frame or none", ErrInvalid, len(s.Times), len(s.Frames))
	}
	for i, t := range s.Times {
		switch {
		case !finite(t):
			return fmt.Errorf("%w sequence: time of frame %d is %v, want a finite number of seconds", ErrInvalid, i, t)
		case i > 0 && t <= s.Times[i-1]:
			return fmt.Errorf("%w sequence: time of frame %d is %v s, not after the %v s of the frame before", ErrInvalid, i, t, s.Times[i-1])
		}
	}
	return nil
}

// Clone returns a copy that shares nothing with s.
func (s Sequence) Clone() Sequence {
	s.Frames = slices.Clone(s.Frames)
	s.Times = slices.Clone(s.Times)
	s.PersonChanges = slices.Clone(s.PersonChanges)
	s.Looks = slices.Clone(s.Looks)
	return s
}

// Unmirrored returns the keypoints of a mirrored picture, as a selfie camera takes it, in the picture as others see the
// person: x becomes the width of the picture less x, also in World, and left and right change places. Size must be known, else they
// are about x = 0. Positions in space are lost.
func (s Sequence) Unmirrored() Sequence {
	s = s.Clone()
	for i := range s.Frames {
		was, f := s.Frames[i], &s.Frames[i]
		*f = Frame{}
		for _, p := range was.Present().List() {
			f.Set(p.Mirror(), Point{float64(s.Size.X) - was.points[p][0], was.points[p][1]}, was.confidence[p])
			f.visibility[p.Mirror()] = was.visibility[p]
		}
	}
	s.Space, s.World.Floor = nil, 0-s.World.Floor
	if s.World.Origin != (Point{}) {
		s.World.Origin[0] = float64(s.Size.X) - s.World.Origin[0]
	}
	return s
}

// Slice returns the frames first to last, inclusive, as a sequence that shares memory with s.
// It panics if there are no such frames, as slicing does.
func (s Sequence) Slice(first, last int) Sequence {
	s.Frames = s.Frames[first : last+1 : last+1]
	if s.Times != nil {
		s.Times = s.Times[first : last+1 : last+1]
	}
	s.PersonChanges = within(nil, s.PersonChanges, first+1, last, first)
	if s.Looks != nil {
		s.Looks = within([]int{}, s.Looks, first, last, first)
	}
	return s
}

// within appends the frames from low to high to a list, counted from a zero.
func within(list, frames []int, low, high, zero int) []int {
	for _, frame := range frames {
		if frame >= low && frame <= high {
			list = append(list, frame-zero)
		}
	}
	return list
}

// LookedAt returns the frames that were looked at as a sequence of their own. If all were, and if s is invalid, it shares memory with s.
func (s Sequence) LookedAt() Sequence {
	if s.Looks == nil || s.Validate() != nil {
		return s
	}
	t := Sequence{Frames: []Frame{}, Size: s.Size, World: s.World, Space: s.Space}
	if s.Times != nil {
		t.Times = []float64{}
	}
	for _, frame := range s.Looks {
		t.Frames = append(t.Frames, s.Frames[frame])
		if s.Times != nil {
			t.Times = append(t.Times, s.Times[frame])
		}
	}
	for _, frame := range s.PersonChanges {
		k, _ := slices.BinarySearch(s.Looks, frame)
		if n := len(t.PersonChanges); k > 0 && k < len(s.Looks) && (n == 0 || t.PersonChanges[n-1] < k) {
			t.PersonChanges = append(t.PersonChanges, k)
		}
	}
	return t
}
