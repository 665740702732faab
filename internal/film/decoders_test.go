package film_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"io"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/internal/yuv"
)

// TestMirror: column x becomes the one as far from the other edge, of planes too, and twice gives the picture again.
func TestMirror(t *testing.T) {
	img := image.NewNRGBA(image.Rect(3, 4, 8, 7))
	img.Set(3, 5, color.NRGBA{1, 2, 3, 255})
	if got := film.Mirror(img).At(4, 1); got != (color.RGBA{1, 2, 3, 255}) {
		t.Errorf("%v", got)
	}
	buf := make([]byte, yuv.Bytes(image.Pt(4, 2)))
	for i := range buf {
		buf[i] = byte(i)
	}
	was := bytes.Clone(buf)
	m := yuv.Wrap(buf, image.Pt(4, 2))
	film.Mirror(m)
	if want := []byte{3, 2, 1, 0, 7, 6, 5, 4, 9, 8, 11, 10}; !bytes.Equal(buf, want) {
		t.Errorf("%v, want %v", buf, want)
	}
	if film.Mirror(m); !bytes.Equal(buf, was) {
		t.Errorf("%v, want %v", buf, was)
	}
}

// TestMirroredDecoder: the frames of a movie are mirrored, and the decoder keeps what it can.
func TestMirroredDecoder(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 4, 2))
	img.Set(0, 0, color.RGBA{200, 0, 0, 255})
	d := film.Mirrored{Decoder: fakes.Decoder{}}
	frames, err := d.Open(t.Context(), bytes.NewReader(fakes.Movie(30, img)))
	if err != nil {
		t.Fatal(err)
	}
	defer frames.Close()
	pic, err := frames.Next()
	if r, _, _, _ := pic.Image.At(3, 0).RGBA(); err != nil || r>>8 != 200 {
		t.Errorf("%v: %d", err, r>>8)
	}
	if _, err := frames.Next(); err != io.EOF {
		t.Error(err)
	}
	if size, err := inference.ProbeImage(t.Context(), d, bytes.NewReader(fakes.HEIC(img))); err != nil || size != image.Pt(4, 2) {
		t.Errorf("HEIC: %v %v", size, err)
	}
}

// TestOpen: a movie that is refused is closed again, and the error is that of check.
func TestOpen(t *testing.T) {
	m := &fakeMovie{size: image.Pt(40, 30), frames: 5}
	wrong := errors.New("too long")
	check := func(err error) func(inference.Info) error {
		return func(got inference.Info) error {
			if got.Size != m.size {
				t.Errorf("it is asked about %v", got.Size)
			}
			return err
		}
	}
	if _, err := film.Open(t.Context(), m, nil, check(wrong)); err != wrong || m.closed.Load() != 1 {
		t.Errorf("closed %d times (%v)", m.closed.Load(), err)
	}
	frames, err := film.Open(t.Context(), m, nil, check(nil))
	if err != nil || m.closed.Load() != 1 {
		t.Fatalf("closed %d times (%v)", m.closed.Load(), err)
	}
	frames.Close()
}
