package draw

import (
	"image"
	"image/color"
	"math"

	"github.com/golang/freetype/raster"
	"golang.org/x/image/math/fixed"

	"github.com/bodymotion/motion/keypoint"
)

// polygon fills a shape with an opaque colour by the non-zero winding rule, with the
// rasteriser that gg has, too. The shape is moved to where that is at its best: all
// coordinates positive, nothing clipped but by the painter.
func (p *pen) polygon(g *polygon, c color.RGBA) {
	size := p.dst.Rect.Size()
	x0, y0 := math.Floor(g.low[0])-1, math.Floor(g.low[1])-1
	x1, y1 := math.Ceil(g.high[0])+1, math.Ceil(g.high[1])+1
	if len(g.contours) == 0 || x1 <= 0 || y1 <= 0 || x0 >= float64(size.X) || y0 >= float64(size.Y) {
		return
	}
	p.paint(int(x0), int(y0), int(x1), int(y1))
	p.touchBox(int(x0), int(y0), int(x1), int(y1))
	if p.raster == nil {
		p.raster = &raster.Rasterizer{UseNonZeroWinding: true}
	}
	// Setting the bounds gives the rasteriser's memory away, so they only grow.
	if w, h := int(x1-x0), int(y1-y0); w > p.bounds.X || h > p.bounds.Y {
		p.bounds = image.Pt(max(w, p.bounds.X), max(h, p.bounds.Y))
		p.raster.SetBounds(p.bounds.X, p.bounds.Y)
	}
	p.raster.Clear()
	p.raster.Dx, p.raster.Dy = p.dst.Rect.Min.X+int(x0), p.dst.Rect.Min.Y+int(y0)
	subpixel := func(q keypoint.Point) fixed.Point26_6 {
		return fixed.Point26_6{X: fixed.Int26_6((q[0]-x0)*64 + 0.5), Y: fixed.Int26_6((q[1]-y0)*64 + 0.5)}
	}
	for _, contour := range g.contours {
		for i, q := range contour {
			if i == 0 {
				p.raster.Start(subpixel(q))
			} else {
				p.raster.Add1(subpixel(q))
			}
		}
		p.raster.Add1(subpixel(contour[0]))
	}
	painter := raster.NewRGBAPainter(p.dst)
	painter.SetColor(c)
	p.raster.Rasterize(painter)
}

// outline returns the colour in which text of that colour is outlined: black, or
// white for dark text (luma of ITU-R BT.601 below 135).
func outline(c color.RGBA) color.RGBA {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) < 135_000 {
		return color.RGBA{255, 255, 255, 255}
	}
	return color.RGBA{0, 0, 0, 255}
}

// em returns the height of text of that size in pixels. At 12 pixels it can be read; in
// tiny pictures it is smaller, so that a legend does not cover all.
func (p *painter) em(size float64) float64 {
	return max(size*p.pen.side/45, min(12, p.pen.side/10))
}

// write paints an outlined text of the height em with its left end on the baseline
// at, in pixels.
func (p *painter) write(text string, at keypoint.Point, em float64, c color.RGBA) {
	var shape polygon
	border, rim := max(em/7, 2), outline(c)
	for _, ch := range text {
		g := p.text.glyph(ch)
		for _, contour := range g.contours {
			shape.add(contour, em, at)
		}
		at[0] += g.advance * em
	}
	for _, contour := range shape.contours {
		for i, q := range contour {
			p.pen.line(q, contour[(i+1)%len(contour)], border, rim)
		}
	}
	p.pen.polygon(&shape, c)
}

// place moves a text of a width, with its left end on the baseline at, into the
// picture when a point that it belongs to is in it.
func (p *painter) place(at, anchor keypoint.Point, width, em float64) keypoint.Point {
	size := p.pen.dst.Rect.Size()
	w, h := float64(size.X), float64(size.Y)
	if anchor[0] < 0 || anchor[1] < 0 || anchor[0] > w || anchor[1] > h {
		return at
	}
	gap := max(em/7, 2)
	at[0] = max(min(at[0], w-width-gap), gap)
	at[1] = max(min(at[1], h-0.22*em-gap), capHeight*em+gap)
	return at
}
