package inference

import (
	"context"
	"errors"

	"github.com/bodymotion/motion/keypoint"
)

// situation is what is known of the person when a frame is looked at.
type situation struct {
	expected keypoint.Frame // where the person should be; empty where lost or not chosen yet
	seen     moment         // when and where the person was seen last in this scene
}

// situation returns what the settled frames of a scene tell for a time. The movement is
// taken between frame before and the last one.
func (x *extraction) situation(scene, before int, at float64) (s situation) {
	n := x.seq.Len()
	for i := n - 1; i >= scene; i-- {
		if !x.seq.Frames[i].Empty() {
			s.seen = moment{x.seq.Frames[i], x.seq.Times[i]}
			break
		}
	}
	if n > scene && !x.seq.Frames[n-1].Empty() {
		s.expected = s.seen.frame
		if before >= scene {
			s.expected = expected(moment{x.seq.Frames[before], x.seq.Times[before]}, s.seen, at)
		}
	}
	return s
}

// look estimates the person in a frame: where expected; somebody who is lost near where
// they were seen last; and whom the chooser wants where nobody is to be followed.
func (x *extraction) look(ctx context.Context, pic Picture, s situation) (keypoint.Frame, error) {
	if x.finder == nil || s.seen.frame.Empty() {
		return x.est.Estimate(ctx, pic.Image, Hint{Previous: s.expected, Choose: x.opt.Choose})
	}
	if !s.expected.Empty() {
		f, err := x.est.Estimate(ctx, pic.Image, Hint{Previous: s.expected, Only: true})
		if err != nil || !f.Empty() {
			return f, err
		}
	}
	people, err := x.finder.Find(ctx, pic.Image)
	if errors.Is(err, ErrNoFinder) {
		return x.est.Estimate(ctx, pic.Image, Hint{Choose: x.opt.Choose})
	}
	if err != nil {
		return keypoint.Frame{}, err
	}
	away := pic.Time - s.seen.time
	i := reappeared(s.seen.frame, people, away)
	if i < 0 && away > x.opt.Memory {
		i = choose(x.opt.Choose, pic.Image.Bounds(), people)
	}
	if i < 0 || i >= len(people) {
		return keypoint.Frame{}, nil
	}
	return x.est.Estimate(ctx, pic.Image, Hint{Person: &people[i]})
}

// How much of a person who was lost may have changed.
const (
	maxGrowth = 2   // of the size, either way
	reach     = 1.0 // of the place, in extents, and as much again for each second away
)

// reappeared returns the index of the one who may be a person that was lost a while ago, in
// seconds: the nearest one of about the same size; −1 for none.
func reappeared(last keypoint.Frame, people []Candidate, away float64) int {
	was, _ := BoundsOf(&last)
	return best(people, func(p Candidate) float64 { return likeness(was, p.Box, away) })
}

// likeness returns how likely box b is that of a person who was in box a a while ago, in
// seconds; 0 where it cannot be.
func likeness(a, b Box, away float64) float64 {
	growth := b.Extent() / a.Extent()
	if !(growth > 1.0/maxGrowth && growth < maxGrowth) {
		return 0
	}
	d := b.Centre().Sub(a.Centre()).Len() / a.Extent() / (reach * (1 + away))
	return max(0, 1-d)
}
