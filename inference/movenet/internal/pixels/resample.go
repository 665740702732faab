package pixels

import "github.com/bodymotion/motion/inference/internal/raster"

// resample writes the region [fromX, fromX+lengthX) × [fromY, fromY+lengthY) of the
// picture, in pixels, to rgb as width×height pixels that are step bytes apart.
func (c *Cutter) resample(rgb []byte, stride, step, width, height int, p *Picture, fromX, fromY, lengthX, lengthY float64) {
	if p.toRGB != nil {
		c.planes(rgb, stride, step, width, height, p, fromX, fromY, lengthX, lengthY)
		return
	}
	s := &p.Sheets[0]
	across := &c.across[0]
	across.set(width, fromX, lengthX, s.Width)
	c.down[0].set(height, fromY, lengthY, s.Height)
	if s.Step == 4 {
		across.packRGBA()
	} else if s.Step == 1 {
		across.pack(s.Black)
	}
	c.reserve(p, 1, width)
	for v := range height {
		out := rgb[v*stride : v*stride+step*(width-1)+3]
		row, first := c.blend(s, 0, v)
		switch s.Step {
		case 4:
			gatherRGBA(out, step, row, across)
			continue
		case 1:
			gather(c.values[0], row, across)
		default:
			for i, channel := range p.Channels {
				gatherWide(c.values[i], row[channel:], s.Step, first, across)
			}
		}
		red, green, blue := c.values[p.Channels[0]/2], c.values[p.Channels[1]/2], c.values[p.Channels[2]/2]
		for u, at := 0, 0; u < width; u, at = u+1, at+step {
			out[at], out[at+1], out[at+2] = red[u], green[u], blue[u]
		}
	}
}

// planes is resample for YCbCr. Where the picture has one chroma sample for 2×2
// pixels, the result gets one for 2×2 of its own: nobody sees the difference, and it
// is a third of the work.
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
		c.across[i].pack(s.Black)
		c.down[i].set(h, fromY/s.PerY+s.FirstY, lenY/s.PerY, s.Height)
	}
	c.reserve(p, 2, width)
	for v := range height {
		out := rgb[v*stride : v*stride+step*(width-1)+3]
		for i := range p.Sheets {
			kind := min(i, 1)
			line := v
			if kind == 1 && paired {
				if v%2 == 1 {
					continue // the chroma of the row above
				}
				line = v / 2
			}
			row, _ := c.blend(&p.Sheets[i], kind, line)
			across := &c.across[kind]
			gather(c.values[i][:len(across.start)], row, across)
		}
		p.toRGB.row(out, step, c.values[0], c.values[1], c.values[2], paired)
	}
}

// reserve makes room for a row of the first sheets and for the values of a row.
func (c *Cutter) reserve(p *Picture, sheets, width int) {
	room := 0
	for i := range sheets {
		first, end := c.across[i].span()
		room = max(room, (end-first)*p.Sheets[i].Step+slack)
	}
	c.row = grow(c.row, room)
	for i := range c.values {
		c.values[i] = grow(c.values[i], width)
	}
}

// blend returns the samples of result row v of a sheet, blended down the columns, and
// the column of the first.
func (c *Cutter) blend(s *raster.Sheet, kind, v int) (row []byte, first int) {
	across, down := &c.across[kind], &c.down[kind]
	first, end := across.span()
	n := (end - first) * s.Step
	row = c.row[:n+slack]
	pix := s.Pix
	weights := down.of(v)
	if len(weights) > 0 {
		pix = pix[down.start[v]*s.Stride+first*s.Step:]
	}
	blend(row[:n], pix, s.Stride, weights, down.rest[v]*uint64(s.Black))
	return row, first
}

func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
