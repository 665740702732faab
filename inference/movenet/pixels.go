package movenet

import (
	"image"
	"image/draw"
	"math"

	"github.com/bodymotion/motion/internal/yuv"
)

// picture is a picture of which pieces can be given to a network: three planes of
// samples, which are RGB or YCbCr.
type picture struct {
	size   image.Point
	planes [3]plane
	black  [3]float32                     // what the planes hold for black
	rgb    func(a, b, c float32) [3]uint8 // one pixel of the planes as RGB; nil when they are RGB
}

// plane is one channel of a picture. Sample (x, y) of the plane lies at
// pix[y*stride+x*step] and covers scale×scale pixels of the picture.
type plane struct {
	pix           []byte
	stride, step  int
	width, height int
	scale         float64
}

// newPicture returns img as a picture, without copying where its pixels can be read
// as they are.
func newPicture(img image.Image) picture {
	b := img.Bounds()
	size := b.Size()
	p := picture{size: size}
	interleaved := func(pix []byte, stride int) picture {
		for i := range p.planes {
			p.planes[i] = plane{pix[i:], stride, 4, size.X, size.Y, 1}
		}
		return p
	}
	switch m := img.(type) {
	case *image.RGBA:
		return interleaved(m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride)
	case *image.Gray:
		for i := range p.planes {
			p.planes[i] = plane{m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride, 1, size.X, size.Y, 1}
		}
		return p
	case *yuv.Image:
		c := image.Pt((size.X+1)/2, (size.Y+1)/2)
		p.planes = [3]plane{
			{m.Y, m.YStride, 1, size.X, size.Y, 1},
			{m.Cb, m.CStride, 1, c.X, c.Y, 2},
			{m.Cr, m.CStride, 1, c.X, c.Y, 2},
		}
		p.black, p.rgb = [3]float32{0, 128, 128}, yuvToRGB(m.Full, m.BT709)
		if !m.Full {
			p.black[0] = 16
		}
		return p
	case *image.YCbCr:
		if (m.SubsampleRatio == image.YCbCrSubsampleRatio420 || m.SubsampleRatio == image.YCbCrSubsampleRatio444) && b.Min == (image.Point{}) {
			c, scale := size, 1.0
			if m.SubsampleRatio == image.YCbCrSubsampleRatio420 {
				c, scale = image.Pt((size.X+1)/2, (size.Y+1)/2), 2
			}
			p.planes = [3]plane{
				{m.Y, m.YStride, 1, size.X, size.Y, 1},
				{m.Cb, m.CStride, 1, c.X, c.Y, scale},
				{m.Cr, m.CStride, 1, c.X, c.Y, scale},
			}
			p.black, p.rgb = [3]float32{0, 128, 128}, yuvToRGB(true, false)
			return p
		}
	}
	rgba := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(rgba, rgba.Rect, img, b.Min, draw.Src)
	return interleaved(rgba.Pix, rgba.Stride)
}

// yuvToRGB returns the conversion of the range and matrix (ITU-R BT.601 or BT.709).
func yuvToRGB(full, bt709 bool) func(y, cb, cr float32) [3]uint8 {
	kr, kb := 0.299, 0.114
	if bt709 {
		kr, kb = 0.2126, 0.0722
	}
	offset, scaleY, scaleC := 16.0, 255.0/219, 255.0/224
	if full {
		offset, scaleY, scaleC = 0, 1, 1
	}
	kg := 1 - kr - kb
	var (
		o  = float32(offset)
		sy = float32(scaleY)
		rv = float32(2 * (1 - kr) * scaleC)
		bu = float32(2 * (1 - kb) * scaleC)
		gv = float32(2 * (1 - kr) * kr / kg * scaleC)
		gu = float32(2 * (1 - kb) * kb / kg * scaleC)
	)
	return func(y, cb, cr float32) [3]uint8 {
		l, u, v := (y-o)*sy, cb-128, cr-128
		return [3]uint8{toByte(l + rv*v), toByte(l - gu*u - gv*v), toByte(l + bu*u)}
	}
}

func toByte(v float32) uint8 {
	switch {
	case v <= 0:
		return 0
	case v >= 255:
		return 255
	}
	return uint8(v + 0.5)
}

// taps are the samples of a plane along one axis, and their weights, of which each
// pixel of the result is made. What lies outside the plane is left out, so that the
// weights may sum to less than 1.
type taps struct {
	start  []int     // first sample of each result pixel
	offset []int     // where its weights begin; one entry more than pixels
	weight []float32 // of the samples from start on
	sum    []float32 // of its weights
}

// newTaps returns the taps for n result pixels that cover [from, from+length) in
// samples, of which the plane has size. Shrinking averages over the area of each
// result pixel; enlarging is linear between samples.
func newTaps(n int, from, length float64, size int) taps {
	step := length / float64(n)
	t := taps{make([]int, n), make([]int, n+1), make([]float32, 0, n*(int(math.Abs(step))+3)), make([]float32, n)}
	for i := range n {
		lo, hi := from+float64(i)*step, from+float64(i+1)*step
		var first, last int // samples
		var weight func(j int) float64
		if step >= 1 {
			first, last = int(math.Floor(lo)), int(math.Ceil(hi))-1
			weight = func(j int) float64 {
				return (math.Min(hi, float64(j+1)) - math.Max(lo, float64(j))) / step
			}
		} else {
			centre := (lo+hi)/2 - 0.5
			first = int(math.Floor(centre))
			last = first + 1
			weight = func(j int) float64 { return 1 - math.Abs(centre-float64(j)) }
		}
		t.start[i] = min(max(first, 0), size)
		for j := t.start[i]; j <= min(last, size-1); j++ {
			w := float32(weight(j))
			t.weight = append(t.weight, w)
			t.sum[i] += w
		}
		t.offset[i+1] = len(t.weight)
	}
	return t
}

// resample writes the region [from, from+length) of the picture, in pixels, to rgb as
// width×height RGB pixels, of which row 0 lies at the top and rows are stride bytes
// apart. Outside the picture is black.
func (p picture) resample(rgb []byte, stride, width, height int, fromX, fromY, lengthX, lengthY float64) {
	var rows [3][]float32
	var across, down [3]taps
	var sums [3][]float32 // of a row of samples, weighted down the column
	for i, q := range p.planes {
		if i > 0 && q.scale == p.planes[0].scale && q.width == p.planes[0].width {
			across[i], down[i] = across[0], down[0]
		} else {
			across[i] = newTaps(width, fromX/q.scale, lengthX/q.scale, q.width)
			down[i] = newTaps(height, fromY/q.scale, lengthY/q.scale, q.height)
		}
		rows[i] = make([]float32, width)
		sums[i] = make([]float32, q.width)
	}
	for v := range height {
		for i := range p.planes {
			p.planes[i].row(rows[i], sums[i], &across[i], &down[i], v, p.black[i])
		}
		out := rgb[v*stride : v*stride+3*width]
		a, b, c := rows[0], rows[1][:len(rows[0])], rows[2][:len(rows[0])]
		if p.rgb == nil {
			for u := range a {
				out[3*u], out[3*u+1], out[3*u+2] = toByte(a[u]), toByte(b[u]), toByte(c[u])
			}
			continue
		}
		for u := range a {
			x := p.rgb(a[u], b[u], c[u])
			out[3*u], out[3*u+1], out[3*u+2] = x[0], x[1], x[2]
		}
	}
}

// row computes row v of the result for one plane.
func (q plane) row(out, sums []float32, across, down *taps, v int, black float32) {
	first := across.start[0]
	last := len(out) - 1
	end := across.start[last] + across.offset[last+1] - across.offset[last]
	end = max(end, first)
	acc := sums[first:end]
	clear(acc)
	for k := down.offset[v]; k < down.offset[v+1]; k++ {
		w := down.weight[k]
		y := down.start[v] + k - down.offset[v]
		line := q.pix[y*q.stride+first*q.step:]
		if q.step == 1 {
			line = line[:len(acc)]
			for x := range acc {
				acc[x] += w * float32(line[x])
			}
			continue
		}
		for x, at := 0, 0; x < len(acc); x, at = x+1, at+q.step {
			acc[x] += w * float32(line[at])
		}
	}
	sumDown := down.sum[v]
	for u := range out {
		var s float32
		from := across.start[u] - first
		for j, w := range across.weight[across.offset[u]:across.offset[u+1]] {
			s += w * acc[from+j]
		}
		out[u] = s + (1-sumDown*across.sum[u])*black
	}
}

// sample returns the value of a plane around (x, y), in pixels of the picture, linear
// between samples.
func (q plane) sample(x, y float64, black float32) float32 {
	x, y = x/q.scale-0.5, y/q.scale-0.5
	x0, y0 := math.Floor(x), math.Floor(y)
	fx, fy := float32(x-x0), float32(y-y0)
	get := func(i, j int) float32 {
		if i < 0 || j < 0 || i >= q.width || j >= q.height {
			return black
		}
		return float32(q.pix[j*q.stride+i*q.step])
	}
	i, j := int(x0), int(y0)
	return (get(i, j)*(1-fx)+get(i+1, j)*fx)*(1-fy) + (get(i, j+1)*(1-fx)+get(i+1, j+1)*fx)*fy
}

// cut writes what a crop shows to rgb as n×n pixels. Turned crops are sampled on a
// grid that is as fine as the picture, up to 4×4 samples a pixel.
func (p picture) cut(rgb []byte, n int, c crop) {
	if c.angle == 0 {
		p.resample(rgb, 3*n, n, n, c.centre[0]-c.side/2, c.centre[1]-c.side/2, c.side, c.side)
		return
	}
	fine := min(max(int(math.Ceil(c.side/float64(n))), 1), 4)
	origin := c.at(0, 0)
	pixel := 1 / float64(n*fine)
	du, dv := c.at(pixel, 0).Sub(origin), c.at(0, pixel).Sub(origin)
	share := 1 / float32(fine*fine)
	for v := range n {
		for u := range n {
			var s [3]float32
			for j := range fine {
				for i := range fine {
					a, b := float64(u*fine+i)+0.5, float64(v*fine+j)+0.5
					x, y := origin[0]+a*du[0]+b*dv[0], origin[1]+a*du[1]+b*dv[1]
					for k := range p.planes {
						s[k] += p.planes[k].sample(x, y, p.black[k])
					}
				}
			}
			out := rgb[3*(v*n+u):]
			if p.rgb == nil {
				out[0], out[1], out[2] = toByte(s[0]*share), toByte(s[1]*share), toByte(s[2]*share)
			} else {
				x := p.rgb(s[0]*share, s[1]*share, s[2]*share)
				out[0], out[1], out[2] = x[0], x[1], x[2]
			}
		}
	}
}
