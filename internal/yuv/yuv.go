// Package yuv is the picture of a decoded movie: planar YUV 4:2:0 in the range and
// with the matrix of the movie itself, so that pixels nobody touches keep their
// values from the decoder to the encoder.
package yuv

import (
	"image"
)

// Image is a planar 4:2:0 picture. It implements image.Image.
type Image struct {
	Y, Cb, Cr []byte // chroma planes have half the width and height, rounded up
	YStride   int    // bytes from row to row of Y
	CStride   int    // bytes from row to row of Cb and of Cr
	Size      image.Point
	Full      bool // full range, 0 to 255; else 16 to 235 (Y) and 16 to 240 (chroma)
	BT709     bool // matrix of BT.709; else of BT.601
}
