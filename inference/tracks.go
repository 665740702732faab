package inference

import (
	"context"
	"errors"
	"fmt"
	"image"

	"github.com/bodymotion/motion/keypoint"
)

// searchInterval is the number of looks from a search for newcomers to the next. A lost person is searched for at once.
const searchInterval = 5

// tracker follows the people of a movie.
type tracker struct {
	est    Estimator
	finder Finder
	opt    ExtractOptions
	scout  *scout
	tracks []*track
	times  []float64 // of the frames so far
	chosen *track
}

// track is one person.
type track struct {
	id     int
	start  int              // first frame
	frames []keypoint.Frame // from start on; trailing empty ones may be missing
	lost   bool
	last   position // where the person was last seen
	before position // and the frame before
	size   float64  // see sizeOf
	travel float64
	seen   int     // frames that are not empty
	score  float64 // when found
	known  any     // by the Network, see Memory
}

func newTracker(est Estimator, opt ExtractOptions) (*tracker, error) {
	if est == nil {
		return nil, missing("estimator")
	}
	finder := finderOf(est)
	if finder == nil {
		return nil, ErrNoFinder
	}
	return &tracker{est: est, finder: finder, opt: opt, scout: opt.scout()}, opt.Choose.Validate()
}

// look reads the next frame of a movie and follows the people in it. It returns the bounds of the picture,
// and those given if there is none.
func (c *tracker) look(ctx context.Context, in *reader, bounds image.Rectangle) (image.Rectangle, error) {
	pic, err := in.read()
	if err != nil {
		return bounds, err
	}
	defer release(pic)
	if err := c.scout.look(ctx, c.finder, in.latest(), pic); err != nil {
		return bounds, err
	}
	if err := c.step(ctx, pic); err != nil {
		return bounds, fmt.Errorf("frame %d: %w", in.latest(), err)
	}
	return pic.Image.Bounds(), nil
}

// step estimates the tracked people in a frame where they are expected, and searches for others.
func (c *tracker) step(ctx context.Context, pic Picture) error {
	n := len(c.times)
	c.times = append(c.times, pic.Time)
	search := n%searchInterval == 0
	for _, t := range c.tracks {
		if t.lost {
			continue
		}
		region := Expected(expected(t.before, t.last, pic.Time))
		region.Memory = &Memory{Known: t.known}
		f, err := estimate(ctx, c.est, pic.Image, Hint{Region: region})
		if err != nil {
			return err
		}
		if t.lost = f.Empty(); t.lost {
			search = true
			continue
		}
		t.known = region.Memory.after(t.known)
		t.see(n, f, pic.Time)
	}
	c.dropDuplicates()
	if !search {
		return nil
	}
	found, err := c.finder.Find(ctx, pic.Image)
	if errors.Is(err, ErrNoFinder) {
		return err
	}
	for i := 0; err == nil && i < len(found); i++ {
		if c.full() {
			break
		}
		if c.known(found[i].Box) {
			continue
		}
		var f keypoint.Frame
		if f, err = estimate(ctx, c.est, pic.Image, Hint{Region: found[i].Region()}); err == nil && !f.Empty() {
			c.join(f, found[i].Score, n, pic.Time)
		}
	}
	c.dropDuplicates()
	return err
}

func (c *tracker) full() bool {
	n := 0
	for _, t := range c.tracks {
		if !t.lost {
			n++
		}
	}
	return c.opt.MaxPeople > 0 && n >= c.opt.MaxPeople
}

// known reports whether a box shows somebody who is tracked.
func (c *tracker) known(b Box) bool {
	for _, t := range c.tracks {
		if t.lost {
			continue
		}
		// A person's keypoints span less than the finder's box.
		own, _ := BoundsOf(&t.last.frame)
		if m := own.Centre(); own.Overlap(b) >= 0.3 || own.Overlap(b) > 0.1 && m[0] > b.Min[0] && m[0] < b.Max[0] && m[1] > b.Min[1] && m[1] < b.Max[1] {
			return true
		}
	}
	return false
}

// join adds somebody who was found: a lost person who is back, or a new one.
func (c *tracker) join(f keypoint.Frame, score float64, n int, at float64) {
	box, _ := BoundsOf(&f)
	var back *track
	most := 0.0
	for _, t := range c.tracks {
		away := at - t.last.time
		if !t.lost || away > memory {
			continue
		}
		was, _ := BoundsOf(&t.last.frame)
		if l := likeness(was, t.size, box, away); l > most {
			back, most = t, l
		}
	}
	if back == nil {
		back = &track{id: len(c.tracks) + 1, start: n, score: score}
		c.tracks = append(c.tracks, back)
	}
	back.lost = false
	back.last = position{time: back.last.time} // no movement across the gap
	back.known = nil
	back.see(n, f, at)
}

// see adds frame n to a track.
func (t *track) see(n int, f keypoint.Frame, at float64) {
	for t.start+len(t.frames) < n {
		t.frames = append(t.frames, keypoint.Frame{})
	}
	box, _ := BoundsOf(&f)
	if !t.last.frame.Empty() && box.Extent() > 0 {
		was, _ := BoundsOf(&t.last.frame)
		t.travel += box.Centre().Sub(was.Centre()).Len() / box.Extent()
	}
	t.size = sizeOf(t.size, at-t.last.time, box)
	t.frames = append(t.frames, f)
	t.seen++
	t.before, t.last = t.last, position{f, at}
}

func (t *track) all(n int) []keypoint.Frame {
	frames := make([]keypoint.Frame, n)
	copy(frames[t.start:], t.frames)
	return frames
}

// sameBody is the largest mean distance of the parts of two frames of one body, in extents.
const sameBody = 0.06

// dropDuplicates ends the younger of two tracks that follow the same person, and removes the frames they share from it.
func (c *tracker) dropDuplicates() {
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
				b.seen-- // one that is alike is not empty
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

// candidates returns the people who are tracked now, for a Choice.
func (c *tracker) candidates() (people []Candidate, of []*track) {
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

// chosenBy returns the frames so far of the person whom a Choice selects; all are empty if it selects nobody.
func (c *tracker) chosenBy(choose Choice, bounds image.Rectangle) []keypoint.Frame {
	people, of := c.candidates()
	if i := choose.Choose(bounds, people); i >= 0 {
		return of[i].all(len(c.times))
	}
	return make([]keypoint.Frame, len(c.times))
}
