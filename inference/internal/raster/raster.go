// Package raster gives access to the samples of a picture, so that regions can be cut out without a copy of the whole.
package raster

import (
	"image"
	"image/draw"

	"github.com/bodymotion/motion/internal/yuv"
)

// Picture is a picture whose samples can be read in place.
type Picture struct {
	Size image.Point // the width and height in pixels
	// One sheet, whose pixels hold R, G and B at the offsets of Channels, or three: Y, Cb and Cr, which Matrix turns into RGB.
	Sheets   []Sheet
	Channels [3]int
	Matrix   yuv.Matrix
}

// Planes reports whether the sheets are Y, Cb and Cr.
func (p *Picture) Planes() bool { return len(p.Sheets) == 3 }

// Sheet is a raster of samples. Sample (x, y) begins at Pix[y*Stride+x*Step].
type Sheet struct {
	Pix            []byte
	Stride, Step   int
	Width, Height  int
	PerX, PerY     float64 // pixels of the picture per sample
	FirstX, FirstY float64 // samples before the picture's first pixel
	Black          uint8   // the sample of black
}

// Of returns img as a Picture that shares its samples: img must not change while the Picture is in use. It ignores the transparency
// of colours that are not premultiplied, and the lower 8 of 16 bits. It copies pictures of other types, such as palettes and CMYK.
func Of(img image.Image) Picture {
	b := img.Bounds()
	if b.Empty() {
		return single(b.Size(), nil, 0, 4, 0, 1, 2)
	}
	switch m := img.(type) {
	case *image.RGBA:
		return single(b.Size(), m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 4, 0, 1, 2)
	case *image.NRGBA:
		return single(b.Size(), m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 4, 0, 1, 2)
	case *image.Gray:
		return single(b.Size(), m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 1, 0, 0, 0)
	// The upper 8 of 16 bits come first.
	case *image.RGBA64:
		return single(b.Size(), m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 8, 0, 2, 4)
	case *image.NRGBA64:
		return single(b.Size(), m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 8, 0, 2, 4)
	case *image.Gray16:
		return single(b.Size(), m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 2, 0, 0, 0)
	case *image.YCbCr:
		return fromYCbCr(m)
	case *image.NYCbCrA:
		return fromYCbCr(&m.YCbCr)
	case *yuv.Image:
		return fromMovie(m)
	}
	rgba := Copy(img)
	return single(b.Size(), rgba.Pix, rgba.Stride, 4, 0, 1, 2)
}

// Copy returns a copy of img with its corner at the origin.
func Copy(img image.Image) *image.RGBA {
	b := img.Bounds()
	rgba := image.NewRGBA(image.Rectangle{Max: b.Size()})
	draw.Draw(rgba, rgba.Rect, img, b.Min, draw.Src)
	return rgba
}

func single(size image.Point, pix []byte, stride, step, r, g, b int) Picture {
	s := Sheet{Pix: pix, Stride: stride, Step: step, Width: size.X, Height: size.Y, PerX: 1, PerY: 1}
	return Picture{Size: size, Sheets: []Sheet{s}, Channels: [3]int{r, g, b}}
}

func fromMovie(m *yuv.Image) Picture {
	matrix := yuv.NewMatrix(m.Full, m.BT709)
	w, h := (m.Size.X+1)/2, (m.Size.Y+1)/2
	return Picture{Size: m.Size, Matrix: matrix, Sheets: []Sheet{
		{m.Y, m.YStride, 1, m.Size.X, m.Size.Y, 1, 1, 0, 0, uint8(matrix.Black)},
		{m.Cb, m.CStride, 1, w, h, 2, 2, 0, 0, 128},
		{m.Cr, m.CStride, 1, w, h, 2, 2, 0, 0, 128},
	}}
}

// fromYCbCr returns the planes of a JPEG: full range, BT.601, any subsampling.
func fromYCbCr(m *image.YCbCr) Picture {
	b := m.Rect
	size := b.Size()
	sx, sy := 1, 1
	switch m.SubsampleRatio {
	case image.YCbCrSubsampleRatio422:
		sx = 2
	case image.YCbCrSubsampleRatio420:
		sx, sy = 2, 2
	case image.YCbCrSubsampleRatio440:
		sy = 2
	case image.YCbCrSubsampleRatio411:
		sx = 4
	case image.YCbCrSubsampleRatio410:
		sx, sy = 4, 2
	}
	// A SubImage may begin inside a chroma sample.
	inX, inY := b.Min.X%sx, b.Min.Y%sy
	chroma := func(pix []byte) Sheet {
		return Sheet{
			pix[m.COffset(b.Min.X, b.Min.Y):], m.CStride, 1,
			(inX + size.X + sx - 1) / sx, (inY + size.Y + sy - 1) / sy,
			float64(sx), float64(sy), float64(inX) / float64(sx), float64(inY) / float64(sy), 128,
		}
	}
	luma := Sheet{m.Y[m.YOffset(b.Min.X, b.Min.Y):], m.YStride, 1, size.X, size.Y, 1, 1, 0, 0, 0}
	return Picture{Size: size, Matrix: yuv.NewMatrix(true, false), Sheets: []Sheet{luma, chroma(m.Cb), chroma(m.Cr)}}
}
