//go:build !purego

package yuv

// vectors holds the numbers of a toRGB for SSE2, which every amd64 has. Pairs are factors of two adjacent values.
type vectors struct {
	offset   [8]int16    // of luma
	middle   [8]int16    // of chroma
	red      [4][2]int16 // of luma and Cr
	blue     [4][2]int16 // of luma and Cb
	green    [4][2]int16 // of luma and Cr
	greenToo [4][2]int16 // of Cb and 0
	half     [4]int32    // for rounding
	opaque   [16]uint8
}

func (t *toRGB) vectorize() (v vectors) {
	for i := range v.offset {
		v.offset[i], v.middle[i] = int16(t.offset), 128
	}
	for i := range v.half {
		v.red[i] = [2]int16{int16(t.luma), int16(t.rv)}
		v.blue[i] = [2]int16{int16(t.luma), int16(t.bu)}
		v.green[i] = [2]int16{int16(t.luma), int16(-t.gv)}
		v.greenToo[i] = [2]int16{int16(-t.gu), 0}
		v.half[i] = 1 << (behind - 1)
	}
	for i := range v.opaque {
		v.opaque[i] = 255
	}
	return v
}

// fast converts the first pixels of a row as row does. It returns their number, a multiple of eight.
func (t *toRGB) fast(out, luma, cb, cr []byte) int {
	n := len(luma) &^ 7
	if n == 0 {
		return 0
	}
	_, _, _ = out[4*n-1], cb[n/2-1], cr[n/2-1]
	rowSSE2(&out[0], &luma[0], &cb[0], &cr[0], n, &t.vectors)
	return n
}

// rowSSE2 converts n pixels, a positive multiple of eight.
//
//go:noescape
func rowSSE2(out, luma, cb, cr *byte, n int, v *vectors)
