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

// rows is the number of result rows that gather makes at a time, one in each lane.
const rows = 4

// pack puts the bytes of four rows into the lanes of dst.
func pack(dst []uint64, from *[rows][]byte) {
	n := len(dst)
	a, b, c, d := from[0][:n], from[1][:n], from[2][:n], from[3][:n]
	for x := range dst {
		dst[x] = uint64(a[x]) | uint64(b[x])<<16 | uint64(c[x])<<32 | uint64(d[x])<<48
	}
}

// gather writes four rows of the weighted sums of samples. Samples are from numbers apart in packed, whose first one is t's first.
func gather(out []byte, packed []uint64, from int, t *taps, black uint8) {
	first, n := t.start[0], len(t.start)
	a, b, c, d := out[:n], out[n:2*n], out[2*n:3*n], out[3*n:4*n]
	for i, start := range t.start {
		s := (t.rest[i]*uint64(black) + half) * each
		at := (start - first) * from
		for _, w := range t.of(i) {
			s += packed[at] * w
			at += from
		}
		a[i], b[i], c[i], d[i] = uint8(s>>8), uint8(s>>24), uint8(s>>40), uint8(s>>56)
	}
}
