package film

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"

	xdraw "golang.org/x/image/draw"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/internal/yuv"
)

// Stills takes single pictures out of a movie, such as for a contact sheet. It holds one picture
// and decodes no further than to the last frame that is asked for.
type Stills struct {
	frames inference.Frames
	frame  int         // number of picture; -1 before the first
	now    image.Image // as given to the caller
	rgba   *image.RGBA // of pictures in YUV, reused
	held   inference.Picture
	err    error // of the decoder; io.EOF after the last frame
}

// NewStills returns the stills of a movie that has just been opened. The caller closes them, not the frames.
func NewStills(frames inference.Frames) *Stills { return &Stills{frames: frames, frame: -1} }

// UseStills opens a movie if check accepts its headers, calls use with the method Frame of its stills,
// and closes it. Without a decoder, the error is inference.ErrFormat.
func UseStills(ctx context.Context, d inference.Decoder, r io.ReadSeeker, check func(inference.Info) error, use func(frame func(int) (image.Image, error)) error) error {
	if d == nil {
		return fmt.Errorf("%w: there is no decoder for movies", inference.ErrFormat)
	}
	frames, err := Open(ctx, d, r, check)
	if err != nil {
		return err
	}
	s := NewStills(frames)
	return errors.Join(panics.Call(func() error { return use(s.Frame) }), s.Close())
}

// Frame returns the picture of frame i, counted from 0, upright. The numbers asked for must not
// decrease. The picture is valid until Frame is called with another number, or Close.
func (s *Stills) Frame(i int) (image.Image, error) {
	if i < 0 || i < s.frame {
		return nil, fmt.Errorf("frame %d is asked for after frame %d", i, s.frame)
	}
	for s.err == nil && s.frame < i {
		s.err = panics.Call(func() error { return s.advance(i) })
	}
	switch {
	case s.err == io.EOF:
		return nil, fmt.Errorf("%w: there is no frame %d, the movie has %d frames", inference.ErrFormat, i, s.frame+1)
	case s.err != nil:
		return nil, s.err
	}
	return s.now, nil
}

// advance decodes the next frame, and shows it if it is the wanted one.
func (s *Stills) advance(wanted int) error {
	release(s.held)
	s.held, s.now = inference.Picture{}, nil
	pic, err := s.frames.Next()
	if err != nil {
		return err
	}
	s.held = pic
	if s.frame++; s.frame < wanted {
		return nil
	}
	s.now = pic.Image
	if m, ok := pic.Image.(*yuv.Image); ok {
		if s.rgba == nil || s.rgba.Rect.Max != m.Size {
			s.rgba = image.NewRGBA(m.Bounds())
		}
		m.ToRGBA(s.rgba)
		s.now = s.rgba
	}
	return nil
}

func (s *Stills) Close() error {
	if s.err == nil {
		s.err = errors.New("the movie is closed")
	}
	release(s.held)
	s.held, s.now = inference.Picture{}, nil
	return s.frames.Close()
}

// Shrunk returns a copy of a picture whose longer side has at most side pixels. It is never enlarged, and its corner is the origin.
func Shrunk(img image.Image, side int) *image.RGBA {
	if m, ok := img.(*yuv.Image); ok {
		rgba := image.NewRGBA(m.Bounds())
		m.ToRGBA(rgba)
		img = rgba
	}
	from := img.Bounds()
	size := from.Size()
	if longer := max(size.X, size.Y); longer > side {
		size.X = max((size.X*side+longer/2)/longer, 1)
		size.Y = max((size.Y*side+longer/2)/longer, 1)
	}
	dst := image.NewRGBA(image.Rectangle{Max: size})
	xdraw.BiLinear.Scale(dst, dst.Rect, img, from, xdraw.Src, nil)
	return dst
}
