package draw

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/fogleman/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/bodymotion/motion/keypoint"
)

// Font is a font of a host. Labels take characters from it that Go Bold, which has Latin, Greek and Cyrillic, lacks. It
// may be used by many goroutines at once.
type Font struct{ font *sfnt.Font }

// ParseFont reads a TrueType or OpenType font, or the first one of a collection (.ttf, .otf, .ttc). It keeps data. What
// is no font is a keypoint.ErrInvalid.
func ParseFont(data []byte) (*Font, error) {
	if len(data) == 0 {
		return nil, fmt.Errorf("%w font: it is empty", keypoint.ErrInvalid)
	}
	all, err := sfnt.ParseCollection(data)
	if err != nil {
		return nil, fmt.Errorf("%w font: %w", keypoint.ErrInvalid, err)
	}
	f, err := all.Font(0)
	if err != nil {
		return nil, fmt.Errorf("%w font: %w", keypoint.ErrInvalid, err)
	}
	return &Font{f}, nil
}

// typesetter measures and outlines text in Go Bold and the fonts for what it lacks. The zero value is ready.
type typesetter struct {
	more []*Font
	bold *sfnt.Font
	buf  sfnt.Buffer
}

// capHeight is the height of the font's capital letters and digits, in ems.
const capHeight = 0.72

// glyph returns the font with a character and its index there, 0 if all fonts lack it.
func (t *typesetter) glyph(c rune) (*sfnt.Font, sfnt.GlyphIndex) {
	if t.bold == nil {
		f, err := sfnt.Parse(gobold.TTF)
		if err != nil {
			panic("draw: the built-in font is broken: " + err.Error())
		}
		t.bold = f
	}
	if index, err := t.bold.GlyphIndex(&t.buf, c); err == nil && index != 0 {
		return t.bold, index
	}
	for _, f := range t.more {
		if index, err := f.font.GlyphIndex(&t.buf, c); err == nil && index != 0 {
			return f.font, index
		}
	}
	return t.bold, 0
}

// lacks returns the first character of a text that all fonts lack.
func (t *typesetter) lacks(text string) (c rune, missing bool) {
	for _, c := range text {
		if c < ' ' || c > '~' {
			if _, index := t.glyph(c); index == 0 {
				return c, true
			}
		}
	}
	return 0, false
}

// width returns the width of a text in pixels at a font size of em pixels.
func (t *typesetter) width(text string, em float64) float64 {
	x := 0.0
	for _, c := range text {
		x += t.outline(nil, c, keypoint.Point{}, em)
	}
	return x
}

// outline adds the outline of a character, with its left end on the baseline at at, to the
// path of dc, and returns its advance in pixels. A nil dc only measures. What a broken font does not have is left out.
func (t *typesetter) outline(dc *gg.Context, c rune, at keypoint.Point, em float64) (advance float64) {
	f, index := t.glyph(c)
	units := fixed.Int26_6(f.UnitsPerEm()) // at this size one step is one font unit
	scale := em / float64(units)
	if dc != nil {
		segments, _ := f.LoadGlyph(&t.buf, index, units, nil)
		for _, s := range segments { // contours return to where they begin
			var p [3]keypoint.Point
			for i, q := range s.Args {
				p[i] = keypoint.Point{at[0] + float64(q.X)*scale, at[1] + float64(q.Y)*scale}
			}
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				dc.MoveTo(p[0][0], p[0][1])
			case sfnt.SegmentOpLineTo:
				dc.LineTo(p[0][0], p[0][1])
			case sfnt.SegmentOpQuadTo:
				dc.QuadraticTo(p[0][0], p[0][1], p[1][0], p[1][1])
			case sfnt.SegmentOpCubeTo:
				dc.CubicTo(p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1])
			}
		}
	}
	width, _ := f.GlyphAdvance(&t.buf, index, units, font.HintingNone)
	return float64(width) * scale
}

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

// outlined fills a path, which lies within a box, with a colour and outlines it.
func (p *painter) outlined(low, high keypoint.Point, border float64, c color.RGBA, path func(*gg.Context)) {
	m, corner, ok := p.part(low, high)
	if !ok {
		return
	}
	dc := gg.NewContext(m.Rect.Dx(), m.Rect.Dy())
	dc.Translate(float64(-corner.X), float64(-corner.Y))
	path(dc)
	dc.SetLineWidth(border)
	dc.SetColor(outline(c))
	dc.StrokePreserve()
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

// outline returns the colour in which text of that colour is outlined: black, or
// white for dark text (luma of ITU-R BT.601 below 135).
func outline(c color.RGBA) color.RGBA {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) < 135_000 {
		return color.RGBA{255, 255, 255, 255}
	}
	return color.RGBA{0, 0, 0, 255}
}

// em returns the font size in pixels for text of that size. It is at least the legible
// 12 pixels, but smaller in tiny pictures, so that a legend does not cover everything.
func (p *painter) em(size float64) float64 {
	return max(size*p.pen.side/45, min(12, p.pen.side/10))
}

// write paints an outlined text of a font size of em pixels, with its left end on the baseline at at.
func (p *painter) write(text string, at keypoint.Point, em float64, c color.RGBA) {
	border := max(em/7, 2)
	margin := border + em/2 // for what reaches beyond a character's advance
	low, high := at.Sub(keypoint.Point{margin, margin + em}), at.Add(keypoint.Point{margin, margin})
	high[0] += p.text.width(text, em)
	at[0] = high[0] - margin
	p.outlined(low, high, border, c, func(dc *gg.Context) {
		// From right to left, because gg looks for each pixel's place in its row from the left.
		for _, char := range slices.Backward([]rune(text)) {
			at[0] -= p.text.outline(nil, char, at, em)
			p.text.outline(dc, char, at, em)
		}
	})
}

// place moves a text of a width, with its left end on the baseline at at, into the
// picture if the point that it belongs to is in it.
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
