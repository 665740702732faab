package yuv

import (
	"encoding/binary"
	"image"
)

// Numbers have 16 fractional bits; half rounds.
const half = 1 << 15

func fix(v float64) int32 {
	if v < 0 {
		return int32(v*65536 - 0.5)
	}
	return int32(v*65536 + 0.5)
}

// Clamp drops 16 fractional bits and limits to 0 to 255.
func Clamp(v int32) uint8 {
	if uint32(v) < 256<<16 {
		return uint8(v >> 16)
	}
	return uint8(^(v >> 31)) // 0 below, 255 above
}

// toRGB is a Matrix with 13 fractional bits, so that each factor fits into 16 bits.
type toRGB struct {
	offset, luma, rv, gu, gv, bu int32
	vectors                      vectors // the same for SSE2
}

// behind is the number of fractional bits of a toRGB.
const behind = 13

func newToRGB(full, bt709 bool) *toRGB {
	m := NewMatrix(full, bt709)
	fix := func(v float64) int32 { return int32(v*(1<<behind) + 0.5) }
	t := &toRGB{
		offset: int32(m.Black), luma: fix(m.Luma),
		rv: fix(m.RV), gu: fix(m.GU), gv: fix(m.GV), bu: fix(m.BU),
	}
	t.vectors = t.vectorize()
	return t
}

// chroma returns what the two chroma values, and the half for rounding, add to red, green and blue.
func (t *toRGB) chroma(cb, cr uint8) (r, g, b int32) {
	const half = 1 << (behind - 1)
	u, v := int32(cb)-128, int32(cr)-128
	return t.rv*v + half, half - t.gu*u - t.gv*v, t.bu*u + half
}

// cut drops the fractional bits and limits to 0 to 255.
func cut(v int32) uint8 {
	if uint32(v) < 256<<behind {
		return uint8(v >> behind)
	}
	return uint8(^(v >> 31)) // 0 below, 255 above
}

func (t *toRGB) pixel(y, cb, cr uint8) (r, g, b uint8) {
	red, green, blue := t.chroma(cb, cr)
	l := (int32(y) - t.offset) * t.luma
	return cut(l + red), cut(l + green), cut(l + blue)
}

// conversions are those of limited and full range, each for BT.601 and BT.709.
var conversions = [4]*toRGB{newToRGB(false, false), newToRGB(false, true), newToRGB(true, false), newToRGB(true, true)}

func (m *Image) toRGB() *toRGB {
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
		c := y / 2 * m.CStride
		n := (m.Size.X + 1) / 2
		out := dst.Pix[y*dst.Stride : y*dst.Stride+4*m.Size.X]
		luma, cb, cr := m.Y[y*m.YStride:y*m.YStride+m.Size.X], m.Cb[c:c+n], m.Cr[c:c+n]
		done := t.fast(out, luma, cb, cr)
		t.row(out[4*done:], luma[done:], cb[done/2:], cr[done/2:])
	}
}

// row converts a row to four bytes per pixel.
func (t *toRGB) row(out, luma, cb, cr []byte) {
	cr = cr[:len(cb)]
	pairs := len(luma) / 2
	for c := range pairs {
		red, green, blue := t.chroma(cb[c], cr[c])
		y := luma[2*c : 2*c+2 : 2*c+2]
		o := out[8*c : 8*c+8 : 8*c+8]
		l := (int32(y[0]) - t.offset) * t.luma
		k := (int32(y[1]) - t.offset) * t.luma
		binary.LittleEndian.PutUint64(o, 0xff000000_ff000000|
			uint64(cut(l+red))|uint64(cut(l+green))<<8|uint64(cut(l+blue))<<16|
			uint64(cut(k+red))<<32|uint64(cut(k+green))<<40|uint64(cut(k+blue))<<48)
	}
	if x := 2 * pairs; x < len(luma) {
		o := out[4*x : 4*x+4]
		o[0], o[1], o[2] = t.pixel(luma[x], cb[pairs], cr[pairs])
		o[3] = 255
	}
}
