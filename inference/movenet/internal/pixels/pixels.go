// Package pixels cuts pieces out of a picture and shrinks them to the bytes that a
// network takes, straight from the picture's own samples: only the samples under the
// piece are read, and no other picture is made of them.
//
// Shrinking averages over the area of each result pixel, enlarging is linear between
// samples; the piece may lie anywhere, at fractions of a pixel. What lies outside the
// picture is black. Weights are fixed-point numbers of 8 bits that sum to 1 exactly,
// so that a plain area keeps its colour; the result is within 2 of the exact value.
package pixels

import (
	"image"
	"image/draw"

	"github.com/bodymotion/motion/internal/yuv"
)

// Picture is a picture whose samples can be read in place.
type Picture struct {
	// Size is the width and height in pixels.
	Size image.Point

	sheets []sheet
	// One sheet: its bytes hold RGB at these offsets. Three sheets: Y, Cb and Cr.
	channels [3]int
	toRGB    *conversion
}

// sheet is a raster of samples. Sample (x, y) begins at pix[y*stride+x*step].
type sheet struct {
	pix           []byte
	stride, step  int
	width, height int
	scaleX        float64 // pixels of the picture per sample
	scaleY        float64
	offsetX       float64 // samples before the picture's first pixel
	offsetY       float64
	black         uint8
}

// New returns img as a Picture that shares its samples: img must not change while the
// Picture is in use. Transparency is ignored where colours are kept apart from it.
// Pictures of a rare kind (palettes, CMYK, types of other packages) are copied.
func New(img image.Image) Picture {
	b := img.Bounds()
	size := b.Size()
	single := func(pix []byte, stride, step, r, g, bl int) Picture {
		s := sheet{pix: pix, stride: stride, step: step, width: size.X, height: size.Y, scaleX: 1, scaleY: 1}
		return Picture{Size: size, sheets: []sheet{s}, channels: [3]int{r, g, bl}}
	}
	if size.X <= 0 || size.Y <= 0 {
		return single(nil, 0, 4, 0, 1, 2)
	}
	switch m := img.(type) {
	case *image.RGBA:
		return single(m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 4, 0, 1, 2)
	case *image.NRGBA:
		return single(m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 4, 0, 1, 2)
	case *image.Gray:
		return single(m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 1, 0, 0, 0)
	// Of 16 bits the upper eight, which come first, are enough.
	case *image.RGBA64:
		return single(m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 8, 0, 2, 4)
	case *image.NRGBA64:
		return single(m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 8, 0, 2, 4)
	case *image.Gray16:
		return single(m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 2, 0, 0, 0)
	case *image.YCbCr:
		return fromYCbCr(m)
	case *image.NYCbCrA:
		return fromYCbCr(&m.YCbCr)
	case *yuv.Image:
		c := image.Pt((size.X+1)/2, (size.Y+1)/2)
		luma := uint8(16)
		if m.Full {
			luma = 0
		}
		return Picture{Size: size, toRGB: newConversion(m.Full, m.BT709), sheets: []sheet{
			{m.Y, m.YStride, 1, size.X, size.Y, 1, 1, 0, 0, luma},
			{m.Cb, m.CStride, 1, c.X, c.Y, 2, 2, 0, 0, 128},
			{m.Cr, m.CStride, 1, c.X, c.Y, 2, 2, 0, 0, 128},
		}}
	}
	rgba := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(rgba, rgba.Rect, img, b.Min, draw.Src)
	return single(rgba.Pix, rgba.Stride, 4, 0, 1, 2)
}

// fromYCbCr reads a JPEG's planes: full range, BT.601, any subsampling.
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
	// A picture cut out of a larger one may begin inside a chroma sample.
	inX, inY := b.Min.X%sx, b.Min.Y%sy
	chroma := func(pix []byte) sheet {
		return sheet{
			pix[m.COffset(b.Min.X, b.Min.Y):], m.CStride, 1,
			(inX + size.X + sx - 1) / sx, (inY + size.Y + sy - 1) / sy,
			float64(sx), float64(sy), float64(inX) / float64(sx), float64(inY) / float64(sy), 128,
		}
	}
	luma := sheet{m.Y[m.YOffset(b.Min.X, b.Min.Y):], m.YStride, 1, size.X, size.Y, 1, 1, 0, 0, 0}
	return Picture{Size: size, toRGB: newConversion(true, false), sheets: []sheet{luma, chroma(m.Cb), chroma(m.Cr)}}
}
