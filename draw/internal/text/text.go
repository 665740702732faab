// Package text measures, cuts and writes text and numbers for charts, sheets and reports.
package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
)

// Face is a font at a size. It is not safe for concurrent use.
type Face struct {
	font.Face
	Em   float64 // pixels
	font *opentype.Font
	buf  sfnt.Buffer
}

// NewFace returns one of the fonts of golang.org/x/image at a size in pixels. It panics if it is broken.
func NewFace(ttf []byte, em float64) *Face {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic("text: the built-in font is broken: " + err.Error())
	}
	face, _ := opentype.NewFace(f, &opentype.FaceOptions{Size: em, DPI: 72, Hinting: font.HintingNone}) // never an error
	return &Face{Face: face, Em: em, font: f}
}

// Lacks returns the first character that the font lacks.
func (f *Face) Lacks(text string) (c rune, missing bool) {
	for _, c := range text {
		if index, err := f.font.GlyphIndex(&f.buf, c); err != nil || index == 0 {
			return c, true
		}
	}
	return 0, false
}

// Width returns the width of a text in whole pixels, as gg has it. A character that the font lacks, which
// another font will show, is taken as wide as it is high.
func (f *Face) Width(text string) float64 {
	lacking := 0.0
	known := strings.Map(func(c rune) rune {
		if _, missing := f.Lacks(string(c)); missing {
			lacking += f.Em
			return -1
		}
		return c
	}, text)
	return float64(font.MeasureString(f, known)>>6) + lacking
}

// Cut returns the text, or as much of its beginning as fits a width in pixels together with an ellipsis.
func (f *Face) Cut(text string, width float64) string {
	if f.Width(text) <= width {
		return text
	}
	runes := []rune(text)
	for n := len(runes) - 1; n > 0; n-- {
		if s := string(runes[:n]) + "…"; f.Width(s) <= width {
			return s
		}
	}
	return "…"
}

// Fixed writes a number with as many decimals, and no minus sign before a zero.
func Fixed(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return strings.Replace(text, "-", "−", 1)
}

// Upper returns the text with a capital at its beginning.
func Upper(text string) string { return first(text, unicode.ToUpper) }

// Lower returns the text with a small letter at its beginning.
func Lower(text string) string { return first(text, unicode.ToLower) }

func first(text string, change func(rune) rune) string {
	c, n := utf8.DecodeRuneInString(text)
	if n == 0 {
		return text
	}
	return string(change(c)) + text[n:]
}
