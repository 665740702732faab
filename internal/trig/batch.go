package trig

import "github.com/bodymotion/motion/internal/cpu"

// Atan2s sets each dst[i] to Atan2(y[i], x[i]), to the same last bit; dst may be y or x.
// The three are of one length.
func Atan2s(dst, y, x []float64) {
	y, x = y[:len(dst)], x[:len(dst)]
	for i := 0; i < len(dst); {
		if cpu.AVX2 && len(dst)-i >= 4 {
			i += atan2AVX2(dst[i:], y[i:], x[i:])
		}
		// Where that stopped: beyond the range of its formula, or fewer than four.
		for end := min(i+4, len(dst)); i < end; i++ {
			dst[i] = Atan2(y[i], x[i])
		}
	}
}
