package yuv

import (
	"encoding/binary"
	"image"
	"image/color"
)

// Span is the pixels Left ≤ x < Right of a row; empty if Right ≤ Left.
type Span struct{ Left, Right int }

// Fill sets the whole picture to a colour, without its transparency.
func (m *Image) Fill(c color.RGBA) {
	t := newFromRGB(m.Full, m.BT709)
	r, g, b := int32(c.R), int32(c.G), int32(c.B)
	y := t.luma(r, g, b)
	cb, cr := t.chroma(r, g, b, 0)
	plane := func(p []byte, stride int, size image.Point, v uint8) {
		for row := range size.Y {
			line := p[row*stride : row*stride+size.X]
			for i := range line {
				line[i] = v
			}
		}
	}
	half := image.Pt((m.Size.X+1)/2, (m.Size.Y+1)/2)
	plane(m.Y, m.YStride, m.Size, y)
	plane(m.Cb, m.CStride, half, cb)
	plane(m.Cr, m.CStride, half, cr)
}

// Lay draws a layer of the same size over the picture and clears it. spans[y] holds the pixels of row
// y that are not transparent; Lay ignores all others.
//
// With the opacity a (0 to 1) of a pixel and the luma y of its colour, Y becomes (1−a)·Y + a·y. Chroma is the mean over the pixels
// that share it, (1−ā)·C + mean(a·c). Except for rounding, this equals drawing in RGB and converting back.
func (m *Image) Lay(layer *image.RGBA, spans []Span) {
	t := newFromRGB(m.Full, m.BT709)
	for y := 0; y < m.Size.Y; y += 2 {
		s := spans[y]
		rows := 1
		if y+1 < m.Size.Y {
			rows = 2
			s = s.union(spans[y+1])
		}
		left, right := max(s.Left, 0)&^1, min((s.Right+1)&^1, m.Size.X)
		if right <= left {
			continue
		}
		var p strip
		for i := range rows {
			p.luma[i] = m.Y[(y+i)*m.YStride+left : (y+i)*m.YStride+right]
			p.layer[i] = layer.Pix[(y+i)*layer.Stride+4*left : (y+i)*layer.Stride+4*right]
		}
		c, n := y/2*m.CStride+left/2, (right-left+1)/2
		p.cb, p.cr = m.Cb[c:c+n], m.Cr[c:c+n]
		t.lay(&p)
	}
}

func (s Span) union(o Span) Span {
	switch {
	case s.Right <= s.Left:
		return o
	case o.Right <= o.Left:
		return s
	}
	return Span{min(s.Left, o.Left), max(s.Right, o.Right)}
}

// strip is a part of two rows that share their chroma. In the last row of a picture of odd height, the second row is empty.
type strip struct {
	luma   [2][]byte
	layer  [2][]byte
	cb, cr []byte
}

// per255 is 1/255 with 16 fractional bits.
const per255 = 257

// lay draws the layer of a strip over its planes. Most of a strip is empty.
func (t *fromRGB) lay(p *strip) {
	rows := 2
	if len(p.luma[1]) == 0 {
		rows = 1
	}
	for c := range p.cb {
		whole := rows == 2 && 8*c+8 <= len(p.layer[0])
		if !whole || binary.LittleEndian.Uint64(p.layer[0][8*c:])|binary.LittleEndian.Uint64(p.layer[1][8*c:]) != 0 {
			t.block(p, c, rows)
		}
	}
}

// block draws the pixels that share the chroma at c over a strip's planes.
func (t *fromRGB) block(p *strip, c, rows int) {
	pixels := min(2, len(p.luma[0])-2*c) // of each row
	var sum [4]int32                     // red, green, blue, opacity
	for i := range rows {
		px := p.layer[i][8*c : 8*c+4*pixels]
		for k := range pixels {
			q := px[4*k : 4*k+4 : 4*k+4]
			a := int32(q[3])
			if a == 0 {
				continue
			}
			r, g, b := int32(q[0]), int32(q[1]), int32(q[2])
			sum[0], sum[1], sum[2], sum[3] = sum[0]+r, sum[1]+g, sum[2]+b, sum[3]+a
			l := &p.luma[i][2*c+k]
			*l = t.over(r, g, b, a, *l)
		}
		clear(px)
	}
	if sum[3] > 0 {
		t.overChroma(sum, int32(rows*pixels), &p.cb[c], &p.cr[c])
	}
}

// over returns luma with a premultiplied colour drawn over it. opacity is 0 to 255.
func (t *fromRGB) over(r, g, b, opacity int32, luma uint8) uint8 {
	if opacity == 255 {
		return t.luma(r, g, b)
	}
	return clamp(t.y[0]*r + t.y[1]*g + t.y[2]*b + half + per255*(t.black>>16*opacity+int32(luma)*(255-opacity)))
}

// overChroma sets the chroma that n pixels share. sum holds their summed colours and opacity.
func (t *fromRGB) overChroma(sum [4]int32, n int32, cb, cr *uint8) {
	shift := uint(n / 2) // n is 1, 2 or 4
	r, g, b, a := sum[0], sum[1], sum[2], sum[3]
	if a == 255*n {
		*cb, *cr = t.chroma(r, g, b, shift)
		return
	}
	rest := 255*n - a
	u := t.u[0]*r + t.u[1]*g + t.u[2]*b + per255*(128*a+int32(*cb)*rest)
	v := t.v[0]*r + t.v[1]*g + t.v[2]*b + per255*(128*a+int32(*cr)*rest)
	*cb, *cr = clamp(u>>shift+half), clamp(v>>shift+half)
}
