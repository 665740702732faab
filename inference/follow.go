package inference

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// follower is what is known of the person who is followed. Pictures are counted by looks.
type follower struct {
	est    Estimator
	finder Finder // nil: there is none
	choose Choice

	count  int                       // so far
	recent [maxInFlight + 1]position // the latest looks, by number modulo their length
	seen   sighting                  // the latest look that has a person
	last   sighting                  // the latest look that shows who it is
	extent float64                   // of that person, see sizeOf
	known  any                       // of that person by the Network, see Memory
}

// sighting is a look that has a person.
type sighting struct {
	position
	look int // −1: there is none
}

func newFollower(est Estimator, choose Choice) (follower, error) {
	if est == nil {
		return follower{}, missing("estimator")
	}
	none := sighting{look: -1}
	return follower{est: est, finder: finderOf(est), choose: choose, seen: none, last: none}, choose.Validate()
}

// at returns one of the latest looks.
func (f *follower) at(look int) position { return f.recent[look%len(f.recent)] }

// trackState is what is known of the person when a frame is estimated.
type trackState struct {
	expected keypoint.Frame // where the person should be; empty if lost or not chosen yet
	seen     position       // where the person was last seen in this scene
	size     float64        // the person's extent, see sizeOf
	chosen   bool           // somebody was followed before this frame
	memory   *Memory        // of the Network
}

// state extrapolates the looks of a scene to a time. The movement is that between look before and the last one.
func (f *follower) state(scene, before int, at float64) (s trackState) {
	s.size, s.chosen, s.memory = f.extent, f.last.look >= 0, new(Memory)
	if f.seen.look >= scene {
		s.seen = f.seen.position
	}
	if n := f.count; n > scene && f.seen.look == n-1 {
		s.expected, s.memory.Known = s.seen.frame, f.known
		if before >= scene {
			s.expected = expected(f.at(before), s.seen, at)
		}
	}
	return s
}

// estimate estimates the person in a frame: where expected; if lost, near where last seen;
// and if nobody is followed, whom the chooser selects.
func (f *follower) estimate(ctx context.Context, pic Picture, s trackState) (keypoint.Frame, error) {
	away := pic.Time - s.seen.time
	if f.choose.Stay && s.chosen && (s.seen.frame.Empty() || away > memory) {
		return keypoint.Frame{}, nil
	}
	if !s.expected.Empty() {
		region := Expected(s.expected)
		region.Memory = s.memory
		found, err := estimate(ctx, f.est, pic.Image, Hint{Region: region})
		if err != nil || !found.Empty() {
			return found, err
		}
	}
	if f.finder == nil || s.seen.frame.Empty() {
		return estimate(ctx, f.est, pic.Image, Hint{Choose: f.choose})
	}
	people, err := f.finder.Find(ctx, pic.Image)
	if errors.Is(err, ErrNoFinder) {
		return estimate(ctx, f.est, pic.Image, Hint{Choose: f.choose})
	}
	if err != nil {
		return keypoint.Frame{}, err
	}
	was, _ := BoundsOf(&s.seen.frame)
	i := best(people, func(p Candidate) float64 { return likeness(was, s.size, p.Box, away) }) // the nearest of about the same size
	if i < 0 && away > memory {
		i = f.choose.Choose(pic.Image.Bounds(), people)
	}
	if i < 0 {
		return keypoint.Frame{}, nil
	}
	return estimate(ctx, f.est, pic.Image, Hint{Region: people[i].Region()})
}

// add adds a look of a scene, and what the Network learnt in it. It returns the frame, empty if it shows somebody else and the person
// stays, and whether somebody else is followed from it on.
func (f *follower) add(frame keypoint.Frame, at float64, scene int, learnt *Memory) (kept keypoint.Frame, changed bool) {
	if box, ok := BoundsOf(&frame); ok && frame.Len() >= minCommon {
		extent := box.Extent()
		switch {
		case f.last.look < 0:
		case f.same(box, at, scene):
			extent = sizeOf(f.extent, at-f.last.time, box)
		case f.choose.Stay:
			frame = keypoint.Frame{}
		default:
			changed = true
		}
		if !frame.Empty() {
			f.last, f.extent = sighting{position{frame, at}, f.count}, extent
		}
	}
	now := position{frame, at}
	if !frame.Empty() {
		f.seen, f.known = sighting{now, f.count}, learnt.after(f.known)
	} else {
		f.known = nil
	}
	f.recent[f.count%len(f.recent)] = now
	f.count++
	return frame, changed
}

// same reports whether the person in a box of the next frame, which belongs to a scene, can be the one who was seen last.
func (f *follower) same(box Box, at float64, scene int) bool {
	if f.last.look < scene {
		return false
	}
	was, _ := BoundsOf(&f.last.frame)
	away := at - f.last.time
	if f.last.look == f.count-1 { // a body in view may crouch or stretch at once
		return nearness(was, f.extent, box, away) > 0
	}
	return likeness(was, f.extent, box, away) > 0
}

// How a lost person is known again.
const (
	memory     = 2.0 // for how long, seconds
	maxGrowth  = 2   // change of size, either way
	reach      = 1.0 // change of place, in extents, and as much again for each second away
	sizeMemory = 2.0 // seconds in which a size that was seen counts 1/e of it
)

// sizeOf returns the extent of a person who had an extent of size, elapsed seconds ago, and is in a box now. It is about the
// largest one of the last seconds: a person who crouches, tucks or leaves the picture at its edge has not become small.
func sizeOf(size, elapsed float64, now Box) float64 {
	return max(now.Extent(), size*math.Exp(-elapsed/sizeMemory))
}

// likeness returns how likely box b shows the person of a size who was in box a, away seconds ago; 0: impossible.
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

// The motion model: the whole body keeps moving at its speed.
const (
	minCommon = 4   // common parts needed to measure a movement
	maxMove   = 0.5 // in one step, in extents of the body
)

// position is a frame and its time in seconds.
type position struct {
	frame keypoint.Frame
	time  float64
}

// expected extrapolates a body that was at before and then at last to a time, by the median movement of its parts.
func expected(before, last position, at float64) keypoint.Frame {
	elapsed := last.time - before.time
	common := before.frame.Present() & last.frame.Present()
	if elapsed <= 0 || common.Len() < minCommon {
		return last.frame
	}
	var dx, dy []float64
	for _, p := range common.List() {
		a, _ := before.frame.At(p)
		b, _ := last.frame.At(p)
		dx, dy = append(dx, b[0]-a[0]), append(dy, b[1]-a[1])
	}
	share := (at - last.time) / elapsed
	d := keypoint.Point{rank.Median(dx), rank.Median(dy)}.Mul(share)
	box, _ := BoundsOf(&last.frame)
	if far := maxMove * box.Extent(); d.Len() > far {
		return last.frame // a jump is not a movement
	}
	return moved(last.frame, d)
}

func moved(f keypoint.Frame, d keypoint.Point) keypoint.Frame {
	for _, p := range f.Present().List() {
		pt, _ := f.At(p)
		f.Set(p, pt.Add(d), f.Confidence(p))
	}
	return f
}

// samePlace is the least overlap of a person's boxes in two consecutive frames.
const samePlace = 0.2

// Follower follows a person through pictures that come one at a time, as from a camera. It chooses,
// follows, loses and finds the person as Extract does with one frame InFlight, but searches in every picture
// while nobody is there. It needs the same memory however many pictures come. It is not safe for concurrent use.
type Follower struct {
	follower
	feet      bool
	size      image.Point
	thumbnail thumbnail
	scene     int      // first picture of the scene
	latest    float64  // time of the latest picture, seconds
	watched   *tracker // while the choice watches
}

// Followed is the person in a picture.
type Followed struct {
	Frame keypoint.Frame // the keypoints in pixels; it is empty if the person is not visible, or not chosen yet
	// Changed reports that somebody else is followed from this picture on, or after a cut anybody: one of the PersonChanges of a recording.
	Changed bool
}

// NewFollower returns a Follower. Of the options, Choose and Feet count. A Choice that watches needs an
// Estimator that is a Finder, else the error is ErrNoFinder.
func NewFollower(est Estimator, opt ExtractOptions) (*Follower, error) {
	who, err := newFollower(est, opt.Choose)
	if err != nil {
		return nil, err
	}
	f := &Follower{follower: who, feet: opt.Feet}
	if _, ok := opt.Choose.Watch(); ok {
		if f.watched, err = newTracker(est, ExtractOptions{}); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Next finds the person in the next picture. seconds is its time, which must be finite and after that of the picture before,
// else the error is a keypoint.ErrInvalid. A picture of another size than the first one is an ErrFormat. After an error the
// Follower is as it was before, apart from the tracks of a Choice that watches. While it watches, the Frames are empty.
func (f *Follower) Next(ctx context.Context, img image.Image, seconds float64) (Followed, error) {
	if err := checkPicture(img); err != nil {
		return Followed{}, err
	}
	first := f.size == image.Point{}
	size := img.Bounds().Size()
	switch {
	case math.IsNaN(seconds) || math.IsInf(seconds, 0) || !first && seconds <= f.latest:
		return Followed{}, fmt.Errorf("%w time: %v s, want a finite time after that of the picture before, %v s", keypoint.ErrInvalid, seconds, f.latest)
	case !first && size != f.size:
		return Followed{}, fmt.Errorf("%w: a picture is %v pixels, the first one %v", ErrFormat, size, f.size)
	}
	pic := Picture{Image: img, Time: seconds}
	thumbnail := thumbnailOf(img)
	scene := f.scene
	if !first && thumbnail.cut(&f.thumbnail) {
		scene = f.count
		if f.watched != nil {
			scene = len(f.watched.times) // they are looks when the chooser has watched
		}
	}
	var found keypoint.Frame
	changed := false
	if f.watched != nil {
		if err := f.watched.step(ctx, pic); err != nil {
			return Followed{}, err
		}
		if watch, _ := f.choose.Watch(); seconds-f.watched.times[0] >= watch {
			frames, times := f.watched.chosenBy(f.choose, img.Bounds()), f.watched.times
			f.watched = nil
			for i := range frames {
				found, changed = f.add(frames[i], times[i], 0, nil)
			}
		}
	} else {
		state := f.state(scene, f.count-2, seconds)
		frame, err := f.estimate(ctx, pic, state)
		if err != nil {
			return Followed{}, err
		}
		found, changed = f.add(frame, seconds, scene, state.memory)
	}
	f.size, f.thumbnail, f.scene, f.latest = size, thumbnail, scene, seconds
	return Followed{withoutFeet(found, f.feet), changed}, nil
}
