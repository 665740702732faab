package sheet

import (
	"fmt"
	"image"
	"image/color"

	"github.com/fogleman/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// labeller writes text onto a picture.
type labeller struct {
	dc *gg.Context
	em float64 // font size in pixels, at least 12
}

func newLabeller(dst *image.RGBA, em float64, c color.Color) *labeller {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		panic("sheet: the built-in font is broken: " + err.Error())
	}
	face, _ := opentype.NewFace(f, &opentype.FaceOptions{Size: em, DPI: 72, Hinting: font.HintingNone}) // never an error
	dc := gg.NewContextForRGBA(dst)
	dc.SetFontFace(face)
	dc.SetColor(c)
	return &labeller{dc, em}
}

// width returns the width of a text in pixels.
func (l *labeller) width(text string) float64 {
	w, _ := l.dc.MeasureString(text)
	return w
}

// cut returns the text, or as much of its beginning as fits a width in pixels together
// with an ellipsis.
func (l *labeller) cut(text string, width float64) string {
	if l.width(text) <= width {
		return text
	}
	runes := []rune(text)
	for n := len(runes) - 1; n > 0; n-- {
		if s := string(runes[:n]) + "…"; l.width(s) <= width {
			return s
		}
	}
	return "…"
}

// write centres a text in a box.
func (l *labeller) write(text string, box image.Rectangle) error {
	if _, err := draw.Compile([]draw.Rule{{Type: draw.Label, Text: text}}, draw.Background{}, false); err != nil {
		return fmt.Errorf("%w sheet: label %q: %w", keypoint.ErrInvalid, text, err)
	}
	const capHeight = 0.72 // of Go Bold, in ems
	text = l.cut(text, float64(box.Dx())-max(l.em/3.5, 4))
	l.dc.DrawString(text, float64(box.Min.X)+(float64(box.Dx())-l.width(text))/2, float64(box.Min.Y)+(float64(box.Dy())+capHeight*l.em)/2)
	return nil
}
