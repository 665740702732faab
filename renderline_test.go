package motion_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/storage"
)

// fakeMovie is a decoder and an encoder without a program behind them.
type fakeMovie struct {
	size    image.Point
	frames  int
	picture func(i int) image.Image // nil: buffers as of the decoder in inference/ffmpeg
	write   func(i int, img image.Image, t float64) error

	opened, out, made atomic.Int64 // decodings; pictures that are out; buffers made
	aborted           atomic.Int64
}

func (m *fakeMovie) Probe(context.Context, io.ReadSeeker) (inference.Info, error) {
	return inference.Info{Size: m.size, Frames: m.frames, FrameRate: 25, Duration: float64(m.frames) / 25}, nil
}

func (m *fakeMovie) Open(ctx context.Context, _ io.ReadSeeker) (inference.Frames, error) {
	m.opened.Add(1)
	f := &fakeFrames{m: m, ctx: ctx, free: make(chan *yuv.Image, 3)}
	for range cap(f.free) {
		f.free <- nil
	}
	return f, nil
}

type fakeFrames struct {
	m    *fakeMovie
	ctx  context.Context
	free chan *yuv.Image
	next int
}

func (f *fakeFrames) Info() inference.Info {
	info, _ := f.m.Probe(f.ctx, nil)
	return info
}

func (f *fakeFrames) Next() (inference.Picture, error) {
	if f.next == f.m.frames {
		return inference.Picture{}, io.EOF
	}
	pic := inference.Picture{Time: float64(f.next) / 25}
	f.next++
	if f.m.picture != nil {
		pic.Image = f.m.picture(f.next - 1)
		return pic, nil
	}
	b := <-f.free
	if b == nil {
		f.m.made.Add(1)
		b = yuv.New(f.m.size)
	}
	b.Fill(color.RGBA{uint8(f.next), 100, 100, 255})
	f.m.out.Add(1)
	pic.Image = b
	pic.Release = sync.OnceFunc(func() { f.m.out.Add(-1); f.free <- b })
	return pic, nil
}

func (f *fakeFrames) Close() error { return nil }

func (m *fakeMovie) Create(context.Context, string, draw.Movie) (draw.MovieWriter, error) {
	return &fakeWriter{m: m}, nil
}

type fakeWriter struct {
	m *fakeMovie
	n int
}

func (w *fakeWriter) Write(img image.Image, t float64) error {
	w.n++
	return w.m.write(w.n-1, img, t)
}

func (w *fakeWriter) Close() error { return errors.New("nothing was kept") }
func (w *fakeWriter) Abort()       { w.m.aborted.Add(1) }

// drawFake finds the keypoints of a fake movie, lets change spoil it, draws it and
// returns how the drawing ended. What it fails with is in the log.
func drawFake(t *testing.T, m *fakeMovie, change func(), background string) (log string) {
	t.Helper()
	var said strings.Builder
	s := newParts().service(t, func(c *motion.Config) {
		c.Decoder, c.Encoder, c.MaxAttempts, c.Logger = m, m, 1, textLog(&said)
	})
	stop := run(t, s)
	e := extractMovie(t, s, []byte("a movie, says the decoder"))
	change()
	m.opened.Store(0)
	req := motion.DrawRequest{KeypointID: e.ID}
	if background != "" {
		req.Background = []byte(background)
	}
	d, err := s.Draw(t.Context(), owner, req)
	if err != nil {
		t.Fatal(err)
	}
	wait(t, s, storage.Drawings, d.ID, storage.Failure)
	stop()
	return said.String()
}

// TestFramesInFlight: frames come to the encoder in their order with their times, however
// long each takes to be drawn; no more of them are decoded than there are buffers; and
// each is given back.
func TestFramesInFlight(t *testing.T) {
	const n = 100
	at := func(i int) float64 { return float64(i) / 25 }
	for name, background := range map[string]string{"annotated": "", "skeletonOnly": `{"skeletonOnly":true}`} {
		t.Run(name, func(t *testing.T) {
			m := &fakeMovie{size: image.Pt(61, 47), frames: n}
			var got []float64
			m.write = func(i int, img image.Image, sec float64) error {
				got = append(got, sec)
				p, ok := img.(*draw.YUV)
				if !ok || p.Size != m.size {
					t.Errorf("frame %d is a %T of %v", i, img, img.Bounds().Size())
				}
				c := p.At(0, 46).(color.RGBA)
				if want, got := i+1, int(c.R); background == "" && (got < want-3 || got > want+3) {
					t.Errorf("frame %d shows %v, want a red of %d", i, c, want)
				}
				return nil
			}
			log := drawFake(t, m, func() {}, background)
			if !strings.Contains(log, "nothing was kept") {
				t.Errorf("the drawing ended otherwise: %s", log)
			}
			if len(got) != n || !slices.IsSorted(got) || got[n-1] != at(n-1) {
				t.Errorf("%d frames at %v", len(got), got)
			}
			if m.out.Load() != 0 || m.aborted.Load() != 1 {
				t.Errorf("%d pictures are still out; aborted %d times", m.out.Load(), m.aborted.Load())
			}
			if opened := m.opened.Load(); (opened == 0) != (background != "") {
				t.Errorf("the movie was decoded %d times", opened)
			}
		})
	}
}

// TestBrokenLines: an error anywhere ends the drawing, and every picture is given back.
func TestBrokenLines(t *testing.T) {
	fine := func(int, image.Image, float64) error { return nil }
	for name, c := range map[string]struct {
		change func(m *fakeMovie)
		want   string
	}{
		"fewer frames": {func(m *fakeMovie) { m.frames = 9 }, "has 9 frames now, its keypoints are of 40"},
		"more frames":  {func(m *fakeMovie) { m.frames = 41 }, "more than the 40 frames"},
		"another size": {func(m *fakeMovie) { m.size = image.Pt(8, 8) }, "(8,8) pixels large"},
		"a full disk":  {func(m *fakeMovie) { m.write = func(int, image.Image, float64) error { return errors.New("full") } }, "full"},
		"a panic":      {func(m *fakeMovie) { m.write = func(int, image.Image, float64) error { panic("oh") } }, "panic: oh"},
		"foreign images": {func(m *fakeMovie) {
			m.picture = func(int) image.Image { return image.NewGray(image.Rectangle{Max: m.size}) }
		}, "nothing was kept"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &fakeMovie{size: image.Pt(40, 30), frames: 40, write: fine}
			log := drawFake(t, m, func() { c.change(m) }, "")
			if !strings.Contains(log, c.want) {
				t.Errorf("the log has no %q: %s", c.want, log)
			}
			if m.out.Load() != 0 || m.aborted.Load() != 1 {
				t.Errorf("%d pictures are still out; aborted %d times", m.out.Load(), m.aborted.Load())
			}
		})
	}
}

// TestForeignPicturesStay: pictures of a decoder that may share them are not drawn onto.
func TestForeignPicturesStay(t *testing.T) {
	shared := image.NewYCbCr(image.Rect(0, 0, 40, 30), image.YCbCrSubsampleRatio420)
	m := &fakeMovie{size: image.Pt(40, 30), frames: 5, picture: func(int) image.Image { return shared }}
	written := 0
	m.write = func(int, image.Image, float64) error { written++; return nil }
	drawFake(t, m, func() {}, "")
	if slices.Max(shared.Y) != 0 || written != 5 {
		t.Errorf("%d frames were written, and the shared picture was drawn onto up to %d", written, slices.Max(shared.Y))
	}
}

// TestDrawnMovieMemory: 1,800 frames of 1080p need no more than a few pictures.
func TestDrawnMovieMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 1,800 frames, not run with -short")
	}
	for name, background := range map[string]string{"annotated": "", "skeletonOnly": `{"skeletonOnly":true}`} {
		t.Run(name, func(t *testing.T) {
			m := &fakeMovie{size: image.Pt(1920, 1080), frames: 1799}
			var most uint64
			m.write = func(i int, _ image.Image, _ float64) error {
				if i%100 == 99 {
					var mem runtime.MemStats
					runtime.ReadMemStats(&mem)
					most = max(most, mem.Sys-mem.HeapReleased)
				}
				return nil
			}
			drawFake(t, m, func() {}, background)
			if most == 0 || most > 300<<20 {
				t.Errorf("the process held %d MB, want at most 300", most>>20)
			}
			t.Logf("%d MB", most>>20)
		})
	}
}
