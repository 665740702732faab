package pixels

import (
	"encoding/binary"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// Square is a square region of a picture: Side pixels wide, around Centre (pixels), rotated by Angle (radians,
// clockwise on screen). With an angle of π/2, it shows upright a person whose head is to the right.
type Square struct {
	Centre keypoint.Point
	Side   float64
	Angle  float64
}

// At returns the point of the picture, in pixels, at (u, v) of the square, both 0 to 1 from its top left corner.
func (s Square) At(u, v float64) keypoint.Point {
	x, y := (u-0.5)*s.Side, (v-0.5)*s.Side
	if s.Angle == 0 {
		return keypoint.Point{s.Centre[0] + x, s.Centre[1] + y}
	}
	sin, cos := math.Sincos(s.Angle)
	return keypoint.Point{s.Centre[0] + cos*x - sin*y, s.Centre[1] + sin*x + cos*y}
}

// Cutter holds buffers that are reused from square to square. The zero value is ready to use. It is not safe for concurrent use.
type Cutter struct {
	across, down taps
	row          []byte    // samples of a sheet, blended down the columns
	planes       [3][]byte // R, G and B, or Y, Cb and Cr, of the result
	piece        []byte    // the upright region around a rotated square
}

// Whole writes the whole picture to rgb as width×height pixels of RGB in rows that are stride bytes apart.
func (c *Cutter) Whole(rgb []byte, stride, width, height int, p *Picture) {
	c.resample(rgb, stride, 3, width, height, p, 0, 0, float64(p.Size.X), float64(p.Size.Y))
}

// farthest limits the numbers of a Square.
const farthest = 1e9

// Cut writes a square to rgb as n×n pixels of RGB. It is black if the side is not positive, or a number not finite or beyond 1e9.
func (c *Cutter) Cut(rgb []byte, n int, p *Picture, s Square) {
	far := max(math.Abs(s.Centre[0]), math.Abs(s.Centre[1]), s.Side, math.Abs(s.Angle))
	if !(far <= farthest) || s.Side <= 0 {
		clear(rgb[:3*n*n])
		return
	}
	if s.Angle == 0 {
		c.resample(rgb, 3*n, 3, n, n, p, s.Centre[0]-s.Side/2, s.Centre[1]-s.Side/2, s.Side, s.Side)
		return
	}
	c.turn(rgb, n, p, s)
}

// turn cuts a rotated square: it shrinks the upright region around it to the result's resolution, but
// not below the picture's own pixels, and interpolates the result linearly in that.
func (c *Cutter) turn(rgb []byte, n int, p *Picture, s Square) {
	pixel := max(1, s.Side/float64(n))
	sin, cos := math.Sincos(s.Angle)
	reach := s.Side / 2 * (math.Abs(sin) + math.Abs(cos))
	x0, y0 := math.Floor(s.Centre[0]-reach)-math.Ceil(pixel), math.Floor(s.Centre[1]-reach)-math.Ceil(pixel)
	m := int((2*reach+1+math.Ceil(pixel))/pixel) + 3
	if cap(c.piece) < 4*m*m {
		c.piece = make([]byte, 4*m*m)
	}
	piece := c.piece[:4*m*m]
	c.resample(piece, 4*m, 4, m, m, p, x0, y0, float64(m)*pixel, float64(m)*pixel)

	// Positions in the piece, from the centre of its first pixel, with 16 fractional bits.
	const unit = 1 << 16
	scale := unit / pixel
	step := s.Side / float64(n) * scale
	ux, uy := int(math.Round(cos*step)), int(math.Round(sin*step))
	for v := range n {
		left := s.At(0.5/float64(n), (float64(v)+0.5)/float64(n))
		x := int(math.Round((left[0]-x0)*scale)) - unit/2
		y := int(math.Round((left[1]-y0)*scale)) - unit/2
		out := rgb[3*n*v : 3*n*(v+1)]
		for ; len(out) >= 3; out = out[3:] {
			at := 4 * (y>>16*m + x>>16)
			fx, fy := uint32(x>>8&0xff), uint32(y>>8&0xff)
			w11 := (fx*fy + half) >> 8
			top, bottom := piece[at:at+8:at+8], piece[at+4*m:at+4*m+8:at+4*m+8]
			redBlue, green := uint32(half<<16|half), uint32(half)
			add := func(pixel []byte, weight uint32) {
				rgb := binary.LittleEndian.Uint32(pixel)
				redBlue += rgb & 0xff00ff * weight
				green += rgb >> 8 & 0xff * weight
			}
			add(top, one-fx-fy+w11)
			add(top[4:], fx-w11)
			add(bottom, fy-w11)
			add(bottom[4:], w11)
			out[0], out[1], out[2] = uint8(redBlue>>8), uint8(green>>8), uint8(redBlue>>24)
			x, y = x+ux, y+uy
		}
	}
}
