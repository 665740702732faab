package live_test

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/keypoint"
)

// camera gives n pictures at a rate, as one that cannot wait.
type camera struct {
	ctx    context.Context
	n      int
	rate   float64
	start  time.Time
	at     int
	out    atomic.Int64 // pictures that were not released
	closed bool
	err    error // after the last picture
}

func (c *camera) open(ctx context.Context) (inference.Frames, error) {
	c.ctx, c.start = ctx, time.Now()
	return c, nil
}

func (c *camera) Info() inference.Info { return inference.Info{} }

func (c *camera) Next() (inference.Picture, error) {
	if c.at == c.n {
		return inference.Picture{}, c.err
	}
	seconds := float64(c.at) / c.rate
	select {
	case <-time.After(time.Until(c.start.Add(time.Duration(seconds * 1e9)))):
	case <-c.ctx.Done():
		return inference.Picture{}, c.ctx.Err()
	}
	c.at++
	c.out.Add(1)
	return inference.Picture{Image: picture(c.at - 1), Time: seconds, Release: func() { c.out.Add(-1) }}, nil
}

func (c *camera) Close() error {
	c.closed = true
	return nil
}

// slow is an Estimator that takes its time.
func slow(d time.Duration) seen {
	return func(int) (f keypoint.Frame) {
		time.Sleep(d)
		return f
	}
}

// TestNewestWins: pictures that come faster than they can be looked at are dropped, and counted; the answers do
// not fall behind.
func TestNewestWins(t *testing.T) {
	for rate, dropping := range map[float64]bool{30: false, 120: true} {
		synctest.Test(t, func(t *testing.T) {
			const takes = 30 * time.Millisecond
			c := &camera{n: int(10 * rate), rate: rate, err: io.EOF}
			s := session(t, slow(takes), live.Options{})
			looks, dropped := 0, 0
			for u, err := range s.Watch(t.Context(), c.open) {
				if err != nil {
					t.Fatal(err)
				}
				looks, dropped = looks+1, dropped+u.Dropped
				if late := time.Since(c.start) - time.Duration(u.Time*1e9); late > 2*takes {
					t.Fatalf("at %v/s, the answer to picture %d comes after %v", rate, u.Number, late)
				}
			}
			if looks+dropped != c.n || dropping != (dropped > 0) || dropping && looks < 10*30 {
				t.Errorf("at %v/s: %d looks and %d dropped of %d pictures", rate, looks, dropped, c.n)
			}
			if !c.closed || c.out.Load() != 0 {
				t.Errorf("closed %v, %d pictures are left", c.closed, c.out.Load())
			}
		})
	}
}

// TestFirstLook: two pictures wait while the first one is looked at, which takes longer.
func TestFirstLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &camera{n: 30, rate: 30, err: io.EOF}
		est := seen(func(number int) (f keypoint.Frame) {
			time.Sleep(10 * time.Millisecond)
			if number == 0 {
				time.Sleep(75 * time.Millisecond)
			}
			return f
		})
		looks := 0
		for u, err := range session(t, est, live.Options{}).Watch(t.Context(), c.open) {
			if looks++; err != nil || u.Dropped > 0 {
				t.Fatalf("%d are dropped before picture %d (%v)", u.Dropped, u.Number, err)
			}
		}
		if looks != c.n || c.out.Load() != 0 {
			t.Errorf("%d looks at %d pictures, %d are left", looks, c.n, c.out.Load())
		}
	})
}

// TestWatchEnds: however the loop ends, the source is closed and its pictures are released.
func TestWatchEnds(t *testing.T) {
	torn := errors.New("torn")
	for name, c := range map[string]struct {
		err   error
		leave bool
		want  error
	}{
		"break": {torn, true, nil},
		"error": {torn, false, torn},
		"ctx":   {nil, false, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, end := context.WithCancel(t.Context())
				defer end()
				source := &camera{n: 5, rate: 10, err: c.err}
				if c.err == nil {
					source.n = 1e9
				}
				var last error
				looks := 0
				s := session(t, slow(time.Millisecond), live.Options{})
				for _, err := range s.Watch(ctx, source.open) {
					if last = err; err != nil {
						continue // Watch itself ends
					}
					if looks++; looks == 3 && c.leave {
						break
					}
					if looks == 3 && c.err == nil {
						end()
					}
				}
				if !errors.Is(last, c.want) || !source.closed || source.out.Load() != 0 {
					t.Errorf("%v, closed %v, %d pictures are left", last, source.closed, source.out.Load())
				}
			})
		})
	}
}

// first returns the first answer of a source.
func first(t *testing.T, source live.Source) (u live.Update, err error) {
	for u, err = range session(t, slow(0), live.Options{}).Watch(t.Context(), source) {
		break
	}
	return u, err
}

func TestSourceErrors(t *testing.T) {
	torn := errors.New("torn")
	if _, err := first(t, live.Pictures(func(context.Context) (inference.Picture, error) { panic("unplugged") })); err == nil || err.Error() != "panic: unplugged" {
		t.Errorf("a panic of the callback: %v", err)
	}
	for name, c := range map[string]struct {
		source live.Source
		want   error
	}{
		"no source":   {nil, keypoint.ErrInvalid},
		"no callback": {live.Pictures(nil), keypoint.ErrInvalid},
		"not opened":  {func(context.Context) (inference.Frames, error) { return nil, torn }, torn},
		"callback":    {live.Pictures(func(context.Context) (inference.Picture, error) { return inference.Picture{}, torn }), torn},
	} {
		if _, err := first(t, c.source); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := first(t, live.Pictures(func(context.Context) (inference.Picture, error) { return inference.Picture{}, nil })); err == nil {
		t.Error("a picture without an image is no error")
	}
}

// TestLeft: a loop that is left does not wait for a picture.
func TestLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range session(t, slow(0), live.Options{}).Watch(t.Context(), live.Pictures(func(ctx context.Context) (inference.Picture, error) {
			if ctx.Err() == nil {
				return inference.Picture{Image: picture(0)}, nil
			}
			return inference.Picture{}, ctx.Err()
		})) {
			break
		}
	})
}
