// Package text measures, cuts and writes text and numbers for charts, sheets and reports.
package text

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Face is a font at a size.
type Face struct {
	Setter[Path, interface {
		Outline(path Path, c rune, x, y, em float64) (advance float64, ok bool)
	}]
	Em float64 // pixels
}

// NewFace returns one of the fonts of golang.org/x/image at a size in pixels.
func NewFace(ttf []byte, em float64) *Face {
	f := &Face{Em: em}
	f.TTF = ttf
	return f
}

// Width returns the width of a text in whole pixels.
func (f *Face) Width(text string) float64 { return math.Floor(f.Setter.Width(text, f.Em)) }

// Cut returns the text, or as much of its beginning as fits a width in pixels together with an ellipsis.
func (f *Face) Cut(text string, width float64) string { return Cut(text, width, f.Width) }

// Write adds the outline of a text to the path; anchor is the share of its width that is left of x.
func (f *Face) Write(path Path, text string, x, y, anchor float64) {
	f.Setter.Write(path, text, x-anchor*f.Width(text), y, f.Em)
}

// Cut is Face.Cut of a font that measures so.
func Cut(text string, width float64, measure func(string) float64) string {
	if measure(text) <= width {
		return text
	}
	runes := []rune(text)
	for n := len(runes) - 1; n > 0; n-- {
		if s := string(runes[:n]) + "…"; measure(s) <= width {
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
