package inference

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"

	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/keypoint"
)

// maxInFlight bounds InFlight: extrapolating over more frames is unreliable, and Frames may not have the buffers.
const maxInFlight = 5

// patience is for how long Extract searches for a lost person in every look, seconds.
const patience = 1.0

// Extract estimates the person in every frame of a movie. The result has one Frame for each decoded frame, with its time in
// seconds; it is empty if the person is not visible. Keypoints lie in the picture: x is 0 to its width, y 0 to its height, in
// pixels, both ends included. Those that the Estimator puts outside are at the nearest point of the edge.
//
// Extract chooses the person once and then follows them, looking where their movement leads. If the person is lost,
// it waits 2 s for somebody of about the same size near the same place before it chooses someone else; it does not
// wait after a cut to another scene, or if the Estimator is not a Finder. The frames from which somebody else is
// followed, or after a cut anybody, are the PersonChanges of the result. Extract does not close frames.
//
// Until somebody comes, and when the person has been lost for 1 s, it searches only every fifth look and the first one of a scene.
// If somebody is there, it goes back to the look after the search before: who is there for less than five looks may be missed.
func Extract(ctx context.Context, frames Frames, est Estimator, opt ExtractOptions) (keypoint.Sequence, error) {
	x, err := newExtraction(frames, est, opt)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	if seconds, ok := opt.Choose.Watch(); ok {
		err = x.watch(ctx, seconds)
	}
	for err == nil {
		err = x.next(ctx)
	}
	if err == io.EOF {
		err = nil
		for err == nil && len(x.inFlight) > 0 {
			err = x.settle(ctx)
		}
	}
	x.drain()
	if err != nil {
		return keypoint.Sequence{}, err
	}
	if x.seq.Len() == 0 {
		return keypoint.Sequence{}, fmt.Errorf("%w: the movie has no frame", ErrFormat)
	}
	for i, f := range x.seq.Frames {
		x.seq.Frames[i] = withoutFeet(f, opt.Feet)
	}
	return x.whole(x.seq), nil
}

// extraction is a movie being extracted. Frames are counted by looks: those between do not exist for it.
// seq holds the final ones; those in flight follow.
type extraction struct {
	reader
	follower
	opt      ExtractOptions
	scout    *scout
	seq      keypoint.Sequence
	inFlight []*pending // oldest first
	held     []*pending // those after them, which have not been started
}

// pending is the estimate of one frame, computed by a goroutine.
type pending struct {
	picture Picture
	scene   int        // first frame of the scene
	from    trackState // what was known when it started
	done    chan struct{}
	frame   keypoint.Frame // frame and err are set when done is closed
	err     error
}

func newExtraction(frames Frames, est Estimator, opt ExtractOptions) (*extraction, error) {
	if opt.InFlight < 0 || opt.InFlight > maxInFlight {
		return nil, fmt.Errorf("%w option InFlight: %d, want 0 (default) to %d", keypoint.ErrInvalid, opt.InFlight, maxInFlight)
	}
	in, err := newReader(frames, opt.MaxFrames, opt.Rate)
	if err != nil {
		return nil, err
	}
	who, err := newFollower(est, opt.Choose)
	if err != nil {
		return nil, err
	}
	opt.InFlight = cmp.Or(opt.InFlight, 2)
	return &extraction{reader: in, follower: who, opt: opt, scout: opt.scout()}, nil
}

// watch tracks all people for so many seconds, and then adds the frames of the chosen one.
func (x *extraction) watch(ctx context.Context, seconds float64) error {
	c, err := newTracker(x.est, ExtractOptions{})
	if err != nil {
		return err
	}
	c.scout = x.scout
	var bounds image.Rectangle
	for len(c.times) == 0 || c.times[len(c.times)-1]-c.times[0] < seconds {
		if bounds, err = c.look(ctx, &x.reader, bounds); err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	for i, f := range c.chosenBy(x.choose, bounds) {
		x.add(f, c.times[i], 0, nil)
	}
	return err
}

// next waits until fewer than InFlight frames are in flight, reads a frame, and starts its estimate.
func (x *extraction) next(ctx context.Context) error {
	for len(x.inFlight) >= x.opt.InFlight || len(x.inFlight) > 0 && len(x.held) == 0 && x.deserted() {
		if err := x.settle(ctx); err != nil {
			return err
		}
	}
	if len(x.held) == 0 {
		if err := x.hold(ctx); err != nil || len(x.held) == 0 {
			return err
		}
	}
	l := x.held[0]
	x.held = x.held[1:]
	l.from = x.state(l.scene, x.seq.Len()-1-x.opt.InFlight, l.picture.Time)
	x.inFlight = append(x.inFlight, l)
	go func() {
		defer close(l.done)
		defer panics.Catch(&l.err)
		l.frame, l.err = x.estimate(ctx, l.picture, l.from)
	}()
	return nil
}

// deserted reports whether nobody has come yet, or the person has been lost for long, in the final frames. A person
// who stays is either searched for in every look or not at all.
func (x *extraction) deserted() bool {
	n := x.seq.Len()
	return n > 0 && (x.seen.look < 0 || !x.choose.Stay && x.seq.Times[n-1]-x.seen.time >= patience)
}

// hold reads the next frame. In a deserted movie, where none is in flight, it reads up to the next search.
// If that finds nobody, these frames are final.
func (x *extraction) hold(ctx context.Context) error {
	n, deserted := 1, x.deserted()
	if deserted {
		n = searchInterval
	}
	for scene := x.scene; len(x.held) < n && x.scene == scene; {
		pic, err := x.read()
		if err == io.EOF && len(x.held) > 0 {
			break
		}
		if err != nil {
			return err
		}
		x.held = append(x.held, &pending{picture: pic, scene: x.scene, done: make(chan struct{})})
		if err := x.scout.look(ctx, x.finder, x.latest(), pic); err != nil {
			return err
		}
	}
	if !deserted {
		return nil
	}
	last := x.held[len(x.held)-1]
	found, err := x.estimate(ctx, last.picture, x.state(last.scene, -1, last.picture.Time))
	if err != nil {
		return fmt.Errorf("frame %d: %w", x.latest(), err)
	}
	if found.Empty() {
		for _, l := range x.held {
			x.add(found, l.picture.Time, l.scene, nil)
			release(l.picture)
		}
		x.held = nil
	}
	return nil
}

// settle waits for the oldest frame in flight and makes it final. If its estimate does not
// continue the frame before, which was unknown when it started, it is estimated again.
func (x *extraction) settle(ctx context.Context) error {
	l := x.inFlight[0]
	x.inFlight = x.inFlight[1:]
	<-l.done
	defer release(l.picture)
	n := x.seq.Len()
	if l.err == nil && n > l.scene && x.opt.InFlight > 1 {
		before := &x.seq.Frames[n-1]
		blind := l.frame.Empty() && l.from.expected.Empty()
		was, okA := BoundsOf(before)
		now, okB := BoundsOf(&l.frame)
		if !before.Empty() && (blind || !l.frame.Empty() && !(okA && okB && was.Overlap(now) >= samePlace)) { // somebody else
			l.from = x.state(l.scene, n-2, l.picture.Time)
			l.frame, l.err = x.estimate(ctx, l.picture, l.from)
		}
	}
	if l.err != nil {
		return fmt.Errorf("frame %d: %w", x.looks[n], l.err)
	}
	x.add(l.frame, l.picture.Time, l.scene, l.from.memory)
	return nil
}

// add makes the next look final.
func (x *extraction) add(f keypoint.Frame, at float64, scene int, learnt *Memory) {
	f, changed := x.follower.add(f, at, scene, learnt)
	if changed {
		x.seq.PersonChanges = append(x.seq.PersonChanges, x.seq.Len())
	}
	x.seq.Frames = append(x.seq.Frames, f)
	x.seq.Times = append(x.seq.Times, at)
	x.tell(x.seq.Len() - 1)
	if x.opt.Progress != nil {
		x.opt.Progress(x.looks[x.seq.Len()-1]+1, x.frames.Info().Frames)
	}
}

// tell passes a look to OnFrame, and the frames between it and the look before.
func (x *extraction) tell(look int) {
	if x.opt.OnFrame == nil {
		return
	}
	between := 0
	if look > 0 {
		between = x.looks[look-1] + 1
	}
	for ; between < x.looks[look]; between++ {
		x.opt.OnFrame(between, keypoint.Frame{}, x.times[between])
	}
	x.opt.OnFrame(between, withoutFeet(x.seq.Frames[look], x.opt.Feet), x.seq.Times[look])
}

// drain waits for the frames still in flight after an error, and releases all.
func (x *extraction) drain() {
	x.close()
	for _, l := range x.inFlight {
		<-l.done
		release(l.picture)
	}
	for _, l := range x.held {
		release(l.picture)
	}
	x.inFlight, x.held = nil, nil
}

// ExtractImage estimates the person in a picture: a Sequence of one frame without times.
// Its keypoints lie in the picture, as those of Extract. Of the options, Choose, Feet and OnCandidates count.
func ExtractImage(ctx context.Context, img image.Image, est Estimator, opt ExtractOptions) (keypoint.Sequence, error) {
	if err := checkPicture(img); err != nil {
		return keypoint.Sequence{}, err
	}
	if est == nil {
		return keypoint.Sequence{}, missing("estimator")
	}
	if err := opt.Choose.Validate(); err != nil {
		return keypoint.Sequence{}, err
	}
	if err := opt.scout().look(ctx, finderOf(est), 0, Picture{Image: img}); err != nil {
		return keypoint.Sequence{}, err
	}
	f, err := estimate(ctx, est, img, Hint{Choose: opt.Choose})
	if err != nil {
		return keypoint.Sequence{}, err
	}
	return keypoint.Sequence{Frames: []keypoint.Frame{withoutFeet(f, opt.Feet)}, Size: img.Bounds().Size()}, nil
}
