package pixels

import "github.com/bodymotion/motion/inference/internal/raster"

// resample writes the region [fromX, fromX+lengthX) × [fromY, fromY+lengthY) of the picture, in pixels, to rgb as width×height
// pixels that are step bytes apart. If the picture has one chroma sample for 2×2 pixels, so has the result.
func (c *Cutter) resample(rgb []byte, stride, step, width, height int, p *Picture, fromX, fromY, lengthX, lengthY float64) {
	paired := p.Planes() && p.Sheets[1].PerX == 2 && p.Sheets[1].PerY == 2
	for i := range p.Sheets {
		s, w, h, lenX, lenY := &p.Sheets[i], width, height, lengthX, lengthY
		if i > 0 && paired {
			w, h = (width+1)/2, (height+1)/2
			lenX, lenY = lengthX*float64(2*w)/float64(width), lengthY*float64(2*h)/float64(height)
		}
		c.across.set(w, fromX/s.PerX+s.FirstX, lenX/s.PerX, s.Width)
		c.down.set(h, fromY/s.PerY+s.FirstY, lenY/s.PerY, s.Height)
		from, end := 0, 3
		if p.Planes() {
			from, end = i, i+1
		}
		for k := from; k < end; k++ {
			c.planes[k] = grow(c.planes[k], w*h)
		}
		for v := range h {
			c.blend(s, v)
			for k := from; k < end; k++ {
				gather(c.planes[k][v*w:(v+1)*w], c.row[min(p.Channels[k], len(c.row)):], s.Step, &c.across, s.Black)
			}
		}
	}
	for v := range height {
		out := rgb[v*stride : v*stride+step*(width-1)+3]
		w, line := width, v
		if paired {
			w, line = (width+1)/2, v/2
		}
		a, b, c := c.planes[0][v*width:][:width], c.planes[1][line*w:][:w], c.planes[2][line*w:][:w]
		if p.toRGB != nil {
			p.toRGB.Row(out, step, a, b, c, paired)
			continue
		}
		for x := range a {
			out[step*x], out[step*x+1], out[step*x+2] = a[x], b[x], c[x]
		}
	}
}

// blend makes the samples of a sheet for a row of the result, blended down the columns.
func (c *Cutter) blend(s *raster.Sheet, v int) {
	first, end := c.across.span()
	pix, weights := s.Pix, c.down.of(v)
	if len(weights) > 0 {
		pix = pix[c.down.start[v]*s.Stride+first*s.Step:]
	}
	c.row = grow(c.row, (end-first)*s.Step)
	blend(c.row, pix, s.Stride, weights, c.down.rest[v]*uint64(s.Black))
}

func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
