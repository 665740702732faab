package inference

import (
	"context"
	"errors"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// trackState is what is known of the person when a frame is estimated.
type trackState struct {
	expected keypoint.Frame // where the person should be; empty if lost or not chosen yet
	seen     position       // where the person was last seen in this scene
	size     float64        // the person's extent, see sizeOf
	chosen   bool           // somebody was followed before this frame
}

// state extrapolates the final frames of a scene to a time. The movement is that between
// frame before and the last one.
func (x *extraction) state(scene, before int, at float64) (s trackState) {
	n := x.seq.Len()
	s.size, s.chosen = x.extent, x.last >= 0
	for i := n - 1; i >= scene; i-- {
		if !x.seq.Frames[i].Empty() {
			s.seen = position{x.seq.Frames[i], x.seq.Times[i]}
			break
		}
	}
	if n > scene && !x.seq.Frames[n-1].Empty() {
		s.expected = s.seen.frame
		if before >= scene {
			s.expected = expected(position{x.seq.Frames[before], x.seq.Times[before]}, s.seen, at)
		}
	}
	return s
}

// estimate estimates the person in a frame: where expected; if lost, near where last seen;
// and if nobody is followed, whom the chooser selects.
func (x *extraction) estimate(ctx context.Context, pic Picture, s trackState) (keypoint.Frame, error) {
	away := pic.Time - s.seen.time
	if x.opt.Stay && s.chosen && (s.seen.frame.Empty() || away > memory) {
		return keypoint.Frame{}, nil
	}
	if x.finder == nil || s.seen.frame.Empty() {
		return estimate(ctx, x.est, pic.Image, Hint{Previous: s.expected, Choose: x.opt.Choose})
	}
	if !s.expected.Empty() {
		f, err := estimate(ctx, x.est, pic.Image, Hint{Previous: s.expected, Only: true})
		if err != nil || !f.Empty() {
			return f, err
		}
	}
	people, err := x.finder.Find(ctx, pic.Image)
	if errors.Is(err, ErrNoFinder) {
		return estimate(ctx, x.est, pic.Image, Hint{Choose: x.opt.Choose})
	}
	if err != nil {
		return keypoint.Frame{}, err
	}
	i := reappeared(s.seen.frame, s.size, people, away)
	if i < 0 && away > memory {
		i = choose(x.opt.Choose, pic.Image.Bounds(), people)
	}
	if i < 0 || i >= len(people) {
		return keypoint.Frame{}, nil
	}
	return estimate(ctx, x.est, pic.Image, Hint{Person: &people[i]})
}

// How a lost person is known again.
const (
	memory     = 2.0 // for how long, seconds
	maxGrowth  = 2   // change of size, either way
	reach      = 1.0 // change of place, in extents, and as much again for each second away
	sizeMemory = 2.0 // seconds in which a size that was seen counts 1/e of it
)

// sizeOf returns the extent of a person who had an extent of size, elapsed seconds ago, and is
// in a box now. It is about the largest one of the last seconds: a person who crouches, tucks or
// leaves the picture at its edge has not become small.
func sizeOf(size, elapsed float64, now Box) float64 {
	return max(now.Extent(), size*math.Exp(-elapsed/sizeMemory))
}

// reappeared returns the index of the person of a size who was lost for away seconds: the
// nearest one of about the same size; −1: nobody.
func reappeared(last keypoint.Frame, size float64, people []Candidate, away float64) int {
	was, _ := BoundsOf(&last)
	return best(people, func(p Candidate) float64 { return likeness(was, size, p.Box, away) })
}

// likeness returns how likely box b shows the person of a size who was in box a, away seconds
// ago; 0: impossible.
func likeness(a Box, size float64, b Box, away float64) float64 {
	like := func(extent float64) bool {
		growth := b.Extent() / extent
		return growth > 1.0/maxGrowth && growth < maxGrowth
	}
	if !like(a.Extent()) && !like(size) {
		return 0
	}
	return nearness(a, size, b, away)
}

// nearness is the part of likeness that is due to the place.
func nearness(a Box, size float64, b Box, away float64) float64 {
	d := b.Centre().Sub(a.Centre()).Len() / size / (reach * (1 + away))
	return max(0, 1-d)
}
