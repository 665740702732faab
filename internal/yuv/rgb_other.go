//go:build !amd64 || purego

package yuv

// vectors is empty: there is no code for this processor.
type vectors struct{}

func (t *toRGB) vectorize() vectors { return vectors{} }

// fast converts nothing.
func (t *toRGB) fast(out, luma, cb, cr []byte) int { return 0 }
