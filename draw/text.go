package draw

import (
	"image"
	"image/color"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// polygon fills a shape with an opaque colour by the non-zero winding rule.
func (p *pen) polygon(g *polygon, c color.RGBA) {
	size := p.dst.Rect.Size()
	if len(g.contours) == 0 || !(g.high[0] > 0 && g.high[1] > 0 && g.low[0] < float64(size.X) && g.low[1] < float64(size.Y)) {
		return
	}
	x0, y0 := math.Floor(g.low[0]), math.Floor(g.low[1])
	w, h := int(math.Ceil(g.high[0])-x0), int(math.Ceil(g.high[1])-y0)
	if w <= 0 || h <= 0 || w > 4*size.X+64 || h > 4*size.Y+64 {
		return // as large as no text or arrow head of a picture can be
	}
	p.raster.Reset(w, h)
	for _, contour := range g.contours {
		for i, q := range contour {
			x, y := float32(q[0]-x0), float32(q[1]-y0)
			if i == 0 {
				p.raster.MoveTo(x, y)
			} else {
				p.raster.LineTo(x, y)
			}
		}
		p.raster.ClosePath()
	}
	p.ink.C = c
	at := image.Pt(int(x0), int(y0)).Add(p.dst.Rect.Min)
	r := image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}
	p.raster.Draw(p.dst, r, &p.ink, image.Point{})
}

// outline returns the colour in which text of that colour is outlined: black, or
// white for dark text (luma of ITU-R BT.601 below 128).
func outline(c color.RGBA) color.RGBA {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) < 110_000 {
		return color.RGBA{255, 255, 255, 255}
	}
	return color.RGBA{0, 0, 0, 255}
}

// em returns the height of text of that size in pixels.
func (p *painter) em(size float64) float64 { return max(size*p.pen.side/45, 12) }

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
