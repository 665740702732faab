package yuv

import "image"

// ToRGBASlowly is ToRGBA without the code for the processor.
func (m *Image) ToRGBASlowly(dst *image.RGBA) {
	for y := range m.Size.Y {
		c, n := y/2*m.CStride, (m.Size.X+1)/2
		m.toRGB().row(dst.Pix[y*dst.Stride:y*dst.Stride+4*m.Size.X], m.Y[y*m.YStride:y*m.YStride+m.Size.X], m.Cb[c:c+n], m.Cr[c:c+n])
	}
}
