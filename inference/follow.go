package inference

import (
	"context"
	"errors"

	"github.com/bodymotion/motion/keypoint"
)

// trackState is what is known of the person when a frame is estimated.
type trackState struct {
	expected keypoint.Frame // where the person should be; empty if lost or not chosen yet
	seen     position       // where the person was last seen in this scene
}

// state extrapolates the final frames of a scene to a time. The movement is that between
// frame before and the last one.
func (x *extraction) state(scene, before int, at float64) (s trackState) {
	n := x.seq.Len()
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
	away := pic.Time - s.seen.time
	i := reappeared(s.seen.frame, people, away)
	if i < 0 && away > lostMemory {
		i = choose(x.opt.Choose, pic.Image.Bounds(), people)
	}
	if i < 0 || i >= len(people) {
		return keypoint.Frame{}, nil
	}
	return estimate(ctx, x.est, pic.Image, Hint{Person: &people[i]})
}

// How much a lost person may have changed.
const (
	maxGrowth = 2   // in size, either way
	reach     = 1.0 // in place, in extents, and as much again for each second away
)

// reappeared returns the index of the person lost for away seconds: the nearest one of about
// the same size; −1: nobody.
func reappeared(last keypoint.Frame, people []Candidate, away float64) int {
	was, _ := BoundsOf(&last)
	return best(people, func(p Candidate) float64 { return likeness(was, p.Box, away) })
}

// likeness returns how likely box b shows the person who was in box a, away seconds ago;
// 0: impossible.
func likeness(a, b Box, away float64) float64 {
	growth := b.Extent() / a.Extent()
	if !(growth > 1.0/maxGrowth && growth < maxGrowth) {
		return 0
	}
	d := b.Centre().Sub(a.Centre()).Len() / a.Extent() / (reach * (1 + away))
	return max(0, 1-d)
}
