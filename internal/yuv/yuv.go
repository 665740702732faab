// Package yuv is the picture of a decoded movie: planar YUV 4:2:0 in the range and
// with the matrix of the movie itself, so that pixels nobody touches keep their
// values from the decoder to the encoder.
package yuv

import (
	"image"
	"image/color"
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

// Bytes returns the number of bytes of a picture without padding between rows.
func Bytes(size image.Point) int {
	return size.X*size.Y + 2*((size.X+1)/2)*((size.Y+1)/2)
}

// Wrap returns the picture that buf holds, without padding: the Y plane, then Cb, then
// Cr. buf must have Bytes(size) bytes.
func Wrap(buf []byte, size image.Point) *Image {
	n, c := size.X*size.Y, ((size.X+1)/2)*((size.Y+1)/2)
	return &Image{
		Y: buf[:n:n], Cb: buf[n : n+c : n+c], Cr: buf[n+c : n+2*c : n+2*c],
		YStride: size.X, CStride: (size.X + 1) / 2, Size: size,
	}
}

// New returns a black picture of limited range.
func New(size image.Point) *Image {
	m := Wrap(make([]byte, Bytes(size)), size)
	for i := range m.Y {
		m.Y[i] = 16
	}
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = 128, 128
	}
	return m
}

// Bounds returns the picture's size, from the origin.
func (m *Image) Bounds() image.Rectangle { return image.Rectangle{Max: m.Size} }

// ColorModel returns color.RGBAModel.
func (m *Image) ColorModel() color.Model { return color.RGBAModel }

// At returns the colour of a pixel.
func (m *Image) At(x, y int) color.Color {
	if !image.Pt(x, y).In(m.Bounds()) {
		return color.RGBA{}
	}
	c := y/2*m.CStride + x/2
	t := newToRGB(m.Full, m.BT709)
	r, g, b := t.pixel(m.Y[y*m.YStride+x], m.Cb[c], m.Cr[c])
	return color.RGBA{r, g, b, 255}
}

// coefficients returns the weights of red and blue in luma, ITU-R BT.601 or BT.709.
func coefficients(bt709 bool) (kr, kb float64) {
	if bt709 {
		return 0.2126, 0.0722
	}
	return 0.299, 0.114
}

// toRGB converts with 16 bits behind the point.
type toRGB struct{ offset, y, rv, gu, gv, bu int32 }

func newToRGB(full, bt709 bool) toRGB {
	kr, kb := coefficients(bt709)
	kg := 1 - kr - kb
	offset, sy, sc := int32(16), 255.0/219, 255.0/224
	if full {
		offset, sy, sc = 0, 1, 1
	}
	fix := func(v float64) int32 { return int32(v*65536 + 0.5) }
	return toRGB{
		offset, fix(sy),
		fix(2 * (1 - kr) * sc), fix(2 * (1 - kb) * kb / kg * sc), fix(2 * (1 - kr) * kr / kg * sc), fix(2 * (1 - kb) * sc),
	}
}

func (t *toRGB) pixel(y, cb, cr uint8) (r, g, b uint8) {
	l := (int32(y)-t.offset)*t.y + 1<<15
	u, v := int32(cb)-128, int32(cr)-128
	return clamp(l + t.rv*v), clamp(l - t.gu*u - t.gv*v), clamp(l + t.bu*u)
}

// clamp drops the 16 bits behind the point and keeps 0 to 255.
func clamp(v int32) uint8 {
	if uint32(v) < 256<<16 {
		return uint8(v >> 16)
	}
	if v < 0 {
		return 0
	}
	return 255
}

// ToRGBA writes the picture to dst, which must be of the same size.
func (m *Image) ToRGBA(dst *image.RGBA) {
	t := newToRGB(m.Full, m.BT709)
	for y := range m.Size.Y {
		row := m.Y[y*m.YStride : y*m.YStride+m.Size.X]
		cb := m.Cb[y/2*m.CStride : y/2*m.CStride+(m.Size.X+1)/2]
		cr := m.Cr[y/2*m.CStride : y/2*m.CStride+(m.Size.X+1)/2]
		out := dst.Pix[y*dst.Stride : y*dst.Stride+4*m.Size.X]
		for c := range cb {
			u, v := int32(cb[c])-128, int32(cr[c])-128
			red, green, blue := t.rv*v+1<<15, -t.gu*u-t.gv*v+1<<15, t.bu*u+1<<15
			for x := 2 * c; x < min(2*c+2, len(row)); x++ {
				l := (int32(row[x]) - t.offset) * t.y
				o := out[4*x : 4*x+4 : 4*x+4]
				o[0], o[1], o[2], o[3] = clamp(l+red), clamp(l+green), clamp(l+blue), 255
			}
		}
	}
}

// FromRGBA sets the picture, in its own range and matrix, to src, which must be of the
// same size and whose transparency is ignored. Chroma is the mean of the pixels that
// share it.
func (m *Image) FromRGBA(src *image.RGBA) {
	kr, kb := coefficients(m.BT709)
	kg := 1 - kr - kb
	offset, sy, sc := int32(16), 219.0/255, 224.0/255
	if m.Full {
		offset, sy, sc = 0, 1, 1
	}
	fix := func(v float64) int32 {
		if v < 0 {
			return int32(v*65536 - 0.5)
		}
		return int32(v*65536 + 0.5)
	}
	yr, yg, yb := fix(kr*sy), fix(kg*sy), fix(kb*sy)
	ub := sc / (2 * (1 - kb))
	vr := sc / (2 * (1 - kr))
	ur, ug, ubb := fix(-kr*ub), fix(-kg*ub), fix((1-kb)*ub)
	vrr, vg, vb := fix((1-kr)*vr), fix(-kg*vr), fix(-kb*vr)
	for y := 0; y < m.Size.Y; y += 2 {
		rows := min(2, m.Size.Y-y)
		for x := 0; x < m.Size.X; x += 2 {
			columns := min(2, m.Size.X-x)
			var r, g, b int32
			for j := range rows {
				p := src.Pix[(y+j)*src.Stride+4*x:]
				l := m.Y[(y+j)*m.YStride+x:]
				for i := range columns {
					pr, pg, pb := int32(p[4*i]), int32(p[4*i+1]), int32(p[4*i+2])
					l[i] = clamp(yr*pr + yg*pg + yb*pb + offset<<16 + 1<<15)
					r, g, b = r+pr, g+pg, b+pb
				}
			}
			n := int32(rows * columns)
			c := y/2*m.CStride + x/2
			m.Cb[c] = clamp((ur*r+ug*g+ubb*b)/n + 128<<16 + 1<<15)
			m.Cr[c] = clamp((vrr*r+vg*g+vb*b)/n + 128<<16 + 1<<15)
		}
	}
}
