package yuv

import "image"

// fromRGB is the conversion from RGB: the factors of red, green and blue.
type fromRGB struct {
	y, u, v [3]int32
	black   int32 // luma's offset and the half for rounding
}

func newFromRGB(full, bt709 bool) fromRGB {
	kr, kb := coefficients(bt709)
	kg := 1 - kr - kb
	offset, luma, chroma := scales(full)
	u, v := chroma/(2*(1-kb)), chroma/(2*(1-kr))
	return fromRGB{
		y:     [3]int32{fix(kr * luma), fix(kg * luma), fix(kb * luma)},
		u:     [3]int32{fix(-kr * u), fix(-kg * u), fix((1 - kb) * u)},
		v:     [3]int32{fix((1 - kr) * v), fix(-kg * v), fix(-kb * v)},
		black: offset<<16 + half,
	}
}

func (t *fromRGB) luma(r, g, b int32) uint8 {
	return clamp(t.y[0]*r + t.y[1]*g + t.y[2]*b + t.black)
}

// chroma returns Cb and Cr of the mean of 1<<shift pixels, whose colours sum to r, g and b.
func (t *fromRGB) chroma(r, g, b int32, shift uint) (cb, cr uint8) {
	middle := int32(128<<16+half) << shift
	return clamp((t.u[0]*r + t.u[1]*g + t.u[2]*b + middle) >> shift), clamp((t.v[0]*r + t.v[1]*g + t.v[2]*b + middle) >> shift)
}

// FromRGBA sets the picture, in its own range and matrix, to the colours of src, without its transparency. Chroma is
// the mean of the pixels that share it. If the picture is larger than src, it repeats the last column and row.
func (m *Image) FromRGBA(src *image.RGBA) {
	size := src.Rect.Size()
	size.X, size.Y = min(size.X, m.Size.X), min(size.Y, m.Size.Y)
	if size.X <= 0 || size.Y <= 0 {
		return
	}
	t := newFromRGB(m.Full, m.BT709)
	for y := 0; y < size.Y; y += 2 {
		top := src.Pix[y*src.Stride : y*src.Stride+4*size.X]
		bottom := top
		l0 := m.Y[y*m.YStride : y*m.YStride+size.X]
		l1 := l0
		if y+1 < size.Y {
			bottom = src.Pix[(y+1)*src.Stride : (y+1)*src.Stride+4*size.X]
			l1 = m.Y[(y+1)*m.YStride : (y+1)*m.YStride+size.X]
		}
		c, n := y/2*m.CStride, (size.X+1)/2
		t.rows(l0, l1, m.Cb[c:c+n], m.Cr[c:c+n], top, bottom)
	}
	m.pad(size)
}

// rows converts two rows of pixels, which may be the same.
func (t *fromRGB) rows(l0, l1, cb, cr, top, bottom []byte) {
	pairs := len(l0) / 2
	l1, cr = l1[:len(l0)], cr[:len(cb)]
	for c := range pairs {
		p, q := top[8*c:8*c+8:8*c+8], bottom[8*c:8*c+8:8*c+8]
		r0, g0, b0 := int32(p[0]), int32(p[1]), int32(p[2])
		r1, g1, b1 := int32(p[4]), int32(p[5]), int32(p[6])
		r2, g2, b2 := int32(q[0]), int32(q[1]), int32(q[2])
		r3, g3, b3 := int32(q[4]), int32(q[5]), int32(q[6])
		l0[2*c], l0[2*c+1] = t.luma(r0, g0, b0), t.luma(r1, g1, b1)
		l1[2*c], l1[2*c+1] = t.luma(r2, g2, b2), t.luma(r3, g3, b3)
		cb[c], cr[c] = t.chroma(r0+r1+r2+r3, g0+g1+g2+g3, b0+b1+b2+b3, 2)
	}
	if x := 2 * pairs; x < len(l0) {
		p, q := top[4*x:4*x+3], bottom[4*x:4*x+3]
		r0, g0, b0 := int32(p[0]), int32(p[1]), int32(p[2])
		r1, g1, b1 := int32(q[0]), int32(q[1]), int32(q[2])
		l0[x], l1[x] = t.luma(r0, g0, b0), t.luma(r1, g1, b1)
		cb[pairs], cr[pairs] = t.chroma(r0+r1, g0+g1, b0+b1, 1)
	}
}

// pad fills the picture beyond size with its last column and row.
func (m *Image) pad(size image.Point) {
	plane := func(p []byte, stride int, from, to image.Point) {
		if from == to {
			return
		}
		for y := range from.Y {
			row := p[y*stride : y*stride+to.X]
			for x := from.X; x < to.X; x++ {
				row[x] = row[from.X-1]
			}
		}
		last := p[(from.Y-1)*stride : (from.Y-1)*stride+to.X]
		for y := from.Y; y < to.Y; y++ {
			copy(p[y*stride:], last)
		}
	}
	halved := func(p image.Point) image.Point { return image.Pt((p.X+1)/2, (p.Y+1)/2) }
	plane(m.Y, m.YStride, size, m.Size)
	plane(m.Cb, m.CStride, halved(size), halved(m.Size))
	plane(m.Cr, m.CStride, halved(size), halved(m.Size))
}
