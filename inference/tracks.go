package inference

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// Person is somebody in a movie, with a frame for each frame of it, empty where the person
// is not seen.
type Person struct {
	Track    int // 1, 2, … in the order in which they are first seen
	Sequence keypoint.Sequence
}

// AllOptions say how all people of a movie are followed. The zero value is ready to use.
type AllOptions struct {
	MaxFrames int // as in ExtractOptions
	// Interval is how many frames pass between two looks for people who have come in; 0
	// means 5. Whoever is lost is looked for at once.
	Interval int
	// Memory is for how many seconds somebody who is lost keeps the number when coming back
	// within reach of the place in about the same size; 0 means 2.
	Memory   float64
	Progress func(done, total int) // as in ExtractOptions
}

// ErrNoFinder reports that an Estimator cannot tell people apart.
var ErrNoFinder = fmt.Errorf("%w estimator: finding several people needs an inference.Finder; with movenet, set Options.People", keypoint.ErrInvalid)

// ExtractAll estimates all people in every frame of a movie, each with a number that stays.
// The estimator has to be a Finder. It does not close frames.
func ExtractAll(ctx context.Context, frames Frames, est Estimator, opt AllOptions) ([]Person, error) {
	c, err := newCrowd(est, opt)
	if err != nil {
		return nil, err
	}
	in := reader{frames: frames, max: opt.MaxFrames}
	for {
		pic, err := in.read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		err = c.step(ctx, pic)
		release(pic)
		if err != nil {
			return nil, fmt.Errorf("frame %d: %w", in.n-1, err)
		}
		if opt.Progress != nil {
			opt.Progress(in.n, frames.Info().Frames)
		}
	}
	if in.n == 0 {
		return nil, fmt.Errorf("%w: the movie has no frame", ErrFormat)
	}
	var people []Person
	for _, t := range c.tracks {
		if len(t.frames) > 0 { // not the twin of another
			people = append(people, Person{t.id, keypoint.Sequence{Frames: t.all(in.n), Times: slices.Clone(c.times), Size: in.size}})
		}
	}
	return people, nil
}

// crowd are the people of a movie up to some frame.
type crowd struct {
	est    Estimator
	finder Finder
	opt    AllOptions
	tracks []*track
	times  []float64 // of the frames so far
}

// track is one of them.
type track struct {
	id     int
	start  int              // first frame
	frames []keypoint.Frame // from start on; trailing empty ones may be missing
	lost   bool
	last   moment // where the person was seen last
	before moment // and before that
	travel float64
	score  float64 // when found
}

func newCrowd(est Estimator, opt AllOptions) (*crowd, error) {
	finder, ok := FinderOf(est)
	if !ok {
		return nil, ErrNoFinder
	}
	if opt.Interval < 0 || !(opt.Memory >= 0) {
		return nil, fmt.Errorf("%w options: an interval of %d frames and a memory of %v s, want 0 or more", keypoint.ErrInvalid, opt.Interval, opt.Memory)
	}
	if opt.Interval == 0 {
		opt.Interval = 5
	}
	if opt.Memory == 0 {
		opt.Memory = 2
	}
	return &crowd{est: est, finder: finder, opt: opt}, nil
}

// step looks at a frame: at those who are followed where they are expected, and for others.
func (c *crowd) step(ctx context.Context, pic Picture) error {
	n := len(c.times)
	c.times = append(c.times, pic.Time)
	search := n%c.opt.Interval == 0
	for _, t := range c.tracks {
		if t.lost {
			continue
		}
		f, err := c.est.Estimate(ctx, pic.Image, Hint{Previous: expected(t.before, t.last, pic.Time), Only: true})
		if err != nil {
			return err
		}
		if t.lost = f.Empty(); t.lost {
			search = true
			continue
		}
		t.see(n, f, pic.Time)
	}
	c.dropTwins()
	if !search {
		return nil
	}
	found, err := c.finder.Find(ctx, pic.Image)
	if errors.Is(err, ErrNoFinder) {
		return err
	}
	for i := 0; err == nil && i < len(found); i++ {
		if c.known(found[i].Box, n) {
			continue
		}
		var f keypoint.Frame
		if f, err = c.est.Estimate(ctx, pic.Image, Hint{Person: &found[i]}); err == nil && !f.Empty() {
			c.join(f, found[i].Score, n, pic.Time)
		}
	}
	c.dropTwins()
	return err
}

// known reports whether somebody who is followed in frame n is in a box.
func (c *crowd) known(b Box, n int) bool {
	for _, t := range c.tracks {
		if t.lost {
			continue
		}
		// The keypoints of a person fill less than the box that a finder draws.
		own, _ := BoundsOf(&t.last.frame)
		if m := own.Centre(); own.Overlap(b) >= 0.3 || own.Overlap(b) > 0.1 && m[0] > b.Min[0] && m[0] < b.Max[0] && m[1] > b.Min[1] && m[1] < b.Max[1] {
			return true
		}
	}
	return false
}

// join adds somebody who was found: one who was lost before, or a new one.
func (c *crowd) join(f keypoint.Frame, score float64, n int, at float64) {
	box, _ := BoundsOf(&f)
	var back *track
	most := 0.0
	for _, t := range c.tracks {
		away := at - t.last.time
		if !t.lost || away > c.opt.Memory {
			continue
		}
		was, _ := BoundsOf(&t.last.frame)
		if l := likeness(was, box, away); l > most {
			back, most = t, l
		}
	}
	if back == nil {
		back = &track{id: len(c.tracks) + 1, start: n, score: score}
		c.tracks = append(c.tracks, back)
	}
	back.lost = false
	back.last = moment{} // no movement across the gap
	back.see(n, f, at)
}

// see adds frame n to a track.
func (t *track) see(n int, f keypoint.Frame, at float64) {
	for t.start+len(t.frames) < n {
		t.frames = append(t.frames, keypoint.Frame{})
	}
	if box, _ := BoundsOf(&f); !t.last.frame.Empty() && box.Extent() > 0 {
		was, _ := BoundsOf(&t.last.frame)
		t.travel += box.Centre().Sub(was.Centre()).Len() / box.Extent()
	}
	t.frames = append(t.frames, f)
	t.before, t.last = t.last, moment{f, at}
}

// all returns the track as n frames.
func (t *track) all(n int) []keypoint.Frame {
	frames := make([]keypoint.Frame, n)
	copy(frames[t.start:], t.frames)
	return frames
}

// sameBody is how near the parts of two frames lie in the mean when they are of one body, in
// its extents.
const sameBody = 0.06

// dropTwins ends tracks that have come to follow the same person: the younger one goes, and
// with it what it has seen of the other.
func (c *crowd) dropTwins() {
	for i, a := range c.tracks {
		for _, b := range c.tracks[i+1:] {
			if a.lost || b.lost || !alike(&a.last.frame, &b.last.frame) {
				continue
			}
			b.lost = true
			for k := len(b.frames) - 1; k >= 0; k-- {
				at := b.start + k - a.start
				if at < 0 || at >= len(a.frames) || !alike(&a.frames[at], &b.frames[k]) {
					break
				}
				b.frames = b.frames[:k]
			}
		}
	}
}

// alike reports whether two frames show one body.
func alike(a, b *keypoint.Frame) bool {
	common := a.Present() & b.Present()
	box, _ := BoundsOf(a)
	if common.Len() < minCommon || box.Extent() == 0 {
		return false
	}
	sum := 0.0
	for _, p := range common.List() {
		x, _ := a.At(p)
		y, _ := b.At(p)
		sum += x.Sub(y).Len()
	}
	return sum/float64(common.Len()) < sameBody*box.Extent()
}

// candidates returns who is followed at the moment, for a Chooser.
func (c *crowd) candidates() (people []Candidate, of []*track) {
	for _, t := range c.tracks {
		if t.lost {
			continue
		}
		box, _ := BoundsOf(&t.last.frame)
		people = append(people, Candidate{Box: box, Keypoints: t.last.frame, Score: t.score, Track: t.id, Travel: t.travel})
		of = append(of, t)
	}
	return people, of
}

// watch follows all people for as long as the chooser wants to see them, and takes the
// frames of the one who is chosen then.
func (x *extraction) watch(ctx context.Context, w Watcher) error {
	c, err := newCrowd(x.est, AllOptions{})
	if err != nil {
		return err
	}
	var bounds image.Rectangle
	for err == nil {
		var pic Picture
		if pic, err = x.read(); err != nil {
			break
		}
		if err = x.candidates(ctx, pic); err == nil {
			if err = c.step(ctx, pic); err != nil {
				err = fmt.Errorf("frame %d: %w", x.n-1, err)
			}
		}
		bounds = pic.Image.Bounds()
		last := pic.Time-c.times[0] >= w.Watch()
		release(pic)
		if last {
			break
		}
	}
	if err != nil && err != io.EOF {
		return err
	}
	people, of := c.candidates()
	frames := make([]keypoint.Frame, len(c.times))
	if i := choose(w, bounds, people); i >= 0 && i < len(of) {
		frames = of[i].all(len(c.times))
	}
	for i, f := range frames {
		x.add(f, c.times[i])
	}
	return err
}

// EstimateAll estimates all people in a picture, the surest first. The estimator has to be a
// Finder.
func EstimateAll(ctx context.Context, img image.Image, est Estimator) ([]Candidate, error) {
	c, err := newCrowd(est, AllOptions{})
	if err != nil {
		return nil, err
	}
	if err := c.step(ctx, Picture{Image: img}); err != nil {
		return nil, err
	}
	people, _ := c.candidates()
	return people, nil
}
