package film_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/fair"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fakes"
)

// slow is a decoder of HEIC pictures that takes a while for each step.
type slow struct {
	fakes.Decoder
	probe, decode time.Duration
}

func (d slow) ProbeImage(ctx context.Context, r io.ReadSeeker) (image.Point, error) {
	if err := sleep(ctx, d.probe); err != nil {
		return image.Point{}, err
	}
	return d.Decoder.ProbeImage(ctx, r)
}

func (d slow) DecodeImage(ctx context.Context, r io.ReadSeeker, maxPixels int) (image.Image, error) {
	if err := sleep(ctx, d.decode); err != nil {
		return nil, err
	}
	return d.Decoder.DecodeImage(ctx, r, maxPixels)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func heic(w, h int) io.ReadSeeker {
	return bytes.NewReader(fakes.HEIC(image.NewRGBA(image.Rect(0, 0, w, h))))
}

// TestTime: the limit is on decoding, and on probing, but not on use.
func TestTime(t *testing.T) {
	const limit = 10 * time.Second
	for name, c := range map[string]struct {
		decode, use, ctx time.Duration
		limit            time.Duration
		want             error
	}{
		"fast enough":            {decode: 9 * time.Second, limit: limit},
		"too slow":               {decode: 11 * time.Second, limit: limit, want: inference.ErrTooSlow},
		"slow use":               {use: time.Minute, limit: limit},
		"no limit":               {decode: time.Hour},
		"the caller's deadline":  {decode: time.Minute, ctx: time.Second, limit: limit, want: context.DeadlineExceeded},
		"the caller's, no limit": {decode: time.Minute, ctx: time.Second, want: context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if c.ctx > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, c.ctx)
					defer cancel()
				}
				p := film.Images{Decoder: slow{probe: c.decode, decode: c.decode}, MaxTime: c.limit}
				used := false
				err := p.Use(ctx, heic(4, 3), func(image.Image) error {
					used = true
					return sleep(ctx, c.use)
				})
				if !errors.Is(err, c.want) || used != (c.want == nil) {
					t.Errorf("%v, used %v; want %v", err, used, c.want)
				}
				if _, err := p.Probe(ctx, heic(4, 3)); !errors.Is(err, c.want) {
					t.Errorf("Probe: %v, want %v", err, c.want)
				}
				if errors.Is(c.want, context.DeadlineExceeded) && errors.Is(err, inference.ErrTooSlow) {
					t.Errorf("%v: that is the caller's deadline", err)
				}
			})
		})
	}
}

// TestTimeTogether: the limit is on headers and pixels together.
func TestTimeTogether(t *testing.T) {
	data := testkit.SlowJPEG(image.Pt(64, 48), 1)
	reads := 0
	count := &sleeper{Reader: bytes.NewReader(data), reads: &reads}
	if _, err := inference.DecodeImage(t.Context(), nil, count, 0); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		const pause = time.Second
		limit := time.Duration(reads)*pause + pause/2
		r := &sleeper{bytes.NewReader(data), pause, &reads}
		p := film.Images{MaxTime: limit}
		if _, err := p.Probe(t.Context(), r); err != nil {
			t.Errorf("the headers alone: %v", err)
		}
		if err := p.Use(t.Context(), r, func(image.Image) error { return nil }); !errors.Is(err, inference.ErrTooSlow) {
			t.Errorf("headers and pixels: %v, want ErrTooSlow", err)
		}
		p.MaxTime *= 2
		if err := p.Use(t.Context(), r, func(image.Image) error { return nil }); err != nil {
			t.Errorf("within twice the time: %v", err)
		}
	})
}

// sleeper is a file that takes a while for each read.
type sleeper struct {
	*bytes.Reader
	pause time.Duration
	reads *int
}

func (s *sleeper) Read(p []byte) (int, error) {
	*s.reads++
	time.Sleep(s.pause)
	return s.Reader.Read(p)
}

// TestTurn: one large picture is in use at a time; small ones do not wait, and waiting ends with
// the context.
func TestTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := film.Images{MaxTime: time.Second, Turn: fair.New(1)}
		large := testkit.SlowJPEG(image.Pt(1600, 1400), 1)
		use := func(ctx context.Context, data []byte, f func()) error {
			return p.Use(ctx, bytes.NewReader(data), func(image.Image) error { f(); return nil })
		}
		first, second := make(chan error), make(chan error)
		begun := false
		go func() { first <- use(t.Context(), large, func() { time.Sleep(time.Minute) }) }()
		synctest.Wait()
		go func() { second <- use(t.Context(), large, func() { begun = true }) }()
		synctest.Wait()
		if begun {
			t.Error("two large pictures are in use")
		}
		if err := use(t.Context(), testkit.SlowJPEG(image.Pt(800, 600), 1), func() {}); err != nil {
			t.Errorf("a small picture: %v", err)
		}
		impatient, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, cancel)
		if err := use(impatient, large, func() { t.Error("used before its turn") }); !errors.Is(err, context.Canceled) {
			t.Errorf("the context ended while waiting: %v", err)
		}
		if err := <-first; err != nil {
			t.Errorf("the first: %v", err)
		}
		if err := <-second; err != nil || !begun { // it waited for longer than MaxTime
			t.Errorf("the second: %v, used %v", err, begun)
		}
		fault := errors.New("fault")
		if err := p.Use(t.Context(), bytes.NewReader(large), func(image.Image) error { return fault }); !errors.Is(err, fault) {
			t.Errorf("%v, want that of use", err)
		}
		if err := use(t.Context(), large, func() {}); err != nil {
			t.Errorf("after a fault: %v", err)
		}
	})
}
