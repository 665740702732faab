package draw

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/vector"

	"github.com/bodymotion/motion/keypoint"
)

// pen paints dots and lines onto a picture. How much of a pixel a line covers is told
// from the distance d of the pixel's centre to the line: w/2 + ½ − d, between 0 and 1.
// Only the pixels within that distance are visited, row by row, and the inside of each
// row is filled without a further look. BenchmarkRender measures it beside gg, which
// takes several times as long and allocates for every path.
type pen struct {
	dst  *image.RGBA
	side float64 // the longer side of the picture in pixels

	// mask collects coverage instead of painting while its rectangle is not empty.
	mask image.Alpha

	raster vector.Rasterizer // of filled shapes, which are small
	ink    image.Uniform
}

// far is a coordinate beyond every picture; what lies farther is brought here, so that
// differences stay finite.
const far = 1e9

// dot paints a disc.
func (p *pen) dot(at keypoint.Point, diameter float64, c color.RGBA) {
	p.line(at, at, diameter, c)
}

// line paints a line with round ends.
func (p *pen) line(a, b keypoint.Point, width float64, c color.RGBA) {
	for axis := range 2 {
		a[axis], b[axis] = min(max(a[axis], -far), far), min(max(b[axis], -far), far)
	}
	size := p.dst.Rect.Size()
	a, b, ok := clip(a, b, size, width+2)
	if !ok {
		return
	}
	s := newStroke(a, b, width/2)
	y0 := max(int(math.Floor(min(a[1], b[1])-s.outer)), 0)
	y1 := min(int(math.Ceil(max(a[1], b[1])+s.outer)), size.Y)
	for y := y0; y < y1; y++ {
		s.row = float64(y) + 0.5
		left, right, ok := s.span(s.outer)
		if !ok {
			continue
		}
		x0, x1 := max(int(math.Ceil(left-0.5)), 0), min(int(math.Floor(right-0.5))+1, size.X)
		in0, in1 := x1, x1 // the pixels that are covered wholly
		if left, right, ok := s.span(s.inner); ok {
			in0 = min(max(int(math.Ceil(left-0.5)), x0), x1)
			in1 = min(max(int(math.Floor(right-0.5))+1, in0), x1)
		}
		p.edge(&s, x0, in0, y, c)
		p.fill(in0, in1, y, c)
		p.edge(&s, in1, x1, y, c)
	}
}

// edge paints the pixels x0 ≤ x < x1 of a row as far as the stroke covers them.
func (p *pen) edge(s *stroke, x0, x1, y int, c color.RGBA) {
	for x := x0; x < x1; x++ {
		if cover := s.cover(float64(x) + 0.5); cover > 0 {
			p.set(x, y, cover, c)
		}
	}
}

// fill paints the pixels x0 ≤ x < x1 of a row wholly.
func (p *pen) fill(x0, x1, y int, c color.RGBA) {
	if x0 >= x1 {
		return
	}
	if !p.mask.Rect.Empty() {
		for x := x0; x < x1; x++ {
			p.set(x, y, 255, c)
		}
		return
	}
	i := y*p.dst.Stride + 4*x0
	row := p.dst.Pix[i : i+4*(x1-x0)]
	for ; len(row) >= 4; row = row[4:] {
		row[0], row[1], row[2], row[3] = c.R, c.G, c.B, c.A
	}
}

// set paints one pixel, of which cover/255 is covered, with an opaque colour.
func (p *pen) set(x, y int, cover uint32, c color.RGBA) {
	if !p.mask.Rect.Empty() {
		if at := image.Pt(x, y); at.In(p.mask.Rect) {
			i := p.mask.PixOffset(x, y)
			p.mask.Pix[i] = max(p.mask.Pix[i], uint8(cover))
		}
		return
	}
	i := y*p.dst.Stride + 4*x
	blend(p.dst.Pix[i:i+4:i+4], cover, c)
}

// blend lays cover/255 of an opaque colour over a pixel.
func blend(px []uint8, cover uint32, c color.RGBA) {
	_ = px[3]
	rest := 255 - cover
	px[0] = uint8((uint32(c.R)*cover + uint32(px[0])*rest + 127) / 255)
	px[1] = uint8((uint32(c.G)*cover + uint32(px[1])*rest + 127) / 255)
	px[2] = uint8((uint32(c.B)*cover + uint32(px[2])*rest + 127) / 255)
	px[3] = uint8((255*cover + uint32(px[3])*rest + 127) / 255)
}

// veil begins a translucent shape within a box, in pixels of the picture: until
// unveil, lines and dots are joined to one shape, which lies evenly where they
// overlap. ok is false when the box lies outside the picture.
func (p *pen) veil(low, high keypoint.Point) (ok bool) {
	size := p.dst.Rect.Size()
	box := image.Rect(
		int(math.Floor(min(max(low[0], 0), float64(size.X)))), int(math.Floor(min(max(low[1], 0), float64(size.Y)))),
		int(math.Ceil(min(max(high[0], 0), float64(size.X)))), int(math.Ceil(min(max(high[1], 0), float64(size.Y)))))
	if box.Empty() {
		return false
	}
	n := box.Dx() * box.Dy()
	if cap(p.mask.Pix) < n {
		p.mask.Pix = make([]uint8, n)
	}
	p.mask.Pix = p.mask.Pix[:n]
	clear(p.mask.Pix)
	p.mask.Stride, p.mask.Rect = box.Dx(), box
	return true
}

// unveil paints the shape, opacity/255 opaque.
func (p *pen) unveil(c color.RGBA, opacity uint32) {
	box := p.mask.Rect
	p.mask.Rect = image.Rectangle{}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x, cover := range p.mask.Pix[(y-box.Min.Y)*p.mask.Stride:][:box.Dx()] {
			if cover > 0 {
				p.set(box.Min.X+x, y, (uint32(cover)*opacity+127)/255, c)
			}
		}
	}
}
