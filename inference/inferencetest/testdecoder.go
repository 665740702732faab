package inferencetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
)

// Media is the content that TestDecoder decodes. The default is what Decoder reads.
type Media struct {
	Movie  []byte // more frames than the Decoder has buffers; half of the content is a damaged movie
	Frames int    // of Movie
	Image  []byte // for TestImageDecoder; nil: not tested
}

func (m Media) withDefaults() Media {
	if m.Movie == nil {
		var pictures []image.Image
		for i := range 100 {
			pictures = append(pictures, Picture(image.Pt(64, 48), image.Rect(i/2, 10, i/2+10, 40)))
		}
		m = Media{Movie(25, pictures...), len(pictures), HEIC(pictures[0])}
	}
	return m
}

// Recorded returns a movie of 100 frames that e writes, for the test of a Decoder that reads its format.
func Recorded(t testing.TB, e draw.Encoder) Media {
	t.Helper()
	path := filepath.Join(t.TempDir(), "movie.mp4")
	w, err := e.Create(t.Context(), path, draw.Movie{Size: image.Pt(64, 48), FrameRate: 25})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	m := Media{Frames: 100}
	for i := range m.Frames {
		if err := w.Write(Picture(image.Pt(64, 48), image.Rect(i/2, 10, i/2+10, 40)), float64(i)/25); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if m.Movie, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return m
}

// content is a reader that notes whether it was closed.
type content struct {
	*bytes.Reader
	closed bool
}

func (c *content) Close() error {
	c.closed = true
	return nil
}

// reader returns a reader of content. It does not stand at the start.
func reader(b []byte) *content {
	r := bytes.NewReader(b)
	r.Seek(int64(len(b)/2), io.SeekStart)
	return &content{Reader: r}
}

// TestDecoder tests the promises of inference.Decoder and inference.Frames.
func TestDecoder(t *testing.T, d inference.Decoder, media Media) {
	media = media.withDefaults()
	info, err := d.Probe(t.Context(), reader(media.Movie))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("headers", func(t *testing.T) {
		check := leaks(t)
		r := reader(media.Movie)
		again, err := d.Probe(t.Context(), r)
		if err != nil || again != info {
			t.Errorf("Probe: %+v (%v), before: %+v", again, err, info)
		}
		check()
		if info.Size.X <= 0 || info.Size.Y <= 0 || info.Frames != 0 && info.Frames != media.Frames || !(info.FrameRate >= 0) || !(info.Duration >= 0) {
			t.Errorf("Probe: %+v, want %d frames", info, media.Frames)
		}
		m, err := d.Open(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if m.Info() != info {
			t.Errorf("Info: %+v, Probe: %+v", m.Info(), info)
		}
		closeFrames(t, m)
		if r.closed {
			t.Error("the reader was closed")
		}
	})
	t.Run("Frames", func(t *testing.T) {
		TestFrames(t, func(ctx context.Context) (inference.Frames, error) { return d.Open(ctx, reader(media.Movie)) }, media.Frames)
	})
	t.Run("not a movie", func(t *testing.T) { notMovies(t, d, media) })
	t.Run("context", func(t *testing.T) {
		check := leaks(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := d.Probe(ctx, reader(media.Movie)); !errors.Is(err, context.Canceled) {
			t.Errorf("Probe: %v", err)
		}
		m, err := d.Open(ctx, reader(media.Movie))
		if err == nil {
			_, err = m.Next()
			closeFrames(t, m)
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Open: %v", err)
		}
		check()
	})
	t.Run("concurrency", func(t *testing.T) {
		var work sync.WaitGroup
		for range 3 {
			work.Go(func() {
				m, err := d.Open(t.Context(), reader(media.Movie))
				if err != nil {
					t.Error(err)
					return
				}
				defer m.Close()
				for n := 0; ; n++ {
					p, err := m.Next()
					if err == io.EOF && n == media.Frames {
						return
					}
					if err != nil {
						t.Errorf("frame %d: %v", n, err)
						return
					}
					release(p)
				}
			})
		}
		work.Wait()
	})
	if media.Image != nil {
		t.Run("ImageDecoder", func(t *testing.T) { TestImageDecoder(t, d, media.Image) })
	}
}

// notMovies tests content that cannot be decoded.
func notMovies(t *testing.T, d inference.Decoder, media Media) {
	check := leaks(t)
	for name, b := range map[string][]byte{
		"nothing": {}, "text": []byte("This is not a movie.\n"), "zeros": make([]byte, 10_000),
		"the start of a movie": media.Movie[:min(len(media.Movie), 20)],
	} {
		if _, err := d.Probe(t.Context(), reader(b)); !errors.Is(err, inference.ErrFormat) {
			t.Errorf("Probe of %s: %v, want ErrFormat", name, err)
		}
		if _, err := d.Open(t.Context(), reader(b)); !errors.Is(err, inference.ErrFormat) {
			t.Errorf("Open of %s: %v, want ErrFormat", name, err)
		}
	}
	check()
	m, err := d.Open(t.Context(), reader(media.Movie[:len(media.Movie)/2]))
	n := 0
	for ; err == nil; n++ {
		var p inference.Picture
		if p, err = m.Next(); err == nil {
			release(p)
		}
	}
	if err == io.EOF && m.Info().Damage == "" {
		t.Errorf("half a movie ends like a whole one, after %d frames", n-1)
	}
	if m != nil {
		if _, again := m.Next(); fmt.Sprint(again) != fmt.Sprint(err) {
			t.Errorf("Next after the error %v: %v", err, again)
		}
		closeFrames(t, m)
	}
	check()
}

// TestImageDecoder tests the promises of inference.ImageDecoder: d is one or wraps one, and picture is the content of a HEIC or AVIF file.
func TestImageDecoder(t *testing.T, d inference.Decoder, picture []byte) {
	check := leaks(t)
	size, err := inference.ProbeImage(t.Context(), d, reader(picture))
	if err != nil {
		t.Fatal(err)
	}
	r := reader(picture)
	img, err := inference.DecodeImage(t.Context(), d, r, size.X*size.Y+1)
	if err != nil || img.Bounds() != (image.Rectangle{Max: size}) {
		t.Fatalf("DecodeImage: %v, want %v (%v)", img.Bounds(), size, err)
	}
	if r.closed {
		t.Error("the reader was closed")
	}
	if _, err := inference.DecodeImage(t.Context(), d, reader(picture), size.X*size.Y); !errors.Is(err, inference.ErrTooManyPixels) {
		t.Errorf("a picture as large as the limit: %v, want ErrTooManyPixels", err)
	}
	damaged := picture[:min(len(picture)/2, 100)]
	if _, err := inference.DecodeImage(t.Context(), d, reader(damaged), 0); !errors.Is(err, inference.ErrFormat) {
		t.Errorf("half a picture: %v, want ErrFormat", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := inference.DecodeImage(ctx, d, reader(picture), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
	check()
}
