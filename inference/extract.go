package inference

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/bodymotion/motion/keypoint"
)

// ExtractOptions say how a movie is run through an estimator. The zero value is
// ready to use.
type ExtractOptions struct {
	// MaxFrames is the strict limit of the number of frames; a movie that reaches it
	// gives ErrTooManyFrames. 0 or less means no limit.
	MaxFrames int
	// Choose decides who is analysed; nil means CentreFront. A Watcher needs an Estimator
	// that is a Finder.
	Choose Chooser
	// Candidates is in how many of the first frames everybody is looked for, for
	// OnCandidates: so that the movie can be extracted again for somebody else. 0 means in
	// none. It needs an Estimator that is a Finder.
	Candidates int
	// OnCandidates is called with the people in each of these frames, in their order.
	OnCandidates func(frame int, people []Candidate)
	// InFlight is how many frames are estimated at a time, 1 to 8; 0 means 2. With more
	// than one, the person is expected where they move to from as many frames before. The
	// result depends on this number, and on nothing else of the machine.
	InFlight int
	// Memory is for how many seconds somebody who is lost is waited for, within reach of
	// the place and in about the same size, before somebody else is chosen; 0 means 0.5,
	// −1 not to wait. After a cut to another scene nobody is waited for. Estimators that are no
	// Finder do not wait.
	Memory float64
	// Progress is called after each frame with the number of frames done and the
	// number the movie's headers promise (0 where they do not tell).
	Progress func(done, total int)
}

// maxInFlight bounds InFlight: farther ahead nothing tells where a person is.
const maxInFlight = 8

// Extract estimates the person in every frame of a movie. The result has one frame for each
// decoded one, with its time in seconds; a frame in which the person is not seen is empty.
//
// The person is chosen once and then followed: each frame is looked at where the person is
// expected by the movement so far. Somebody who is lost is looked for again, and whoever is
// chosen then is followed. Extract does not close frames.
func Extract(ctx context.Context, frames Frames, est Estimator, opt ExtractOptions) (keypoint.Sequence, error) {
	x, err := newExtraction(frames, est, opt)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	if w, ok := opt.Choose.(Watcher); ok {
		err = x.watch(ctx, w)
	}
	for err == nil {
		err = x.next(ctx)
	}
	if err == io.EOF {
		err = nil
		for err == nil && len(x.underWay) > 0 {
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
	x.seq.Size = x.size
	return x.seq, nil
}

// extraction is a movie on its way through an estimator. The frames whose estimates are
// final are in seq, those under way come after them.
type extraction struct {
	reader
	est      Estimator
	finder   Finder // nil where est is none
	opt      ExtractOptions
	seq      keypoint.Sequence
	underWay []*look // oldest first
}

// look is the estimate of one frame, computed by a goroutine.
type look struct {
	picture Picture
	scene   int       // first frame of the scene
	from    situation // what was known when it was started
	done    chan struct{}
	frame   keypoint.Frame // these two are there when done is closed
	err     error
}

func newExtraction(frames Frames, est Estimator, opt ExtractOptions) (*extraction, error) {
	if opt.InFlight < 0 || opt.InFlight > maxInFlight {
		return nil, fmt.Errorf("%w option InFlight: %d, want 0 (default) to %d", keypoint.ErrInvalid, opt.InFlight, maxInFlight)
	}
	if opt.InFlight == 0 {
		opt.InFlight = 2
	}
	switch {
	case opt.Memory == 0:
		opt.Memory = 0.5
	case opt.Memory < 0:
		opt.Memory = 0
	}
	finder, _ := FinderOf(est)
	return &extraction{reader: reader{frames: frames, max: opt.MaxFrames}, est: est, finder: finder, opt: opt}, nil
}

// next reads a frame, makes room among those under way, and starts to look at it.
func (x *extraction) next(ctx context.Context) error {
	pic, err := x.read()
	if err != nil {
		return err
	}
	for len(x.underWay) >= x.opt.InFlight {
		if err := x.settle(ctx); err != nil {
			release(pic)
			return err
		}
	}
	if err := x.candidates(ctx, pic); err != nil {
		release(pic)
		return err
	}
	l := &look{picture: pic, scene: x.scene, done: make(chan struct{})}
	l.from = x.situation(l.scene, x.seq.Len()-1-x.opt.InFlight, pic.Time)
	x.underWay = append(x.underWay, l)
	go func() {
		defer close(l.done)
		l.frame, l.err = x.look(ctx, pic, l.from)
	}()
	return nil
}

// candidates looks for everybody in one of the first frames.
func (x *extraction) candidates(ctx context.Context, pic Picture) error {
	frame := x.n - 1
	if frame >= x.opt.Candidates || x.opt.OnCandidates == nil {
		return nil
	}
	if x.finder == nil {
		return ErrNoFinder
	}
	people, err := x.finder.Find(ctx, pic.Image)
	if err != nil {
		return fmt.Errorf("frame %d: %w", frame, err)
	}
	x.opt.OnCandidates(frame, people)
	return nil
}

// settle waits for the oldest frame under way and makes it final. A frame that does not
// continue the one before, which was not known when it was started, is looked at again.
func (x *extraction) settle(ctx context.Context) error {
	l := x.underWay[0]
	x.underWay = x.underWay[1:]
	<-l.done
	defer release(l.picture)
	n := x.seq.Len()
	if l.err == nil && n > l.scene && x.opt.InFlight > 1 {
		before := &x.seq.Frames[n-1]
		blind := l.frame.Empty() && l.from.expected.Empty()
		if !before.Empty() && (blind || !l.frame.Empty() && !continues(before, &l.frame)) {
			l.frame, l.err = x.look(ctx, l.picture, x.situation(l.scene, n-2, l.picture.Time))
		}
	}
	if l.err != nil {
		return fmt.Errorf("frame %d: %w", n, l.err)
	}
	x.add(l.frame, l.picture.Time)
	return nil
}

func (x *extraction) add(f keypoint.Frame, at float64) {
	x.seq.Frames = append(x.seq.Frames, f)
	x.seq.Times = append(x.seq.Times, at)
	if x.opt.Progress != nil {
		x.opt.Progress(x.seq.Len(), x.frames.Info().Frames)
	}
}

// drain waits for what is still under way after an error.
func (x *extraction) drain() {
	for _, l := range x.underWay {
		<-l.done
		release(l.picture)
	}
	x.underWay = nil
}

func release(p Picture) {
	if p.Release != nil {
		p.Release()
	}
}

// ExtractImage estimates the person in a still picture: a Sequence of one frame
// without times. choose decides who it is; nil means CentreFront.
func ExtractImage(ctx context.Context, img image.Image, est Estimator, choose Chooser) (keypoint.Sequence, error) {
	if img == nil || img.Bounds().Empty() {
		return keypoint.Sequence{}, errors.New("the picture has no pixels")
	}
	f, err := est.Estimate(ctx, img, Hint{Choose: choose})
	if err != nil {
		return keypoint.Sequence{}, err
	}
	return keypoint.Sequence{Frames: []keypoint.Frame{f}, Size: img.Bounds().Size()}, nil
}
