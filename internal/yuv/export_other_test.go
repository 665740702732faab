//go:build !amd64 || purego

package yuv

// WithoutAVX2 runs f.
func WithoutAVX2(f func()) { f() }
