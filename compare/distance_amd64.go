//go:build !purego

package compare

import "github.com/bodymotion/motion/internal/cpu"

// sumsAVX2 is sums for processors with AVX2.
//
//go:noescape
func sumsAVX2(a, b *pose, out *float32, n int, ones *[8]float32)

var ones = [8]float32{1, 1, 1, 1, 1, 1, 1, 1}

// sums fills out with the sums of the distances of the parts that a and each pose of b have.
func sums(a *pose, b []pose, out []float32) {
	if len(b) == 0 {
		return
	}
	_ = out[len(b)-1]
	if cpu.AVX2 {
		sumsAVX2(a, &b[0], &out[0], len(b), &ones)
		return
	}
	sumsGo(a, b, out)
}
