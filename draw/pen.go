package draw

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/vector"

	"github.com/bodymotion/motion/keypoint"
)

// pen paints dots and lines onto a picture. It uses golang.org/x/image/vector and not
// gg because that fills only the box of each shape, where gg goes over the whole
// picture for each stroke.
type pen struct {
	dst    *image.RGBA
	raster vector.Rasterizer
	fill   image.Uniform
}

// arc is the length of the control arms of a quarter circle drawn as a cubic Bézier
// curve, for the radius 1.
const arc = 0.5522847498307936

// open prepares the rasteriser for a shape within the given box, in pixels of the
// picture, and returns the corner to be subtracted from its coordinates; ok is false
// when the box lies outside.
func (p *pen) open(low, high keypoint.Point) (corner image.Point, ok bool) {
	size := p.dst.Rect.Size()
	x0, y0 := max(math.Floor(low[0]), 0), max(math.Floor(low[1]), 0)
	x1, y1 := min(math.Ceil(high[0]), float64(size.X)), min(math.Ceil(high[1]), float64(size.Y))
	if !(x0 < x1 && y0 < y1) {
		return corner, false
	}
	p.raster.Reset(int(x1-x0), int(y1-y0))
	return image.Pt(int(x0), int(y0)), true
}

// paint fills the shape.
func (p *pen) paint(corner image.Point, c color.RGBA) {
	p.fill.C = c
	r := image.Rectangle{Max: p.raster.Size()}.Add(corner).Add(p.dst.Rect.Min)
	p.raster.Draw(p.dst, r, &p.fill, image.Point{})
}

// dot paints a disc.
func (p *pen) dot(at keypoint.Point, diameter float64, c color.RGBA) {
	p.line(at, at, diameter, c)
}

// line paints a line with round ends. Its outline is one path, so that a translucent
// colour would lie evenly.
func (p *pen) line(a, b keypoint.Point, width float64, c color.RGBA) {
	r := width / 2
	a, b, ok := clip(a, b, p.dst.Rect.Size(), width+2)
	if !ok {
		return
	}
	low := keypoint.Point{min(a[0], b[0]) - r, min(a[1], b[1]) - r}
	high := keypoint.Point{max(a[0], b[0]) + r, max(a[1], b[1]) + r}
	corner, ok := p.open(low, high)
	if !ok {
		return
	}
	along := keypoint.Point{r, 0} // from a to b, of the length r
	if d := b.Sub(a); d.Len() > 0 {
		along = d.Mul(r / d.Len())
	}
	across := keypoint.Point{-along[1], along[0]}
	off := keypoint.Point{float64(corner.X), float64(corner.Y)}
	a, b = a.Sub(off), b.Sub(off)
	to := func(q keypoint.Point) (float32, float32) { return float32(q[0]), float32(q[1]) }
	quarter := func(centre, from, until keypoint.Point) {
		x1, y1 := to(centre.Add(from).Add(until.Mul(arc)))
		x2, y2 := to(centre.Add(until).Add(from.Mul(arc)))
		x3, y3 := to(centre.Add(until))
		p.raster.CubeTo(x1, y1, x2, y2, x3, y3)
	}
	p.raster.MoveTo(to(a.Add(across)))
	p.raster.LineTo(to(b.Add(across)))
	quarter(b, across, along)
	quarter(b, along, across.Mul(-1))
	p.raster.LineTo(to(a.Sub(across)))
	quarter(a, across.Mul(-1), along.Mul(-1))
	quarter(a, along.Mul(-1), across)
	p.raster.ClosePath()
	p.paint(corner, c)
}

// clip cuts a line to the picture and a margin around it, so that coordinates far
// outside cost nothing; ok is false when nothing is left.
func clip(a, b keypoint.Point, size image.Point, margin float64) (_, _ keypoint.Point, ok bool) {
	d := b.Sub(a)
	from, until := 0.0, 1.0
	for axis, length := range []int{size.X, size.Y} {
		low, high := -margin, float64(length)+margin
		if d[axis] == 0 {
			if a[axis] < low || a[axis] > high {
				return a, b, false
			}
			continue
		}
		t0, t1 := (low-a[axis])/d[axis], (high-a[axis])/d[axis]
		from, until = max(from, min(t0, t1)), min(until, max(t0, t1))
	}
	if from > until {
		return a, b, false
	}
	start, end := a, b
	if from > 0 {
		start = a.Add(d.Mul(from))
	}
	if until < 1 {
		end = a.Add(d.Mul(until))
	}
	return start, end, true
}
