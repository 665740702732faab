package pixels

import "encoding/binary"

// blend adds weighted bytes in lanes of 16 bits, which hold a byte times weights that sum to 256, and the half for rounding.
const (
	lanes = 0x00ff00ff00ff00ff
	each  = 0x0001000100010001
	half  = one / 2
)

// blend writes the weighted sum of rows of bytes to dst. The first row starts at the start of pix,
// and rows are stride bytes apart. rest is what samples outside of the picture add, times 256.
func blend(dst, pix []byte, stride int, weights []uint64, rest uint64) {
	n := len(dst)
	start := (rest + half) * each
	x := 0
	for ; x+16 <= n; x += 16 {
		a, b, c, d := start, start, start, start
		at := x
		for _, w := range weights {
			p := pix[at : at+16 : at+16]
			v, u := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:])
			a += v & lanes * w
			b += v >> 8 & lanes * w
			c += u & lanes * w
			d += u >> 8 & lanes * w
			at += stride
		}
		out := dst[x : x+16 : x+16]
		binary.LittleEndian.PutUint64(out, a>>8&lanes|b&^lanes)
		binary.LittleEndian.PutUint64(out[8:], c>>8&lanes|d&^lanes)
	}
	for ; x < n; x++ {
		s := rest + half
		at := x
		for _, w := range weights {
			s += uint64(pix[at]) * w
			at += stride
		}
		dst[x] = uint8(s >> 8)
	}
}

// gather writes the weighted sums of the samples of a row, which are step bytes apart and begin with t's first.
func gather(out, row []byte, step int, t *taps, black uint8) {
	first := t.start[0]
	for i, start := range t.start {
		s := t.rest[i]*uint64(black) + half
		at := (start - first) * step
		for _, w := range t.of(i) {
			s += uint64(row[at]) * w
			at += step
		}
		out[i] = uint8(s >> 8)
	}
}
