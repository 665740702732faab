// Package yuv has the pictures of decoded movies: planar YUV 4:2:0 in the range and matrix of the
// movie, so that unchanged pixels keep their values from the decoder to the encoder.
package yuv

import (
	"image"
	"image/color"
	"math"
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

// Bytes returns the number of bytes of a picture without padding.
func Bytes(size image.Point) int {
	return size.X*size.Y + 2*((size.X+1)/2)*((size.Y+1)/2)
}

// Within returns size if it has fewer pixels than the limit, else the largest even size of about the same shape that has. 0 is no limit.
func Within(size image.Point, pixels int) image.Point {
	all := float64(size.X) * float64(size.Y)
	if pixels <= 0 || all < float64(pixels) {
		return size
	}
	k := math.Sqrt(float64(pixels-1) / all)
	return image.Pt(max(int(k*float64(size.X))&^1, 2), max(int(k*float64(size.Y))&^1, 2))
}

// Wrap returns the picture in buf, Bytes(size) bytes without padding: the planes Y, Cb and Cr.
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

// View returns a part of the picture, which shares its planes. The part begins at even pixels.
func (m *Image) View(r image.Rectangle) *Image {
	v := *m
	c := r.Min.Y/2*m.CStride + r.Min.X/2
	v.Y, v.Cb, v.Cr, v.Size = m.Y[r.Min.Y*m.YStride+r.Min.X:], m.Cb[c:], m.Cr[c:], r.Size()
	return &v
}

func (m *Image) Bounds() image.Rectangle { return image.Rectangle{Max: m.Size} }

func (m *Image) ColorModel() color.Model { return color.RGBAModel }

func (m *Image) At(x, y int) color.Color {
	if !image.Pt(x, y).In(m.Bounds()) {
		return color.RGBA{}
	}
	rgb, c := [3]byte{}, y/2*m.CStride+x/2
	m.toRGB().Row(rgb[:], 3, m.Y[y*m.YStride+x:][:1], m.Cb[c:], m.Cr[c:], true)
	return color.RGBA{rgb[0], rgb[1], rgb[2], 255}
}
