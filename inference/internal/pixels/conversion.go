package pixels

import "github.com/bodymotion/motion/internal/yuv"

// conversion turns Y, Cb and Cr into RGB, in fixed-point numbers with 16 fractional bits.
type conversion struct {
	y              [256]int32 // the grey of each luma, with the half for rounding
	rv, gu, gv, bu int32      // factors of chroma minus 128
}

func newConversion(m yuv.Matrix) *conversion {
	fix := func(v float64) int32 { return int32(v*65536 + 0.5) }
	c := &conversion{rv: fix(m.RV), gu: fix(m.GU), gv: fix(m.GV), bu: fix(m.BU)}
	for i := range c.y {
		c.y[i] = (int32(i)-int32(m.Black))*fix(m.Luma) + 1<<15
	}
	return c
}

// row converts a row of samples to pixels that are step bytes apart. There is one sample of Cb and Cr
// per pixel, or per two pixels if paired.
func (c *conversion) row(out []byte, step int, y, cb, cr []uint8, paired bool) {
	shift := 0
	if paired {
		shift = 1
	}
	for i, luma := range y {
		l, u, v := c.y[luma], int32(cb[i>>shift])-128, int32(cr[i>>shift])-128
		o := out[i*step : i*step+3 : i*step+3]
		o[0], o[1], o[2] = yuv.Clamp(l+c.rv*v), yuv.Clamp(l-c.gu*u-c.gv*v), yuv.Clamp(l+c.bu*u)
	}
}
