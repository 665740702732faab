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

	"github.com/bodymotion/motion/inference/internal/raster"
)

// Picture is a picture whose samples can be read in place.
type Picture struct {
	raster.Picture
	toRGB *conversion // of Y, Cb and Cr
}

// New returns img as a Picture that shares its samples as raster.Of does.
func New(img image.Image) Picture {
	p := Picture{Picture: raster.Of(img)}
	if p.Planes() {
		p.toRGB = newConversion(p.Matrix)
	}
	return p
}
