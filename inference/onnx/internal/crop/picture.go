// Package crop cuts pieces out of a picture and writes them into the float32 input of a
// network, straight from the picture's own samples: no other picture is made of them.
//
// Sampling is linear between the middles of pixels, without averaging over larger areas,
// as the usual networks are trained. Positions are in pixels from the picture's top left
// corner, so that the middle of the first pixel is at (0.5, 0.5).
package crop

import (
	"image"

	"github.com/bodymotion/motion/inference/internal/raster"
	"github.com/bodymotion/motion/internal/yuv"
)

// Picture is a picture whose samples can be read in place.
type Picture struct {
	raster.Picture
	colours colours // of Y, Cb and Cr
}

// New returns img as a Picture that shares its samples as raster.Of does, but for those of
// 16 bits, which are copied.
func New(img image.Image) Picture {
	switch img.(type) {
	case *image.RGBA64, *image.NRGBA64, *image.Gray16:
		img = raster.Copy(img)
	}
	p := raster.Of(img)
	return Picture{p, newColours(p.Matrix)}
}

// colours turns Y, Cb and Cr into RGB.
type colours struct{ black, scale, rv, gu, gv, bu float32 }

func newColours(m yuv.Matrix) colours {
	return colours{
		float32(m.Black), float32(m.Luma), float32(m.RV),
		float32(m.GU), float32(m.GV), float32(m.BU),
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
