// Package pixels cuts regions out of a picture and resizes them to the bytes that a network takes, directly from the picture's own samples.
//
// Shrinking averages over the area of each result pixel; enlarging interpolates linearly. A region may begin at a
// fraction of a pixel. Outside of the picture it is black. Weights are fixed-point numbers of 8 bits that sum to
// exactly 1, so that a uniform area keeps its colour; results are within 2 of the exact value.
package pixels

import (
	"image"

	"github.com/bodymotion/motion/inference/internal/raster"
	"github.com/bodymotion/motion/internal/yuv"
)

// Picture is a picture whose samples can be read in place.
type Picture struct {
	raster.Picture
	toRGB *yuv.RGB // of Y, Cb and Cr
}

// New returns img as a Picture that shares its samples as raster.Of does.
func New(img image.Image) Picture {
	p := Picture{Picture: raster.Of(img)}
	if p.Planes() {
		p.toRGB = yuv.NewRGB(p.Matrix)
	}
	return p
}
