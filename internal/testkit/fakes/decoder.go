// Package fakes has an Estimator and a Decoder for tests, which need no network, program or file. Package inferencetest gives them to the
// tests of others, and its documentation says what they do.
package fakes

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"
	"sync"

	"github.com/bodymotion/motion/inference"
)

// Decoder is inferencetest.Decoder.
type Decoder struct {
	Buffers int // pictures in use at a time; default 6
}

// The first bytes of a movie and of a picture. The latter are those of a HEIC file.
const (
	movieMagic = "MOTION TEST MOVIE\n"
	heicMagic  = "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00heicmif1"
)

// header comes after the first bytes. The frames follow, four bytes a pixel.
type header struct {
	Width, Height, Frames uint32
	FrameRate             float64
}

// maxSide is the largest width and height of a movie, pixels.
const maxSide = 1 << 13

// Movie is inferencetest.Movie.
func Movie(frameRate float64, pictures ...image.Image) []byte {
	return encode(movieMagic, frameRate, pictures)
}

// HEIC is inferencetest.HEIC.
func HEIC(img image.Image) []byte { return encode(heicMagic, 0, []image.Image{img}) }

func encode(magic string, frameRate float64, pictures []image.Image) []byte {
	size := pictures[0].Bounds().Size()
	b := bytes.NewBufferString(magic)
	binary.Write(b, binary.BigEndian, header{uint32(size.X), uint32(size.Y), uint32(len(pictures)), frameRate})
	for i, img := range pictures {
		if img.Bounds().Size() != size {
			panic(fmt.Sprintf("fakes: picture %d has %v pixels, the first one %v", i, img.Bounds().Size(), size))
		}
		b.Write(ToRGBA(img).Pix)
	}
	return b.Bytes()
}

// ToRGBA returns a copy of a picture with its corner at the origin.
func ToRGBA(img image.Image) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(m, m.Rect, img, img.Bounds().Min, draw.Src)
	return m
}

// readHeader reads what comes before the frames.
func readHeader(ctx context.Context, r io.ReadSeeker, magic string) (inference.Info, error) {
	if err := ctx.Err(); err != nil {
		return inference.Info{}, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return inference.Info{}, err
	}
	first := make([]byte, len(magic))
	var h header
	_, err := io.ReadFull(r, first)
	if err == nil {
		err = binary.Read(r, binary.BigEndian, &h)
	}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return inference.Info{}, err
	}
	if err != nil || string(first) != magic || h.Width == 0 || h.Width > maxSide || h.Height == 0 || h.Height > maxSide {
		return inference.Info{}, fmt.Errorf("%w: the content is not made by Movie or HEIC", inference.ErrFormat)
	}
	info := inference.Info{Size: image.Pt(int(h.Width), int(h.Height)), Frames: int(h.Frames), FrameRate: h.FrameRate}
	if h.FrameRate > 0 {
		info.Duration = float64(h.Frames) / h.FrameRate
	}
	return info, nil
}

// Probe implements inference.Decoder.
func (d Decoder) Probe(ctx context.Context, r io.ReadSeeker) (inference.Info, error) {
	return readHeader(ctx, r, movieMagic)
}

// Open implements inference.Decoder.
func (d Decoder) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	info, err := readHeader(ctx, r, movieMagic)
	if err != nil {
		return nil, err
	}
	if d.Buffers <= 0 {
		d.Buffers = 6
	}
	f := &frames{ctx: ctx, r: r, info: info, free: make(chan *image.RGBA, d.Buffers)}
	for range d.Buffers {
		f.free <- image.NewRGBA(image.Rectangle{Max: info.Size})
	}
	return f, nil
}

// ProbeImage implements inference.ImageDecoder.
func (d Decoder) ProbeImage(ctx context.Context, r io.ReadSeeker) (image.Point, error) {
	info, err := readHeader(ctx, r, heicMagic)
	return info.Size, err
}

// DecodeImage implements inference.ImageDecoder.
func (d Decoder) DecodeImage(ctx context.Context, r io.ReadSeeker, maxPixels int) (image.Image, error) {
	info, err := readHeader(ctx, r, heicMagic)
	if err != nil {
		return nil, err
	}
	if maxPixels > 0 && info.Size.X*info.Size.Y >= maxPixels {
		return nil, fmt.Errorf("%w: %v is not fewer than %d", inference.ErrTooManyPixels, info.Size, maxPixels)
	}
	img := image.NewRGBA(image.Rectangle{Max: info.Size})
	return img, readPixels(r, img)
}

func readPixels(r io.Reader, img *image.RGBA) error {
	_, err := io.ReadFull(r, img.Pix)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = fmt.Errorf("%w: the content is cut off", inference.ErrFormat)
	}
	return err
}

// frames is a movie that is being read.
type frames struct {
	ctx  context.Context
	r    io.Reader
	info inference.Info
	free chan *image.RGBA
	next int
	err  error // ended the movie
}

// Info implements inference.Frames.
func (f *frames) Info() inference.Info { return f.info }

// Next implements inference.Frames.
func (f *frames) Next() (inference.Picture, error) {
	if f.err == nil {
		f.err = f.ctx.Err()
	}
	if f.err == nil && f.next == f.info.Frames {
		f.err = io.EOF
	}
	if f.err != nil {
		return inference.Picture{}, f.err
	}
	var img *image.RGBA
	select {
	case img = <-f.free:
	case <-f.ctx.Done():
		f.err = f.ctx.Err()
		return inference.Picture{}, f.err
	}
	if f.err = readPixels(f.r, img); f.err != nil {
		return inference.Picture{}, f.err
	}
	p := inference.Picture{Image: img, Time: float64(f.next), Release: sync.OnceFunc(func() { f.free <- img })}
	if f.info.FrameRate > 0 {
		p.Time /= f.info.FrameRate
	}
	f.next++
	return p, nil
}

// Close implements inference.Frames.
func (f *frames) Close() error {
	if f.err == nil {
		f.err = errors.New("the movie is closed")
	}
	return nil
}
