package mp4

import (
	"image"

	"github.com/bodymotion/motion/internal/yuv"
)

// matrix returns whether the movie gets the matrix of BT.709: as its first picture has
// it, or, of one that is not YUV, as players assume for the size.
func (w *writer) matrix(img image.Image) (bt709 bool) {
	if m, ok := img.(*yuv.Image); ok {
		return m.BT709
	}
	return min(w.even.X, w.even.Y) >= 720
}

// planes returns the planes of a picture in limited range and the movie's matrix, without
// gaps between rows: those of the picture itself where they are so, else a copy. An odd
// last column and row is repeated.
func (w *writer) planes(img image.Image) *yuv.Image {
	m, ok := img.(*yuv.Image)
	ok = ok && m.BT709 == w.bt709
	if ok && !m.Full && m.Size == w.even && m.YStride == m.Size.X && m.CStride == m.Size.X/2 {
		y, c := m.Size.X*m.Size.Y, m.Size.X/2*(m.Size.Y/2)
		return &yuv.Image{Y: m.Y[:y], Cb: m.Cb[:c], Cr: m.Cr[:c]}
	}
	if w.canvas == nil {
		w.canvas = yuv.New(w.even)
		w.canvas.BT709 = w.bt709
	}
	if ok && m.Full {
		w.canvas.CopyLimited(m)
	} else {
		w.converter.Convert(w.canvas, img)
	}
	return w.canvas
}
