package draw

import (
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/fogleman/gg"

	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/keypoint"
)

// Font has characters that Go Bold, the font of labels, lacks: all but Latin, Greek and Cyrillic. fonts.Parse reads one.
// It is used by many goroutines at once.
type Font interface {
	// Outline adds the outline of a character of em pixels, with its left end on the baseline at (x, y), to the path, and
	// returns its advance in pixels; ok is false if the font lacks it. A nil path only measures.
	Outline(path Path, c rune, x, y, em float64) (advance float64, ok bool)
}

// Path takes the contours of characters, each of which ends where it begins.
type Path interface {
	MoveTo(x, y float64)
	LineTo(x, y float64)
	QuadraticTo(x1, y1, x, y float64)
	CubicTo(x1, y1, x2, y2, x, y float64)
}

// typesetter writes in Go Bold, and in the fonts what it lacks.
type typesetter = text.Setter[Path, Font]

// capHeight is the height of the font's capital letters and digits, in ems.
const capHeight = 0.72

// part returns the part of the picture within a box, for gg with its origin at 0, and
// where it lies in the picture; ok is false if there is none.
func (p *painter) part(low, high keypoint.Point) (m *image.RGBA, corner image.Point, ok bool) {
	dst := p.pen.dst
	w, h := float64(dst.Rect.Dx()), float64(dst.Rect.Dy())
	box := image.Rectangle{
		image.Pt(int(math.Floor(min(max(low[0], 0), w))), int(math.Floor(min(max(low[1], 0), h)))),
		image.Pt(int(math.Ceil(min(max(high[0], 0), w))), int(math.Ceil(min(max(high[1], 0), h)))),
	}
	if box.Empty() {
		return nil, image.Point{}, false
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		p.pen.touch(y, box.Min.X, box.Max.X)
	}
	m = dst.SubImage(box.Add(dst.Rect.Min)).(*image.RGBA)
	m.Rect = image.Rectangle{Max: box.Size()}
	return m, box.Min, true
}

// outlined fills a path, which lies within a box, with a colour and outlines it if the border is not 0.
func (p *painter) outlined(low, high keypoint.Point, border float64, c color.RGBA, path func(*gg.Context)) {
	m, corner, ok := p.part(low, high)
	if !ok {
		return
	}
	dc := gg.NewContext(m.Rect.Dx(), m.Rect.Dy())
	dc.Translate(float64(-corner.X), float64(-corner.Y))
	path(dc)
	if border > 0 {
		dc.SetLineWidth(border)
		dc.SetColor(outline(c))
		dc.StrokePreserve()
	}
	dc.SetColor(c)
	dc.Fill()
	lay(m, dc.Image().(*image.RGBA))
}

// lay lays a picture over another one of the same size. Unlike gg and image/draw it rounds
// to the nearest value, so that many texts at one place do not darken it.
func lay(dst, src *image.RGBA) {
	for y := range src.Rect.Dy() {
		to, from := dst.Pix[y*dst.Stride:], src.Pix[y*src.Stride:][:4*src.Rect.Dx()]
		for i, v := range from {
			if a := from[i|3]; a > 0 {
				to[i] = v + uint8((uint32(to[i])*uint32(255-a)+127)/255)
			}
		}
	}
}

// outline returns the colour in which text of that colour is outlined: black, or white for dark text (luma of ITU-R BT.601 below 135).
func outline(c color.RGBA) color.RGBA {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) < 135_000 {
		return color.RGBA{255, 255, 255, 255}
	}
	return color.RGBA{0, 0, 0, 255}
}

// em returns the font size in pixels for text of that size. It is at least the legible
// 12 pixels, but smaller in tiny pictures, so that a legend does not cover everything.
func (p *painter) em(size float64) float64 { return max(size*p.pen.side/45, min(12, p.pen.side/10)) }

// write paints an outlined text of a font size of em pixels, with its left end on the baseline at at.
func (p *painter) write(text string, at keypoint.Point, em float64, c color.RGBA) {
	p.set(text, at, em, max(em/7, 2), c)
}

// set is write with an outline of a width, 0 for none.
func (p *painter) set(text string, at keypoint.Point, em, border float64, c color.RGBA) {
	margin := border + em/2 // for what reaches beyond a character's advance
	low, high := at.Sub(keypoint.Point{margin, margin + em}), at.Add(keypoint.Point{margin, margin})
	high[0] += p.text.Width(text, em)
	at[0] = high[0] - margin
	p.outlined(low, high, border, c, func(dc *gg.Context) {
		// From right to left, because gg looks for each pixel's place in its row from the left.
		for _, char := range slices.Backward([]rune(text)) {
			at[0] -= p.text.Width(string(char), em)
			p.text.Outline(dc, char, at[0], at[1], em)
		}
	})
}

// place moves a text of a width, with its left end on the baseline at at, into the picture if the point that it belongs to is in it.
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
