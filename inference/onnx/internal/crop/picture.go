// Package crop cuts pieces out of a picture and writes them into the float32 input of a
// network, straight from the picture's own samples: no other picture is made of them.
//
// Sampling is linear between the middles of pixels, without averaging over larger areas,
// as the usual networks are trained. Positions are in pixels from the picture's top left
// corner, so that the middle of the first pixel is at (0.5, 0.5).
package crop

import (
	"image"
	"image/draw"

	"github.com/bodymotion/motion/internal/yuv"
)

// Picture is a picture whose samples can be read in place.
type Picture struct {
	// Size is the width and height in pixels.
	Size image.Point

	sheets   []sheet
	channels [3]int // one sheet: where R, G and B are in its pixels
	colours  *colours
}

// sheet is a raster of samples. Sample (x, y) begins at pix[y*stride+x*step].
type sheet struct {
	pix            []byte
	stride, step   int
	width, height  int
	perX, perY     float64 // pixels of the picture per sample
	firstX, firstY float64 // samples before the picture's first pixel
}

// New returns img as a Picture that shares its samples: img must not change while the
// Picture is in use. Transparency is ignored where colours are kept apart from it.
// Pictures of a rare kind (palettes, 16 bits, types of other packages) are copied.
func New(img image.Image) Picture {
	b := img.Bounds()
	size := b.Size()
	single := func(pix []byte, stride, step, r, g, bl int) Picture {
		s := sheet{pix: pix, stride: stride, step: step, width: size.X, height: size.Y, perX: 1, perY: 1}
		return Picture{Size: size, sheets: []sheet{s}, channels: [3]int{r, g, bl}}
	}
	if b.Empty() {
		return Picture{}
	}
	switch m := img.(type) {
	case *image.RGBA:
		return single(m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 4, 0, 1, 2)
	case *image.NRGBA:
		return single(m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 4, 0, 1, 2)
	case *image.Gray:
		return single(m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 1, 0, 0, 0)
	case *image.YCbCr:
		return fromYCbCr(m)
	case *image.NYCbCrA:
		return fromYCbCr(&m.YCbCr)
	case *yuv.Image:
		c := image.Pt((size.X+1)/2, (size.Y+1)/2)
		return Picture{Size: size, colours: newColours(m.Full, m.BT709), sheets: []sheet{
			{m.Y, m.YStride, 1, size.X, size.Y, 1, 1, 0, 0},
			{m.Cb, m.CStride, 1, c.X, c.Y, 2, 2, 0, 0},
			{m.Cr, m.CStride, 1, c.X, c.Y, 2, 2, 0, 0},
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
			float64(sx), float64(sy), float64(inX) / float64(sx), float64(inY) / float64(sy),
		}
	}
	luma := sheet{m.Y[m.YOffset(b.Min.X, b.Min.Y):], m.YStride, 1, size.X, size.Y, 1, 1, 0, 0}
	return Picture{Size: size, colours: newColours(true, false), sheets: []sheet{luma, chroma(m.Cb), chroma(m.Cr)}}
}

// colours turns Y, Cb and Cr into RGB.
type colours struct{ black, scale, rv, gu, gv, bu float32 }

// newColours returns the conversion of a range (full, or 16 to 235) and of a matrix,
// ITU-R BT.601 or BT.709.
func newColours(full, bt709 bool) *colours {
	kr, kb := 0.299, 0.114
	if bt709 {
		kr, kb = 0.2126, 0.0722
	}
	kg := 1 - kr - kb
	black, sy, sc := 16.0, 255.0/219, 255.0/224
	if full {
		black, sy, sc = 0, 1, 1
	}
	return &colours{
		float32(black), float32(sy), float32(2 * (1 - kr) * sc),
		float32(2 * (1 - kb) * kb / kg * sc), float32(2 * (1 - kr) * kr / kg * sc), float32(2 * (1 - kb) * sc),
	}
}

// convert turns rows of Y, Cb and Cr into rows of R, G and B, in place.
func (c *colours) convert(y, cb, cr []float32) {
	for i, l := range y {
		l, u, v := (l-c.black)*c.scale, cb[i]-128, cr[i]-128
		y[i] = min(max(l+c.rv*v, 0), 255)
		cb[i] = min(max(l-c.gu*u-c.gv*v, 0), 255)
		cr[i] = min(max(l+c.bu*u, 0), 255)
	}
}
