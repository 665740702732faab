package yuv

import "image"

// Numbers have 16 fractional bits; half rounds.
const half = 1 << 15

func fix(v float64) int32 {
	if v < 0 {
		return int32(v*65536 - 0.5)
	}
	return int32(v*65536 + 0.5)
}

// clamp drops 16 fractional bits and limits to 0 to 255.
func clamp(v int32) uint8 {
	if uint32(v) < 256<<16 {
		return uint8(v >> 16)
	}
	return uint8(^(v >> 31)) // 0 below, 255 above
}

// RGB is a Matrix in fixed-point numbers.
type RGB struct {
	y              [256]int32 // the grey of each luma, with the half for rounding
	rv, gu, gv, bu int32      // factors of chroma minus 128
}

func NewRGB(m Matrix) *RGB {
	t := &RGB{rv: fix(m.RV), gu: fix(m.GU), gv: fix(m.GV), bu: fix(m.BU)}
	for i := range t.y {
		t.y[i] = (int32(i)-int32(m.Black))*fix(m.Luma) + half
	}
	return t
}

// Row converts a row of samples to the red, green and blue of pixels that are step bytes apart. There is one sample of Cb and
// Cr per pixel, or per two pixels if paired.
func (t *RGB) Row(out []byte, step int, y, cb, cr []byte, paired bool) {
	shift := 0
	if paired {
		shift = 1
	}
	for i, luma := range y {
		l, u, v := t.y[luma], int32(cb[i>>shift])-128, int32(cr[i>>shift])-128
		o := out[i*step : i*step+3 : i*step+3]
		o[0], o[1], o[2] = clamp(l+t.rv*v), clamp(l-t.gu*u-t.gv*v), clamp(l+t.bu*u)
	}
}

// conversions are those of limited and full range, each for BT.601 and BT.709.
var conversions = [4]*RGB{NewRGB(NewMatrix(false, false)), NewRGB(NewMatrix(false, true)), NewRGB(NewMatrix(true, false)), NewRGB(NewMatrix(true, true))}

func (m *Image) toRGB() *RGB {
	i := 0
	if m.Full {
		i = 2
	}
	if m.BT709 {
		i++
	}
	return conversions[i]
}

// ToRGBA writes the picture to dst, which must have the same size.
func (m *Image) ToRGBA(dst *image.RGBA) {
	t := m.toRGB()
	for y := range m.Size.Y {
		out, c := dst.Pix[y*dst.Stride:][:4*m.Size.X], y/2*m.CStride
		t.Row(out, 4, m.Y[y*m.YStride:][:m.Size.X], m.Cb[c:], m.Cr[c:], true)
		for i := 3; i < len(out); i += 4 {
			out[i] = 255
		}
	}
}
