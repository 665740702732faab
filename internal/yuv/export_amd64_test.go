//go:build !purego

package yuv

// WithoutAVX2 runs f as on a processor that has no AVX2.
func WithoutAVX2(f func()) {
	had := avx2
	avx2 = false
	defer func() { avx2 = had }()
	f()
}
