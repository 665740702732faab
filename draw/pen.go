package draw

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// pen paints dots and lines onto a picture. A line of width w covers a pixel by the distance d of the pixel's centre
// to the line: w/2 + ½ − d, between 0 and 1. The pen visits only the pixels within that distance, row by row, and
// fills the inside of each row. BenchmarkRender compares it with gg.
type pen struct {
	dst  *image.RGBA
	side float64 // the longer side of the picture in pixels

	faded uint32 // 255 less the opacity, 0 to 255

	path *gg.Context // collects lines and dots instead of painting them; nil to paint

	spans []yuv.Span // what was painted on in each row; nil if not needed
}

// far is a coordinate beyond every picture. Greater ones are clamped to it, so that differences stay finite.
const far = 1e9

// fade sets the opacity of what is painted from now on, 0 to 1.
func (p *pen) fade(opacity float64) { p.faded = 255 - uint32(math.Round(255*opacity)) }

func (p *pen) dot(at keypoint.Point, diameter float64, c color.RGBA) {
	p.line(at, at, diameter, c)
}

// line draws a line with round ends.
func (p *pen) line(a, b keypoint.Point, width float64, c color.RGBA) {
	for axis := range 2 {
		a[axis], b[axis] = min(max(a[axis], -far), far), min(max(b[axis], -far), far)
	}
	size := p.dst.Rect.Size()
	a, b, ok := clip(a, b, size, width+2)
	if !ok {
		return
	}
	if p.path != nil {
		if b.Sub(a).Len() < 0.25 { // which gg would leave out
			a[0], b[0] = a[0]-0.125, a[0]+0.125
		}
		p.path.SetLineWidth(width)
		p.path.DrawLine(a[0], a[1], b[0], b[1])
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
		x0, x1 := pixels(left, right, 0, size.X)
		in0, in1 := x1, x1 // fully covered pixels
		if left, right, ok := s.span(s.inner); ok {
			in0, in1 = pixels(left, right, x0, x1)
		}
		p.touch(y, x0, x1)
		row := p.dst.Pix[y*p.dst.Stride:]
		if p.faded > 0 {
			p.edge(&s, row, x0, x1, c)
			continue
		}
		p.edge(&s, row, x0, in0, c)
		for px := row[4*in0 : 4*in1]; len(px) >= 4; px = px[4:] {
			px[0], px[1], px[2], px[3] = c.R, c.G, c.B, c.A
		}
		p.edge(&s, row, in1, x1, c)
	}
}

// touch notes that the pixels x0 ≤ x < x1 of a row change.
func (p *pen) touch(y, x0, x1 int) {
	if p.spans == nil || x0 >= x1 {
		return
	}
	if s := &p.spans[y]; s.Right <= s.Left {
		*s = yuv.Span{Left: x0, Right: x1}
	} else {
		s.Left, s.Right = min(s.Left, x0), max(s.Right, x1)
	}
}

// pixels returns the pixels x0 ≤ x < x1 whose centres lie from left to right, within bounds.
func pixels(left, right float64, low, high int) (x0, x1 int) {
	x0 = max(int(math.Ceil(left-0.5)), low)
	x1 = min(int(math.Floor(right-0.5))+1, high)
	if x0 >= x1 {
		return high, high
	}
	return x0, x1
}

// edge draws the pixels x0 ≤ x < x1 of a row by their coverage and the opacity.
func (p *pen) edge(s *stroke, row []uint8, x0, x1 int, c color.RGBA) {
	for x := x0; x < x1; x++ {
		if cover := s.cover(float64(x) + 0.5); cover > 0 {
			blend(row[4*x:4*x+4:4*x+4], cover*(255-p.faded)/255, c)
		}
	}
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
