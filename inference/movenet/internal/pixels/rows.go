package pixels

import "encoding/binary"

// The kernels below add up weighted bytes, several at once, in lanes of 16 bits: a
// byte times weights that sum to 256 fits, with the half that rounds.
const (
	lanes = 0x00ff00ff00ff00ff
	each  = 0x0001000100010001
	half  = one / 2
)

// blend writes to dst the weighted sum of rows of bytes. The first row begins at the
// start of pix, and rows are stride bytes apart. rest is what samples outside of the
// picture add, times 256.
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

// Packed weights make a whole dot product of one multiplication. The samples of a word,
// every other byte of it, are the digits of a number to the base 65536; the weights, in
// the opposite order, those of another. No digit of the product overflows into the
// next, because the weights of a result pixel sum to 256, and its highest digits are
// sums of samples times their weights.

// word is one read of 8 samples for a result pixel.
type word struct {
	at        int    // first sample in the row
	even, odd uint64 // packed weights of every other sample
}

// gather writes to out one value a result pixel: the weighted sum of the samples of
// row, which are bytes. It reads up to slack bytes after the last sample.
func gather(out, row []byte, t *taps) {
	begin := t.begin[:len(out)]
	if t.words == 1 {
		words := t.packed[:len(out)]
		for i := range words {
			w := &words[i]
			v := binary.LittleEndian.Uint64(row[w.at : w.at+8 : w.at+8])
			out[i] = uint8((begin[i] + v&lanes*w.even + v>>8&lanes*w.odd) >> 56)
		}
		return
	}
	packed := t.packed
	for i, s := range begin {
		for j := range packed[:t.words] {
			w := &packed[j]
			v := binary.LittleEndian.Uint64(row[w.at : w.at+8 : w.at+8])
			s += v&lanes*w.even + v>>8&lanes*w.odd
		}
		out[i] = uint8(s >> 56)
		packed = packed[t.words:]
	}
}

// pack makes the packed weights for gather. Outside of the samples is black.
func (t *taps) pack(black uint8) {
	first, _ := t.span()
	t.words = max((t.most()+7)/8, 1)
	t.packed, t.begin = t.packed[:0], t.begin[:0]
	for i, rest := range t.rest {
		t.begin = append(t.begin, (rest*uint64(black)+half)<<48)
		w := t.of(i)
		for k := range t.words {
			p := word{at: t.start[i] - first + 8*k}
			for j := range min(len(w), 8) {
				if shift := 48 - 16*(j/2); j%2 == 0 {
					p.even |= w[j] << shift
				} else {
					p.odd |= w[j] << shift
				}
			}
			if len(w) == 0 {
				p.at = 0 // nothing left to weigh
			}
			t.packed = append(t.packed, p)
			w = w[min(len(w), 8):]
		}
	}
}

// gatherRGBA is gather for pixels of 4 bytes, red first, outside of which is 0. A word
// is 2 pixels. The result's pixels are step bytes apart.
func gatherRGBA(out []byte, step int, row []byte, t *taps) {
	packed := t.packed
	for o := 0; len(packed) >= t.words; o += step {
		var rb, g uint64 = half<<48 | half<<32, half << 32
		for j := range packed[:t.words] {
			w := &packed[j]
			v := binary.LittleEndian.Uint64(row[w.at : w.at+8 : w.at+8])
			rb += v & lanes * w.even
			g += v >> 8 & lanes * w.even
		}
		packed = packed[t.words:]
		p := out[o : o+3 : o+3]
		p[0], p[1], p[2] = uint8(rb>>40), uint8(g>>40), uint8(rb>>56)
	}
}

// packRGBA makes the packed weights for gatherRGBA.
func (t *taps) packRGBA() {
	first, _ := t.span()
	t.words = max((t.most()+1)/2, 1)
	t.packed = t.packed[:0]
	for i := range t.start {
		w := t.of(i)
		for k := range t.words {
			p := word{at: 4*(t.start[i]-first) + 8*k}
			for j := range min(len(w), 2) {
				p.even |= w[j] << (32 - 32*j)
			}
			if len(w) == 0 {
				p.at = 0 // nothing left to weigh
			}
			t.packed = append(t.packed, p)
			w = w[min(len(w), 2):]
		}
	}
}

// slack is how many bytes after the last sample are read.
const slack = 8

// gatherWide is gather for samples that are step bytes apart.
func gatherWide(out, row []byte, step, first int, t *taps) {
	for i := range out {
		s := uint64(half)
		at := (t.start[i] - first) * step
		for _, w := range t.of(i) {
			s += uint64(row[at]) * w
			at += step
		}
		out[i] = uint8(s >> 8)
	}
}
