package draw

import (
	"image"
	"math"

	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// faceCells is how many mean values across its diameter are left of a face. Everything between
// them is interpolated: nothing else of the face is in the picture.
const faceCells = 5

// raster is one channel of a picture, at bytes 0, step, 2·step and so on of each row.
type raster struct {
	pix           []byte
	stride, step  int
	width, height int
	scale         float64 // of coordinates: ½ for chroma
}

func blurRGBA(m *image.RGBA, faces []Face) {
	for channel := range 3 {
		blur(raster{m.Pix[channel:], m.Stride, 4, m.Rect.Dx(), m.Rect.Dy(), 1}, faces)
	}
}

func blurYUV(m *yuv.Image, faces []Face) {
	blur(raster{m.Y, m.YStride, 1, m.Size.X, m.Size.Y, 1}, faces)
	for _, plane := range [2][]byte{m.Cb, m.Cr} {
		blur(raster{plane, m.CStride, 1, (m.Size.X + 1) / 2, (m.Size.Y + 1) / 2, 0.5}, faces)
	}
}

// fading is the part of a face's size by which it fades out around it.
const fading = 0.3

// blur replaces each face by an interpolation between the means of a few squares, and fades out around it.
func blur(m raster, faces []Face) {
	for _, f := range faces {
		x, y, r := f.Centre[0]*m.scale, f.Centre[1]*m.scale, max(f.Radius, f.Up.Len())*m.scale
		outer := max(r*(1+fading), r+1)
		within := func(v float64, size int) int { return int(min(max(v, 0), float64(size))) }
		box := image.Rect(within(x-outer, m.width), within(y-outer, m.height),
			within(math.Ceil(x+outer), m.width), within(math.Ceil(y+outer), m.height))
		if box.Empty() || !(r > 0 && outer <= far) {
			continue
		}
		cell := max(2*r/faceCells, 2)
		n := int(math.Ceil(2*outer/cell)) + 1
		left, top := x-float64(n)*cell/2, y-float64(n)*cell/2
		means := m.means(left, top, cell, n)
		row := make([]float64, n)
		across, along := keypoint.Point{1, 0}, keypoint.Point{0, 1} // in units of the ellipse
		if high := f.Up.Len(); high > 0 {
			along = f.Up.Mul(1 / high)
			across = keypoint.Point{-along[1], along[0]}.Mul(r / (f.Radius * m.scale))
			along = along.Mul(r / (high * m.scale))
		}
		for py := box.Min.Y; py < box.Max.Y; py++ {
			cy := float64(py) + 0.5
			for i := range row {
				row[i] = spline(means[i:], n, n, (cy-top)/cell-0.5)
			}
			for px := box.Min.X; px < box.Max.X; px++ {
				cx := float64(px) + 0.5
				cover := 1.0
				to := keypoint.Point{cx - x, cy - y}
				a, b := to.Dot(across), to.Dot(along)
				if d := a*a + b*b; d >= outer*outer {
					continue
				} else if d > r*r {
					cover = (outer - math.Sqrt(d)) / (outer - r)
					cover *= cover * (3 - 2*cover)
				}
				p := &m.pix[py*m.stride+px*m.step]
				*p = uint8(spline(row, 1, n, (cx-left)/cell-0.5)*cover + float64(*p)*(1-cover) + 0.5)
			}
		}
	}
}

// means returns the means of n×n squares from a corner on. Of squares that reach out of the
// picture, only the part inside counts; those outside are like the nearest one inside.
func (m raster) means(left, top, side float64, n int) []float64 {
	within := func(v float64, size int) int { return min(max(int(math.Floor(v)), 0), size) }
	means := make([]float64, n*n)
	for j := range n {
		for i := range n {
			x0, y0 := min(within(left+float64(i)*side, m.width), m.width-1), min(within(top+float64(j)*side, m.height), m.height-1)
			x1, y1 := max(within(left+float64(i+1)*side, m.width), x0+1), max(within(top+float64(j+1)*side, m.height), y0+1)
			sum := 0
			for y := y0; y < y1; y++ {
				for x := x0; x < x1; x++ {
					sum += int(m.pix[y*m.stride+x*m.step])
				}
			}
			means[j*n+i] = float64(sum) / float64((x1-x0)*(y1-y0))
		}
	}
	return means
}

// spline returns the smooth value at a place among n values, every step-th: a quadratic B-spline.
func spline(values []float64, step, n int, at float64) float64 {
	at = min(max(at, 0), float64(n-1))
	c := int(at + 0.5)
	t := at - float64(c)
	before, after := values[max(c-1, 0)*step], values[min(c+1, n-1)*step]
	return before*(0.5-t)*(0.5-t)/2 + values[c*step]*(0.75-t*t) + after*(0.5+t)*(0.5+t)/2
}
