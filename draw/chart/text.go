package chart

import (
	"fmt"
	"image/color"
	"unicode/utf8"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/bodymotion/motion/keypoint"
)

// maxText is the greatest length of a text in characters.
const maxText = 200

// capHeight is the height of the font's capital letters and digits, in ems.
const capHeight = 0.7

// checkText reports texts that are too long or have characters that the font lacks.
func checkText(what, s string) error {
	if n := utf8.RuneCountInString(s); n > maxText {
		return fmt.Errorf("%w text: %s has %d characters, want at most %d", keypoint.ErrInvalid, what, n, maxText)
	}
	var f *sfnt.Font
	var buf sfnt.Buffer
	for _, c := range s {
		if c >= ' ' && c <= '~' {
			continue
		}
		if f == nil {
			f = handler().Cache().Lookup(sans(1), 1).Face
		}
		if index, err := f.GlyphIndex(&buf, c); err != nil || index == 0 {
			return fmt.Errorf("%w text: %s has the character %q, which the font lacks", keypoint.ErrInvalid, what, c)
		}
	}
	return nil
}

// sans returns the font of all text at a size.
func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// handler returns a text handler that does not depend on the defaults of package plot,
// which the host may have changed.
func handler() text.Handler {
	return text.Plain{Fonts: font.NewCache(liberation.Collection())}
}

// style returns the style of text of a size.
func style(h text.Handler, size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    sans(size),
		XAlign:  draw.XLeft,
		YAlign:  draw.YBottom,
		Handler: h,
	}
}

// write draws a text with its baseline at p.
func write(c draw.Canvas, sty text.Style, p vg.Point, s string) {
	p.Y += sty.FontExtents().Ascent - sty.Font.Size // which Plain subtracts
	c.FillText(sty, p, s)
}

// fit returns the text, cut and with an ellipsis if it is wider than width.
func fit(sty text.Style, s string, width vg.Length) string {
	if sty.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	for n := len(runes) - 1; n > 0; n-- {
		if cut := string(runes[:n]) + "…"; sty.Width(cut) <= width {
			return cut
		}
	}
	return "…"
}
