// Package crop cuts regions out of a picture and writes them into the float32 input of a network, directly from the picture's own samples.
//
// Sampling is linear between the centres of pixels, without averaging over larger areas, as the usual networks are
// trained. Positions are pixels from the picture's top left corner: the centre of the first pixel is at (0.5, 0.5).
package crop

import (
	"image"

	"github.com/bodymotion/motion/inference/internal/raster"
	"github.com/bodymotion/motion/internal/yuv"
)

// New returns img as a raster.Picture that shares its samples, except for 16-bit samples, which are copied.
func New(img image.Image) raster.Picture {
	switch img.(type) {
	case *image.RGBA64, *image.NRGBA64, *image.Gray16:
		img = raster.Copy(img)
	}
	return raster.Of(img)
}

// convert turns rows of Y, Cb and Cr into rows of R, G and B, in place.
func convert(m *yuv.Matrix, y, cb, cr []float32) {
	black, scale := float32(m.Black), float32(m.Luma)
	rv, gu, gv, bu := float32(m.RV), float32(m.GU), float32(m.GV), float32(m.BU)
	for i, l := range y {
		l, u, v := (l-black)*scale, cb[i]-128, cr[i]-128
		y[i] = min(max(l+rv*v, 0), 255)
		cb[i] = min(max(l-gu*u-gv*v, 0), 255)
		cr[i] = min(max(l+bu*u, 0), 255)
	}
}
