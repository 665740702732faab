package draw

import (
	"math"

	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/math/fixed"

	"github.com/bodymotion/motion/keypoint"
)

// glyph is the shape of one character, in ems: origin on the baseline, y down.
type glyph struct {
	advance  float64
	contours [][]keypoint.Point // closed
}

// typesetter holds the font, Go Bold, and the shapes of the characters used so far.
// The zero value is ready.
type typesetter struct {
	font   *truetype.Font
	glyphs map[rune]glyph
}

// capHeight is the height of the font's capital letters and digits, in ems.
const capHeight = 0.72

// face returns the parsed font; it is part of the program and always sound.
func face() *truetype.Font {
	f, err := truetype.Parse(gobold.TTF)
	if err != nil {
		panic("draw: the built-in font is broken: " + err.Error())
	}
	return f
}

// unwritable returns the first character of a text that the font does not have.
func unwritable(text string) (c rune, missing bool) {
	var f *truetype.Font
	for _, c := range text {
		if c >= ' ' && c <= '~' {
			continue
		}
		if f == nil {
			f = face()
		}
		if f.Index(c) == 0 {
			return c, true
		}
	}
	return 0, false
}

// glyph returns the shape of a character.
func (t *typesetter) glyph(c rune) glyph {
	if g, ok := t.glyphs[c]; ok {
		return g
	}
	if t.font == nil {
		t.font = face()
		t.glyphs = map[rune]glyph{}
	}
	em := t.font.FUnitsPerEm()
	index := t.font.Index(c)
	scale := fixed.Int26_6(em) // so that one unit of the answer is one of the font
	g := glyph{advance: float64(t.font.HMetric(scale, index).AdvanceWidth) / float64(em)}
	var buf truetype.GlyphBuf
	if err := buf.Load(t.font, scale, index, font.HintingNone); err == nil {
		from := 0
		for _, until := range buf.Ends {
			g.contours = append(g.contours, flatten(buf.Points[from:until], float64(em)))
			from = until
		}
	}
	t.glyphs[c] = g
	return g
}

// steps is how many straight lines make up one curve of a glyph.
const steps = 5

// flatten returns a contour of quadratic curves as a polygon in ems. Points that are
// not on the curve are control points; between two of them lies one on it, halfway.
func flatten(points []truetype.Point, em float64) []keypoint.Point {
	at := func(p truetype.Point) (q keypoint.Point, on bool) {
		return keypoint.Point{float64(p.X) / em, -float64(p.Y) / em}, p.Flags&1 != 0
	}
	n := len(points)
	var path []keypoint.Point // every second one on the curve
	var on []bool
	for i, p := range points {
		q, ok := at(p)
		next, nextOn := at(points[(i+1)%n])
		path, on = append(path, q), append(on, ok)
		if !ok && !nextOn {
			path, on = append(path, q.Add(next).Mul(0.5)), append(on, true)
		}
	}
	var flat []keypoint.Point
	n = len(path)
	for i, q := range path {
		if on[i] {
			flat = append(flat, q)
			continue
		}
		a, b := path[(i+n-1)%n], path[(i+1)%n]
		for s := 1; s < steps; s++ {
			t := float64(s) / steps
			flat = append(flat, a.Mul((1-t)*(1-t)).Add(q.Mul(2*t*(1-t))).Add(b.Mul(t*t)))
		}
	}
	return flat
}

// width returns the width of a text in pixels at a height of the font (one em).
func (t *typesetter) width(text string, em float64) float64 {
	sum := 0.0
	for _, c := range text {
		sum += t.glyph(c).advance
	}
	return sum * em
}

// polygon is a filled shape being gathered.
type polygon struct {
	contours [][]keypoint.Point
	low      keypoint.Point
	high     keypoint.Point
}

// add adds a contour, scaled and moved.
func (g *polygon) add(contour []keypoint.Point, scale float64, to keypoint.Point) {
	if len(g.contours) == 0 {
		g.low = keypoint.Point{math.Inf(1), math.Inf(1)}
		g.high = g.low.Mul(-1)
	}
	moved := make([]keypoint.Point, len(contour))
	for i, q := range contour {
		q = q.Mul(scale).Add(to)
		moved[i] = q
		g.low = keypoint.Point{min(g.low[0], q[0]), min(g.low[1], q[1])}
		g.high = keypoint.Point{max(g.high[0], q[0]), max(g.high[1], q[1])}
	}
	g.contours = append(g.contours, moved)
}
