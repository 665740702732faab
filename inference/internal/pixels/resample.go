package pixels

import "github.com/bodymotion/motion/inference/internal/raster"

// resample writes the region [fromX, fromX+lengthX) × [fromY, fromY+lengthY) of the picture, in
// pixels, to rgb as width×height pixels that are step bytes apart.
func (c *Cutter) resample(rgb []byte, stride, step, width, height int, p *Picture, fromX, fromY, lengthX, lengthY float64) {
	if p.toRGB != nil {
		c.planes(rgb, stride, step, width, height, p, fromX, fromY, lengthX, lengthY)
		return
	}
	s := &p.Sheets[0]
	c.across[0].set(width, fromX, lengthX, s.Width)
	c.down[0].set(height, fromY, lengthY, s.Height)
	for v := range height {
		row := c.blend(s, 0, v)
		for i, channel := range p.Channels {
			gather(rgb[v*stride+i:], step, row[min(channel, len(row)):], s.Step, &c.across[0], s.Black)
		}
	}
}

// planes is resample for YCbCr. If the picture has one chroma sample for 2×2 pixels, so has the result.
func (c *Cutter) planes(rgb []byte, stride, step, width, height int, p *Picture, fromX, fromY, lengthX, lengthY float64) {
	paired := p.Sheets[1].PerX == 2 && p.Sheets[1].PerY == 2
	for i := range 2 {
		s := &p.Sheets[i]
		w, h, lenX, lenY := width, height, lengthX, lengthY
		if i == 1 && paired {
			w, h = (width+1)/2, (height+1)/2
			lenX, lenY = lengthX*float64(2*w)/float64(width), lengthY*float64(2*h)/float64(height)
		}
		c.across[i].set(w, fromX/s.PerX+s.FirstX, lenX/s.PerX, s.Width)
		c.down[i].set(h, fromY/s.PerY+s.FirstY, lenY/s.PerY, s.Height)
	}
	for i := range c.values {
		c.values[i] = grow(c.values[i], width)
	}
	for v := range height {
		for i := range p.Sheets {
			kind, line := min(i, 1), v
			if kind == 1 && paired {
				if v%2 == 1 {
					continue // the chroma of the row above
				}
				line = v / 2
			}
			row := c.blend(&p.Sheets[i], kind, line)
			gather(c.values[i], 1, row, 1, &c.across[kind], p.Sheets[i].Black)
		}
		p.toRGB.row(rgb[v*stride:v*stride+step*(width-1)+3], step, c.values[0], c.values[1], c.values[2], paired)
	}
}

// blend returns the samples of result row v of a sheet, blended down the columns.
func (c *Cutter) blend(s *raster.Sheet, kind, v int) []byte {
	down := &c.down[kind]
	first, end := c.across[kind].span()
	c.row = grow(c.row, (end-first)*s.Step)
	pix := s.Pix
	weights := down.of(v)
	if len(weights) > 0 {
		pix = pix[down.start[v]*s.Stride+first*s.Step:]
	}
	blend(c.row, pix, s.Stride, weights, down.rest[v]*uint64(s.Black))
	return c.row
}

func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
