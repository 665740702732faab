package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/keypoint"
)

// Source starts the pictures of a camera or the like. Watch reads them without pause, ends ctx if it needs no more, and closes
// them. Info of the Frames may be zero. The method Open of an ffmpeg.Live is a Source.
type Source func(ctx context.Context) (inference.Frames, error)

// Pictures is a Source that calls next for each picture. io.EOF ends the pictures. next must return soon after ctx ends.
func Pictures(next func(ctx context.Context) (inference.Picture, error)) Source {
	return func(ctx context.Context) (inference.Frames, error) {
		if next == nil {
			return nil, fmt.Errorf("%w callback: it is nil", keypoint.ErrInvalid)
		}
		return called{ctx, next}, nil
	}
}

// called are the pictures of a callback.
type called struct {
	ctx  context.Context
	next func(ctx context.Context) (inference.Picture, error)
}

func (c called) Info() inference.Info { return inference.Info{} }

func (c called) Next() (inference.Picture, error) {
	if err := c.ctx.Err(); err != nil {
		return inference.Picture{}, err
	}
	return c.next(c.ctx)
}

func (c called) Close() error { return nil }

// Watch looks at the newest picture of a Source, again and again, until the pictures end: an
// iter.Seq2[Update, error] for range. An error ends it: that of the Source, of Next, or of ctx. Leaving the
// loop closes the Source. Times go on from picture to picture, so that a Session watches one Source.
func (s *Session) Watch(ctx context.Context, source Source) func(yield func(Update, error) bool) {
	return func(yield func(Update, error) bool) {
		if source == nil {
			yield(Update{}, fmt.Errorf("%w source: it is nil", keypoint.ErrInvalid))
			return
		}
		inner, end := context.WithCancel(ctx)
		defer end()
		frames, err := source(inner)
		if err != nil {
			yield(Update{}, err)
			return
		}
		n := read(frames)
		defer func() {
			end()
			n.close()
		}()
		for {
			pic, dropped, err := n.next(ctx)
			if err == io.EOF {
				return
			}
			var u Update
			if err == nil {
				u, err = s.Next(ctx, pic.Image, pic.Time)
				release(pic)
			}
			if u.Dropped = dropped; !yield(u, err) || err != nil {
				return
			}
		}
	}
}

// newest has the newest picture of a source. A goroutine reads without pause.
type newest struct {
	frames inference.Frames
	done   chan struct{} // closed when the goroutine has ended
	change chan struct{} // holds one if something has come

	mu      sync.Mutex
	looks   int                 // pictures that were taken
	waiting []inference.Picture // the newest one is the last
	dropped int                 // since the latest one was taken
	err     error               // that has ended the pictures
}

func read(frames inference.Frames) *newest {
	n := &newest{frames: frames, done: make(chan struct{}), change: make(chan struct{}, 1)}
	go func() {
		defer close(n.done)
		next := func() (pic inference.Picture, err error) {
			defer panics.Catch(&err)
			return frames.Next()
		}
		for n.put(next()) {
		}
	}()
	return n
}

// put replaces the newest picture; it reports whether more may follow. During the first look, which takes longer because
// it has to find somebody, a second one may wait.
func (n *newest) put(pic inference.Picture, err error) bool {
	if err == nil && pic.Image == nil {
		err = errors.New("the source gives a picture without an image")
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	k := len(n.waiting)
	switch {
	case err != nil:
		n.err = err
	case k == 0 || k == 1 && n.looks == 1:
		n.waiting = append(n.waiting, pic)
	default:
		release(n.waiting[k-1])
		n.dropped++
		n.waiting[k-1] = pic
	}
	select {
	case n.change <- struct{}{}:
	default:
	}
	return err == nil
}

// next waits for a picture, and returns how many were dropped before it.
func (n *newest) next(ctx context.Context) (pic inference.Picture, dropped int, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return pic, 0, err
		}
		n.mu.Lock()
		if len(n.waiting) > 0 {
			pic, n.waiting = n.waiting[0], n.waiting[1:]
			dropped, n.dropped = n.dropped, 0
			n.looks++
		} else {
			err = n.err
		}
		n.mu.Unlock()
		if pic.Image != nil || err != nil {
			return pic, dropped, err
		}
		select {
		case <-n.change:
		case <-ctx.Done():
		}
	}
}

// close waits for the goroutine, whose source has been ended, and closes the source.
func (n *newest) close() {
	<-n.done
	for _, pic := range n.waiting {
		release(pic)
	}
	n.frames.Close()
}

func release(p inference.Picture) {
	if p.Release != nil {
		p.Release()
	}
}
