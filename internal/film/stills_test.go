package film_test

import (
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/film"
)

// stillsOf returns the stills of a fake movie.
func stillsOf(t *testing.T, m *fakeMovie) *film.Stills {
	t.Helper()
	frames, err := m.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return film.NewStills(frames)
}

// TestStills: each picture is of the frame asked for, and nothing behind the last one is decoded.
func TestStills(t *testing.T) {
	shade := func(img image.Image) int { return int(img.At(7, 5).(color.RGBA).R) }
	for name, picture := range map[string]func(int) image.Image{
		"reused buffers": nil,
		"own pictures": func(i int) image.Image {
			img := image.NewRGBA(image.Rect(0, 0, 40, 30))
			for p := range img.Pix {
				img.Pix[p] = uint8(i + 1)
			}
			return img
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := &fakeMovie{size: image.Pt(40, 30), frames: 50, picture: picture}
			frames, _ := m.Open(t.Context(), nil)
			s := film.NewStills(frames)
			for _, i := range []int{0, 0, 7, 30, 30} {
				img, err := s.Frame(i)
				if err != nil {
					t.Fatal(err)
				}
				if got := shade(img); got < i-2 || got > i+4 {
					t.Errorf("frame %d shows %d, want about %d", i, got, i+1)
				}
			}
			if next := frames.(*fakeFrames).next; next != 31 {
				t.Errorf("%d frames were decoded, want 31", next)
			}
			if err := s.Close(); err != nil || m.closed.Load() != 1 || m.out.Load() != 0 {
				t.Errorf("closed %d times (%v); %d pictures are still out", m.closed.Load(), err, m.out.Load())
			}
			if _, err := s.Frame(31); err == nil {
				t.Error("a frame after Close")
			}
		})
	}
}

// TestStillsMistakes: what cannot be shown is an error that says why, and everything is released.
func TestStillsMistakes(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*fakeMovie)
		frames []int
		want   string
	}{
		"past the end": {nil, []int{3, 9}, "there is no frame 9, the movie has 5 frames"},
		"backwards":    {nil, []int{3, 2}, "frame 2 is asked for after frame 3"},
		"negative":     {nil, []int{-1}, "frame -1"},
		"a panic":      {func(m *fakeMovie) { m.picture = func(int) image.Image { panic("torn") } }, []int{0}, "panic: torn"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &fakeMovie{size: image.Pt(40, 30), frames: 5}
			if c.change != nil {
				c.change(m)
			}
			s := stillsOf(t, m)
			var err error
			for _, i := range c.frames {
				_, err = s.Frame(i)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if _, again := s.Frame(4); c.change != nil && again == nil {
				t.Error("a picture after the error")
			}
			if err := s.Close(); err != nil || m.out.Load() != 0 {
				t.Errorf("%d pictures are still out (%v)", m.out.Load(), err)
			}
		})
	}
}

// brokenFrames is a movie that cannot be decoded to its end.
type brokenFrames struct{ inference.Frames }

func (brokenFrames) Next() (inference.Picture, error) { return inference.Picture{}, errTorn }

var errTorn = errors.New("torn")

func TestStillsOfDamagedMovie(t *testing.T) {
	s := film.NewStills(brokenFrames{})
	for range 2 {
		if _, err := s.Frame(0); !errors.Is(err, errTorn) {
			t.Errorf("error %v, want that of the decoder", err)
		}
	}
}

func TestShrunk(t *testing.T) {
	for _, c := range []struct{ size, want image.Point }{
		{image.Pt(1920, 1080), image.Pt(320, 180)},
		{image.Pt(1080, 1920), image.Pt(180, 320)},
		{image.Pt(100, 80), image.Pt(100, 80)},
		{image.Pt(5000, 1), image.Pt(320, 1)},
	} {
		img := image.NewGray(image.Rectangle{Max: c.size}.Add(image.Pt(-9, 4)))
		for i := range img.Pix {
			img.Pix[i] = 200
		}
		got := film.Shrunk(img, 320)
		if got.Rect != (image.Rectangle{Max: c.want}) || got.RGBAAt(c.want.X/2, c.want.Y/2) != (color.RGBA{200, 200, 200, 255}) {
			t.Errorf("%v becomes %v of %v, want %v", c.size, got.Rect, got.RGBAAt(0, 0), c.want)
		}
	}
}
