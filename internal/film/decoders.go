package film

import (
	"context"
	"image"
	"io"
	"slices"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/yuv"
)

// Open opens a movie, and closes it again if check refuses its Info, whose error it returns unchanged.
func Open(ctx context.Context, d inference.Decoder, r io.ReadSeeker, check func(inference.Info) error) (inference.Frames, error) {
	frames, err := d.Open(ctx, r)
	if err == nil {
		if err = check(frames.Info()); err == nil {
			return frames, nil
		}
		frames.Close()
	}
	return nil, err
}

// Within returns a decoder whose frames of movies have fewer than so many pixels: what d's method Within(pixels int) inference.Decoder
// returns. It returns d if there is no such method, or if pixels is 0.
func Within(d inference.Decoder, pixels int) inference.Decoder {
	if w, ok := d.(interface{ Within(int) inference.Decoder }); ok && pixels > 0 {
		return w.Within(pixels)
	}
	return d
}

// Mirrored is a decoder whose pictures are mirrored from left to right: of a selfie camera's, what others see. Pictures
// with such a Decoder are mirrored, too.
type Mirrored struct{ inference.Decoder }

func (m Mirrored) Unwrap() inference.Decoder { return m.Decoder }

func (m Mirrored) Within(pixels int) inference.Decoder { return Mirrored{Within(m.Decoder, pixels)} }

func (m Mirrored) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	frames, err := m.Decoder.Open(ctx, r)
	if err != nil {
		return nil, err
	}
	return mirrored{frames}, nil
}

type mirrored struct{ inference.Frames }

func (m mirrored) Next() (inference.Picture, error) {
	pic, err := m.Frames.Next()
	if err == nil {
		pic.Image = Mirror(pic.Image)
	}
	return pic, err
}

// Mirror returns a picture mirrored from left to right, its corner at the origin. It changes planes, and copies others.
func Mirror(img image.Image) image.Image {
	if m, ok := img.(*yuv.Image); ok {
		for y := range m.Size.Y {
			slices.Reverse(m.Y[y*m.YStride:][:m.Size.X])
		}
		for y := range (m.Size.Y + 1) / 2 {
			slices.Reverse(m.Cb[y*m.CStride:][:(m.Size.X+1)/2])
			slices.Reverse(m.Cr[y*m.CStride:][:(m.Size.X+1)/2])
		}
		return m
	}
	b := img.Bounds()
	to := image.NewRGBA(image.Rectangle{Max: b.Size()})
	draw.NearestNeighbor.Transform(to, f64.Aff3{-1, 0, float64(b.Max.X), 0, 1, float64(-b.Min.Y)}, img, b, draw.Src, nil)
	return to
}
