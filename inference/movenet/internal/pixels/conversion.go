package pixels

import "github.com/bodymotion/motion/internal/yuv"

// conversion turns Y, Cb and Cr into RGB, with 16 bits behind the point.
type conversion struct {
	y              [256]int32 // the grey of each luma, with the half that rounds
	rv, gu, gv, bu int32      // of chroma, from its middle
}

func newConversion(m yuv.Matrix) *conversion {
	fix := func(v float64) int32 { return int32(v*65536 + 0.5) }
	c := &conversion{rv: fix(m.RV), gu: fix(m.GU), gv: fix(m.GV), bu: fix(m.BU)}
	for i := range c.y {
		c.y[i] = (int32(i)-int32(m.Black))*fix(m.Luma) + 1<<15
	}
	return c
}

// row converts a row of samples to pixels that are step bytes apart. There is one
// sample of Cb and of Cr for each pixel, or for each two where paired is set.
func (c *conversion) row(out []byte, step int, y, cb, cr []uint8, paired bool) {
	if !paired {
		for i, l := range y {
			c.pixel(out[i*step:], l, int32(cb[i])-128, int32(cr[i])-128)
		}
		return
	}
	cb, cr = cb[:(len(y)+1)/2], cr[:(len(y)+1)/2]
	at := 0
	for i := range len(y) / 2 {
		u, v := int32(cb[i])-128, int32(cr[i])-128
		r, g, b := c.rv*v, -c.gu*u-c.gv*v, c.bu*u
		two := y[2*i : 2*i+2 : 2*i+2]
		l, m := c.y[two[0]], c.y[two[1]]
		o := out[at : at+step+3 : at+step+3]
		o[0], o[1], o[2] = clamp(l+r), clamp(l+g), clamp(l+b)
		p := o[step : step+3]
		p[0], p[1], p[2] = clamp(m+r), clamp(m+g), clamp(m+b)
		at += 2 * step
	}
	if last := len(y) - 1; len(y)%2 == 1 {
		c.pixel(out[at:], y[last], int32(cb[last/2])-128, int32(cr[last/2])-128)
	}
}

func (c *conversion) pixel(out []byte, y uint8, u, v int32) {
	l := c.y[y]
	out = out[:3]
	out[0], out[1], out[2] = clamp(l+c.rv*v), clamp(l-c.gu*u-c.gv*v), clamp(l+c.bu*u)
}

// clamp drops the 16 bits behind the point and keeps 0 to 255.
func clamp(v int32) uint8 {
	if uint32(v) < 256<<16 {
		return uint8(v >> 16)
	}
	return uint8(^(v >> 31)) // 0 below, 255 above
}
