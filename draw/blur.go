package draw

import (
	"image"
	"math"

	"github.com/bodymotion/motion/internal/yuv"
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

// blurRGBA blurs faces in the colours of a picture.
func blurRGBA(m *image.RGBA, faces []Face) {
	for channel := range 3 {
		blur(raster{m.Pix[channel:], m.Stride, 4, m.Rect.Dx(), m.Rect.Dy(), 1}, faces)
	}
}

// blurYUV blurs faces in the planes of a picture.
func blurYUV(m *yuv.Image, faces []Face) {
	blur(raster{m.Y, m.YStride, 1, m.Size.X, m.Size.Y, 1}, faces)
	for _, plane := range [2][]byte{m.Cb, m.Cr} {
		blur(raster{plane, m.CStride, 1, (m.Size.X + 1) / 2, (m.Size.Y + 1) / 2, 0.5}, faces)
	}
}

// blur replaces each face by an interpolation between the means of a few squares. Its edge fades
// from the radius to an eighth more.
func blur(m raster, faces []Face) {
	for _, f := range faces {
		x, y, r := f.Centre[0]*m.scale, f.Centre[1]*m.scale, f.Radius*m.scale
		outer := max(r*9/8, r+1)
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
		for py := box.Min.Y; py < box.Max.Y; py++ {
			cy := float64(py) + 0.5
			j, v := between((cy-top)/cell-0.5, n)
			for i := range row {
				row[i] = means[j*n+i]*(1-v) + means[(j+1)*n+i]*v
			}
			for px := box.Min.X; px < box.Max.X; px++ {
				cx := float64(px) + 0.5
				cover := 1.0
				if d := (cx-x)*(cx-x) + (cy-y)*(cy-y); d >= outer*outer {
					continue
				} else if d > r*r {
					cover = (outer - math.Sqrt(d)) / (outer - r)
				}
				p := &m.pix[py*m.stride+px*m.step]
				i, u := between((cx-left)/cell-0.5, n)
				*p = uint8((row[i]*(1-u)+row[i+1]*u)*cover + float64(*p)*(1-cover) + 0.5)
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

// between returns the number of the value of n before a place, and the share of the next one.
func between(x float64, n int) (i int, share float64) {
	x = min(max(x, 0), float64(n-1))
	i = min(int(x), n-2)
	return i, x - float64(i)
}
