package inference

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"math"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// Person is one person of a movie or picture. The Sequence has a Frame for each frame of the movie, empty if the person is not visible.
type Person struct {
	Track    int // 1, 2, … in order of first appearance
	Sequence keypoint.Sequence
}

// People are the people of a movie or picture.
type People struct {
	All    []Person // in order of Track, which may have gaps
	Chosen Person   // the one of them whom Choose selects; if nobody, Track is 0 and all frames are empty
}

// Presence says when a person is in a movie.
type Presence struct {
	Track      int     `json:"track"`
	FirstFrame int     `json:"firstFrame"` // with the person, from 0
	LastFrame  int     `json:"lastFrame"`  // with the person
	Coverage   float64 `json:"coverage"`   // part of the looks from the first to the last in which the person is visible
	Chosen     bool    `json:"chosen"`     // whether this is People.Chosen
}

// Presence returns when each person is there.
func (p People) Presence() []Presence {
	list := []Presence{}
	for _, one := range p.All {
		list = append(list, presence(one.Sequence))
		at := &list[len(list)-1]
		at.Track, at.Chosen = one.Track, one.Track == p.Chosen.Track
	}
	return list
}

func presence(seq keypoint.Sequence) (at Presence) {
	looks := seq.Looks
	if looks == nil {
		looks = make([]int, seq.Len())
		for i := range looks {
			looks[i] = i
		}
	}
	first, last, seen := 0, 0, 0 // looks
	for k, i := range looks {
		if seq.Frames[i].Empty() {
			continue
		}
		if seen++; seen == 1 {
			first = k
		}
		last = k
	}
	if seen > 0 {
		at.FirstFrame, at.LastFrame = looks[first], looks[last]
		at.Coverage = math.Round(float64(seen)/float64(last-first+1)*1e4) / 1e4
	}
	return at
}

// ExtractAll estimates all people in every frame of a movie and gives each of them a track number. A person who is lost keeps
// the number when someone of about the same size appears near the same place within 2 s. est must be a Finder, else the error
// is ErrNoFinder. ExtractAll does not close frames. Of the options, InFlight, OnFrame and Choice.Stay do not count.
func ExtractAll(ctx context.Context, frames Frames, est Estimator, opt ExtractOptions) (People, error) {
	in, err := newReader(frames, opt.MaxFrames, opt.Rate)
	if err != nil {
		return People{}, err
	}
	c, err := newTracker(est, opt)
	if err != nil {
		return People{}, err
	}
	defer in.close()
	watch, _ := opt.Choose.Watch()
	var bounds image.Rectangle
	for {
		if bounds, err = c.look(ctx, &in, bounds); err == io.EOF {
			break
		}
		if err != nil {
			return People{}, err
		}
		if c.times[len(c.times)-1]-c.times[0] >= watch {
			c.choose(bounds)
		}
		if opt.Progress != nil {
			opt.Progress(in.latest()+1, frames.Info().Frames)
		}
	}
	if len(in.looks) == 0 {
		return People{}, fmt.Errorf("%w: the movie has no frame", ErrFormat)
	}
	c.choose(bounds)
	return c.people(func(frames []keypoint.Frame) keypoint.Sequence {
		return in.whole(keypoint.Sequence{Frames: frames, Times: slices.Clone(c.times)})
	}), nil
}

// ExtractAllImage estimates all people in a picture: Sequences of one frame without times. Of the options, Feet,
// MaxPeople, Choose and OnCandidates count. est must be a Finder, else the error is ErrNoFinder.
func ExtractAllImage(ctx context.Context, img image.Image, est Estimator, opt ExtractOptions) (People, error) {
	if err := checkPicture(img); err != nil {
		return People{}, err
	}
	c, err := newTracker(est, opt)
	if err != nil {
		return People{}, err
	}
	pic := Picture{Image: img}
	if err := c.scout.look(ctx, c.finder, 0, pic); err != nil {
		return People{}, err
	}
	if err := c.step(ctx, pic); err != nil {
		return People{}, err
	}
	c.choose(img.Bounds())
	return c.people(func(frames []keypoint.Frame) keypoint.Sequence {
		return keypoint.Sequence{Frames: frames, Size: img.Bounds().Size()}
	}), nil
}

// choose selects the person of interest, unless that is done.
func (c *tracker) choose(bounds image.Rectangle) {
	if c.chosen != nil && c.chosen.seen > 0 {
		return
	}
	people, of := c.candidates()
	if i := c.opt.Choose.Choose(bounds, people); i >= 0 {
		c.chosen = of[i]
	}
}

// people returns everybody. sequence makes a recording of the frames of all looks.
func (c *tracker) people(sequence func([]keypoint.Frame) keypoint.Sequence) (all People) {
	kept := slices.DeleteFunc(slices.Clone(c.tracks), func(t *track) bool { return t.seen == 0 }) // a duplicate
	importance := func(t *track) int {
		if t == c.chosen {
			return math.MaxInt
		}
		return t.seen
	}
	slices.SortStableFunc(kept, func(a, b *track) int { return cmp.Compare(importance(b), importance(a)) })
	if c.opt.MaxPeople > 0 && len(kept) > c.opt.MaxPeople {
		kept = kept[:c.opt.MaxPeople]
	}
	slices.SortFunc(kept, func(a, b *track) int { return cmp.Compare(a.id, b.id) })
	for _, t := range kept {
		frames := t.all(len(c.times))
		for i := range frames {
			frames[i] = withoutFeet(frames[i], c.opt.Feet)
		}
		p := Person{t.id, sequence(frames)}
		all.All = append(all.All, p)
		if t == c.chosen {
			all.Chosen = p
		}
	}
	if all.Chosen.Track == 0 {
		all.Chosen.Sequence = sequence(make([]keypoint.Frame, len(c.times)))
	}
	return all
}
