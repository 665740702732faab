package yuv

import (
	"image"
	"image/draw"
)

// Converter converts pictures of any type to the planes of an Image. The zero value is ready to use.
// It reuses a buffer and is not safe for concurrent use.
type Converter struct{ rgba *image.RGBA }

// Convert sets dst, in its own range and matrix, to src over black. Planes of the same range and
// matrix are copied. If dst is larger than src, it repeats the last column and row.
func (c *Converter) Convert(dst *Image, src image.Image) {
	switch m := src.(type) {
	case *Image:
		if m.Full == dst.Full && m.BT709 == dst.BT709 {
			dst.copyPlanes(m)
			return
		}
		dst.FromRGBA(c.convert(m.Bounds(), func(rgba *image.RGBA) { m.ToRGBA(rgba) }))
	case *image.RGBA:
		dst.FromRGBA(m)
	case *image.YCbCr:
		// JPEG's planes: full range, BT.601.
		if m.SubsampleRatio == image.YCbCrSubsampleRatio420 && dst.Full && !dst.BT709 && m.Rect.Min.X%2 == 0 && m.Rect.Min.Y%2 == 0 {
			y, u := m.YOffset(m.Rect.Min.X, m.Rect.Min.Y), m.COffset(m.Rect.Min.X, m.Rect.Min.Y)
			dst.copyPlanes(&Image{Y: m.Y[y:], Cb: m.Cb[u:], Cr: m.Cr[u:], YStride: m.YStride, CStride: m.CStride, Size: m.Rect.Size()})
			return
		}
		c.draw(dst, src)
	default:
		c.draw(dst, src)
	}
}

func (c *Converter) draw(dst *Image, src image.Image) {
	dst.FromRGBA(c.convert(src.Bounds(), func(rgba *image.RGBA) {
		draw.Draw(rgba, rgba.Rect, src, src.Bounds().Min, draw.Src)
	}))
}

// convert returns the buffer, in the size of bounds, after paint.
func (c *Converter) convert(bounds image.Rectangle, paint func(*image.RGBA)) *image.RGBA {
	if c.rgba == nil || c.rgba.Rect.Size() != bounds.Size() {
		c.rgba = image.NewRGBA(image.Rectangle{Max: bounds.Size()})
	}
	paint(c.rgba)
	return c.rgba
}

// copyPlanes copies what fits of src.
func (m *Image) copyPlanes(src *Image) {
	size := image.Pt(min(src.Size.X, m.Size.X), min(src.Size.Y, m.Size.Y))
	if size.X <= 0 || size.Y <= 0 {
		return
	}
	plane := func(dst []byte, dstStride int, src []byte, srcStride, width, height int) {
		for y := range height {
			copy(dst[y*dstStride:y*dstStride+width], src[y*srcStride:])
		}
	}
	plane(m.Y, m.YStride, src.Y, src.YStride, size.X, size.Y)
	plane(m.Cb, m.CStride, src.Cb, src.CStride, (size.X+1)/2, (size.Y+1)/2)
	plane(m.Cr, m.CStride, src.Cr, src.CStride, (size.X+1)/2, (size.Y+1)/2)
	m.pad(size)
}
