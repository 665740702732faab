package crop

import (
	"image"
	"math"

	"github.com/bodymotion/motion/inference/internal/raster"
)

// Cutter holds buffers that are reused from picture to picture. The zero value is ready to use. It is not safe for concurrent use.
type Cutter struct {
	across [2][]tap // of the first sheet and of the others
	down   [2][]tap
	rows   [3][]float32
}

// tap holds the two samples along one axis that a value is interpolated between.
type tap struct {
	at0, at1 int // of the samples in the row, or of the rows in the sheet
	w0, w1   float32
	inside   float32 // share of the weight inside the picture, 0 to 1
}

// Cut writes what a view shows to dst, f.Len() numbers. Outside of the picture it is black.
func (c *Cutter) Cut(dst []float32, f *Form, p *raster.Picture, v View) {
	c.draw(dst, f, p, v, image.Rect(0, 0, f.Width, f.Height), true)
}

// grey is the padding of a letterboxed picture.
const grey = 114

// Letterbox writes the whole picture to dst, f.Len() numbers, placed by the function Letterbox and padded with grey.
func (c *Cutter) Letterbox(dst []float32, f *Form, p *raster.Picture, centred bool) View {
	v, at := Letterbox(p.Size, centred, f)
	for i := range c.rows {
		c.rows[i] = grow(c.rows[i], f.Width)
		for x := range c.rows[i] {
			c.rows[i][x] = grey
		}
	}
	for y := range f.Height {
		c.write(dst, f, 0, y)
	}
	c.draw(dst, f, p, v, at, false)
	return v
}

// draw writes the pixels of the input in at. Beyond the picture's edge it repeats the last samples, or with fade blends them into black.
func (c *Cutter) draw(dst []float32, f *Form, p *raster.Picture, v View, at image.Rectangle, fade bool) {
	for i := range c.rows {
		c.rows[i] = grow(c.rows[i], at.Dx())
	}
	for i := range min(len(p.Sheets), 2) {
		s := &p.Sheets[i]
		c.across[i] = taps(c.across[i][:0], at.Min.X, at.Max.X, v.Origin[0], v.Step, s.PerX, s.FirstX, s.Width, s.Step)
		c.down[i] = taps(c.down[i][:0], at.Min.Y, at.Max.Y, v.Origin[1], v.Step, s.PerY, s.FirstY, s.Height, s.Stride)
	}
	for y := range at.Dy() {
		if !p.Planes() {
			c.pixels(&p.Sheets[0], p.Channels, c.down[0][y])
		} else {
			for i := range p.Sheets {
				kind := min(i, 1)
				samples(c.rows[i], p.Sheets[i].Pix, c.across[kind], c.down[kind][y])
			}
			convert(&p.Matrix, c.rows[0], c.rows[1], c.rows[2])
		}
		if fade {
			c.fade(c.down[0][y].inside)
		}
		c.write(dst, f, at.Min.X, at.Min.Y+y)
	}
}

// taps appends the taps for the input's pixels from begin to end.
func taps(t []tap, begin, end int, origin, step, per, first float64, size, stride int) []tap {
	for i := begin; i < end; i++ {
		at := (origin+(float64(i)+0.5)*step)/per + first - 0.5
		// Everything far outside, and NaN, counts as just outside.
		if !(at > -2) {
			at = -2
		}
		at = min(at, float64(size)+1)
		low := math.Floor(at)
		k, w := int(low), float32(at-low)
		n := tap{min(max(k, 0), size-1) * stride, min(max(k+1, 0), size-1) * stride, 1 - w, w, 0}
		if k >= 0 && k < size {
			n.inside += 1 - w
		}
		if k+1 >= 0 && k+1 < size {
			n.inside += w
		}
		t = append(t, n)
	}
	return t
}

// samples writes one row of a sheet whose samples are single bytes.
func samples(out []float32, pix []byte, across []tap, y tap) {
	top, bottom := pix[y.at0:], pix[y.at1:]
	for i, t := range across {
		out[i] = y.w0*(t.w0*float32(top[t.at0])+t.w1*float32(top[t.at1])) +
			y.w1*(t.w0*float32(bottom[t.at0])+t.w1*float32(bottom[t.at1]))
	}
}

// pixels writes one row of a sheet that holds all three channels.
func (c *Cutter) pixels(s *raster.Sheet, channels [3]int, y tap) {
	if s.Step == 1 {
		samples(c.rows[0], s.Pix, c.across[0], y)
		copy(c.rows[1], c.rows[0])
		copy(c.rows[2], c.rows[0])
		return
	}
	top, bottom := s.Pix[y.at0:], s.Pix[y.at1:]
	r, g, b := channels[0], channels[1], channels[2]
	for i, t := range c.across[0] {
		w00, w01, w10, w11 := y.w0*t.w0, y.w0*t.w1, y.w1*t.w0, y.w1*t.w1
		p, q, u, v := top[t.at0:t.at0+4:t.at0+4], top[t.at1:t.at1+4:t.at1+4], bottom[t.at0:t.at0+4:t.at0+4], bottom[t.at1:t.at1+4:t.at1+4]
		c.rows[0][i] = w00*float32(p[r]) + w01*float32(q[r]) + w10*float32(u[r]) + w11*float32(v[r])
		c.rows[1][i] = w00*float32(p[g]) + w01*float32(q[g]) + w10*float32(u[g]) + w11*float32(v[g])
		c.rows[2][i] = w00*float32(p[b]) + w01*float32(q[b]) + w10*float32(u[b]) + w11*float32(v[b])
	}
}

// fade blends the rows into black at the picture's edges.
func (c *Cutter) fade(inside float32) {
	for _, row := range c.rows {
		for i, t := range c.across[0] {
			row[i] *= inside * t.inside
		}
	}
}

// write normalises the rows and writes them to dst from pixel (x, y) on.
func (c *Cutter) write(dst []float32, f *Form, x, y int) {
	for k := range 3 {
		row := c.rows[k]
		if f.BGR {
			row = c.rows[2-k]
		}
		mul := float32(1 / f.Scale[k])
		add := float32(-f.Mean[k] / f.Scale[k])
		if f.Interleaved {
			out := dst[3*(y*f.Width+x)+k:]
			for i, v := range row {
				out[3*i] = v*mul + add
			}
			continue
		}
		out := dst[(k*f.Height+y)*f.Width+x:][:len(row)]
		for i, v := range row {
			out[i] = v*mul + add
		}
	}
}

func grow(row []float32, n int) []float32 {
	if cap(row) < n {
		return make([]float32, n)
	}
	return row[:n]
}
