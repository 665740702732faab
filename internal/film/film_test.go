package film_test

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

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// fakeMovie is a decoder and an encoder without a program behind them.
type fakeMovie struct {
	size    image.Point
	frames  int
	picture func(i int) image.Image // nil: buffers as of the decoder in inference/ffmpeg
	write   func(i int, img image.Image, t float64) error

	opened, out, made atomic.Int64 // decodings; pictures that are out; buffers made
	closed            atomic.Int64
	created, aborted  atomic.Int64
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

func (f *fakeFrames) Close() error { f.m.closed.Add(1); return nil }

func (m *fakeMovie) Create(context.Context, string, draw.Movie) (draw.MovieWriter, error) {
	m.created.Add(1)
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

// keypoints are those of a movie: somebody who stands still.
func keypoints(size image.Point, frames int) keypoint.Sequence {
	seq := keypoint.Sequence{Size: size, Frames: make([]keypoint.Frame, frames), Times: make([]float64, frames)}
	for i := range frames {
		for p, at := range map[keypoint.Part]keypoint.Point{
			keypoint.Nose:         {0.5, 0.1},
			keypoint.LeftShoulder: {0.6, 0.3}, keypoint.RightShoulder: {0.4, 0.3},
			keypoint.LeftHip: {0.55, 0.6}, keypoint.RightHip: {0.45, 0.6},
		} {
			seq.Frames[i].Set(p, keypoint.Point{at[0] * float64(size.X), at[1] * float64(size.Y)}, 0.9)
		}
		seq.Times[i] = float64(i) / 25
	}
	return seq
}

// drawFake draws a fake movie by keypoints of another one and returns how it ended.
func drawFake(t *testing.T, m *fakeMovie, seq keypoint.Sequence, background draw.Background) error {
	t.Helper()
	style, err := draw.Compile(nil, background, false)
	if err != nil {
		t.Fatal(err)
	}
	f := film.Film{
		Keypoints: seq, Style: style,
		Create: func() (draw.MovieWriter, error) { return m.Create(t.Context(), "", draw.Movie{}) },
	}
	if !background.SkeletonOnly {
		f.Open = func() (inference.Frames, error) { return m.Open(t.Context(), nil) }
	}
	return f.Draw(t.Context())
}

var backgrounds = map[string]draw.Background{"annotated": {}, "skeletonOnly": {SkeletonOnly: true}}

// TestFramesInFlight: frames come to the encoder in their order with their times, however
// long each takes to be drawn; no more of them are decoded than there are buffers; and
// each is given back.
func TestFramesInFlight(t *testing.T) {
	const n = 100
	at := func(i int) float64 { return float64(i) / 25 }
	for name, background := range backgrounds {
		t.Run(name, func(t *testing.T) {
			m := &fakeMovie{size: image.Pt(61, 47), frames: n}
			var got []float64
			m.write = func(i int, img image.Image, sec float64) error {
				got = append(got, sec)
				p, ok := img.(*yuv.Image)
				if !ok || p.Size != m.size {
					t.Errorf("frame %d is a %T of %v", i, img, img.Bounds().Size())
				}
				c := p.At(0, 46).(color.RGBA)
				if want, got := i+1, int(c.R); !background.SkeletonOnly && (got < want-3 || got > want+3) {
					t.Errorf("frame %d shows %v, want a red of %d", i, c, want)
				}
				return nil
			}
			if err := drawFake(t, m, keypoints(m.size, n), background); err == nil || err.Error() != "nothing was kept" {
				t.Errorf("the drawing ended otherwise: %v", err)
			}
			if len(got) != n || !slices.IsSorted(got) || got[n-1] != at(n-1) {
				t.Errorf("%d frames at %v", len(got), got)
			}
			if m.out.Load() != 0 || m.aborted.Load() != 1 {
				t.Errorf("%d pictures are still out; aborted %d times", m.out.Load(), m.aborted.Load())
			}
			if opened := m.opened.Load(); (opened == 0) != background.SkeletonOnly {
				t.Errorf("the movie was decoded %d times", opened)
			}
		})
	}
}

// TestBroken: an error anywhere ends the drawing, and every picture is released.
func TestBroken(t *testing.T) {
	fine := func(int, image.Image, float64) error { return nil }
	for name, c := range map[string]struct {
		change func(m *fakeMovie)
		want   string
	}{
		"fewer frames": {func(m *fakeMovie) { m.frames = 9 }, "the movie has 9 frames, its keypoints are of 40"},
		"more frames":  {func(m *fakeMovie) { m.frames = 41 }, "more than the 40 frames"},
		"another size": {func(m *fakeMovie) { m.size = image.Pt(8, 8) }, "(8,8) pixels"},
		"a full disk":  {func(m *fakeMovie) { m.write = func(int, image.Image, float64) error { return errors.New("full") } }, "full"},
		"a panic":      {func(m *fakeMovie) { m.write = func(int, image.Image, float64) error { panic("oh") } }, "panic: oh"},
		"foreign images": {func(m *fakeMovie) {
			m.picture = func(int) image.Image { return image.NewGray(image.Rectangle{Max: m.size}) }
		}, "nothing was kept"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &fakeMovie{size: image.Pt(40, 30), frames: 40, write: fine}
			seq := keypoints(m.size, m.frames)
			c.change(m)
			if err := drawFake(t, m, seq, draw.Background{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
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
	if err := drawFake(t, m, keypoints(m.size, 5), draw.Background{}); err == nil {
		t.Error("no error of the writer")
	}
	if slices.Max(shared.Y) != 0 || written != 5 {
		t.Errorf("%d frames were written, and the shared picture was drawn onto up to %d", written, slices.Max(shared.Y))
	}
}

// TestDrawnMovieMemory: 1,800 frames of 1080p need no more than a few pictures.
func TestDrawnMovieMemory(t *testing.T) {
	testkit.Thorough(t, "draws 1,800 frames twice")
	for name, background := range backgrounds {
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
			if err := drawFake(t, m, keypoints(m.size, m.frames), background); err == nil {
				t.Error("no error of the writer")
			}
			if most == 0 || most > 300<<20 {
				t.Errorf("the process held %d MB, want at most 300", most>>20)
			}
			t.Logf("%d MB", most>>20)
		})
	}
}

// TestProgressAndInputs: progress is told after each frame, in order, and each frame gets its
// own inputs.
func TestProgressAndInputs(t *testing.T) {
	m := &fakeMovie{size: image.Pt(40, 30), frames: 20, write: func(int, image.Image, float64) error { return nil }}
	style, err := draw.Compile([]draw.Rule{{Type: "keypoint", Ghost: draw.Red}}, draw.Background{}, true)
	if err != nil {
		t.Fatal(err)
	}
	seq := keypoints(m.size, m.frames)
	var told []int
	var asked [20]atomic.Int64
	err = (&film.Film{
		Keypoints: seq, Style: style,
		Inputs:   func(i int) draw.Inputs { asked[i].Add(1); return draw.Inputs{Target: &seq.Frames[i]} },
		Open:     func() (inference.Frames, error) { return m.Open(t.Context(), nil) },
		Create:   func() (draw.MovieWriter, error) { return m.Create(t.Context(), "", draw.Movie{}) },
		Progress: func(done, total int) { told = append(told, done*100+total) },
	}).Draw(t.Context())
	if err == nil || err.Error() != "nothing was kept" {
		t.Error(err)
	}
	for i := range asked {
		if asked[i].Load() != 1 || len(told) != 20 || told[i] != (i+1)*100+20 {
			t.Fatalf("frame %d: asked for %d times, progress %v", i, asked[i].Load(), told)
		}
	}
}

// TestBrokenStart: whatever fails at the start, what was opened is closed.
func TestBrokenStart(t *testing.T) {
	style, err := draw.Compile(nil, draw.Background{}, false)
	if err != nil {
		t.Fatal(err)
	}
	m := &fakeMovie{size: image.Pt(40, 30), frames: 3}
	open := func() (inference.Frames, error) { return m.Open(t.Context(), nil) }
	create := func() (draw.MovieWriter, error) { return m.Create(t.Context(), "", draw.Movie{}) }
	for name, f := range map[string]film.Film{
		"no decoder":   {Open: func() (inference.Frames, error) { return nil, errors.New("torn") }, Create: create},
		"mad decoder":  {Open: func() (inference.Frames, error) { panic("torn") }, Create: create},
		"no encoder":   {Open: open, Create: func() (draw.MovieWriter, error) { return nil, errors.New("torn") }},
		"mad encoder":  {Open: open, Create: func() (draw.MovieWriter, error) { panic("torn") }},
		"without time": {Keypoints: keypoint.Sequence{Frames: make([]keypoint.Frame, 3)}, Open: open, Create: create},
		"no frames":    {Keypoints: keypoint.Sequence{Times: []float64{}}, Open: open, Create: create},
	} {
		m.opened.Store(0)
		m.closed.Store(0)
		m.aborted.Store(0)
		m.created.Store(0)
		f.Style = style
		if f.Keypoints.Frames == nil && f.Keypoints.Times == nil {
			f.Keypoints = keypoints(m.size, 3)
		}
		if err := f.Draw(t.Context()); err == nil || m.opened.Load() != m.closed.Load() || m.created.Load() != m.aborted.Load() {
			t.Errorf("%s: error %v, %d opened and %d closed, %d created and %d aborted", name, err,
				m.opened.Load(), m.closed.Load(), m.created.Load(), m.aborted.Load())
		}
	}
}
