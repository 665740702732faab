package text

import (
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/math/fixed"

	"github.com/bodymotion/motion/keypoint"
)

// Path is draw.Path.
type Path interface {
	MoveTo(x, y float64)
	LineTo(x, y float64)
	QuadraticTo(x1, y1, x, y float64)
	CubicTo(x1, y1, x2, y2, x, y float64)
}

// Setter measures and outlines texts in a font of golang.org/x/image, and in others what it lacks. The zero value writes Go Bold.
type Setter[P Path, F interface {
	Outline(path P, c rune, x, y, em float64) (advance float64, ok bool)
}] struct {
	TTF  []byte
	More []F
	font *truetype.Font
	buf  truetype.GlyphBuf
}

// Outline adds the outline of a character, with its left end on the baseline at (x, y), to the path, and returns its advance in
// pixels. If all fonts lack it, ok is false, and it is taken as wide as it is high. A nil path only measures.
func (t *Setter[P, F]) Outline(path P, c rune, x, y, em float64) (advance float64, ok bool) {
	if t.font == nil {
		if t.TTF == nil {
			t.TTF = gobold.TTF
		}
		f, err := truetype.Parse(t.TTF)
		if err != nil {
			panic("text: a built-in font is broken: " + err.Error())
		}
		t.font = f
	}
	index := t.font.Index(c)
	if index == 0 {
		for _, f := range t.More {
			if advance, ok := f.Outline(path, c, x, y, em); ok {
				return advance, true
			}
		}
		return em, false
	}
	units := fixed.Int26_6(t.font.FUnitsPerEm()) // at this size one step is one font unit
	scale := em / float64(units)
	if any(path) != nil && t.buf.Load(t.font, units, index, font.HintingNone) == nil {
		start := 0
		for _, end := range t.buf.Ends {
			points := t.buf.Points[start:end]
			start = end
			curve(path, len(points), func(i int) (at keypoint.Point, on bool) {
				q := points[i%len(points)]
				return keypoint.Point{x + float64(q.X)*scale, y - float64(q.Y)*scale}, q.Flags&1 != 0
			})
		}
	}
	return float64(t.font.HMetric(units, index).AdvanceWidth) * scale, true
}

// curve adds a closed contour of n points to the path. Between two points that are not on the curve lies one that is,
// half-way. The first point is on the curve, as in all glyphs of the fonts.
func curve(path Path, n int, point func(i int) (at keypoint.Point, on bool)) {
	from, was := point(0)
	path.MoveTo(from[0], from[1])
	for i := 1; i <= n; i++ {
		p, on := point(i)
		next, then := point(i + 1)
		switch {
		case on && was:
			path.LineTo(p[0], p[1])
		case !on:
			if !then {
				next = p.Add(next).Mul(0.5)
			}
			path.QuadraticTo(p[0], p[1], next[0], next[1])
		}
		was = on
	}
}

// Write adds the outline of a text to the path, and returns its width.
func (t *Setter[P, F]) Write(path P, text string, x, y, em float64) (width float64) {
	for _, c := range text {
		advance, _ := t.Outline(path, c, x+width, y, em)
		width += advance
	}
	return width
}

// Width returns the width of a text in pixels at a font size of em pixels.
func (t *Setter[P, F]) Width(text string, em float64) float64 {
	var none P
	return t.Write(none, text, 0, 0, em)
}

// Lacks returns the first character of a text that all fonts lack.
func (t *Setter[P, F]) Lacks(text string) (c rune, missing bool) {
	for _, c := range text {
		var none P
		if _, ok := t.Outline(none, c, 0, 0, 1); !ok {
			return c, true
		}
	}
	return 0, false
}
