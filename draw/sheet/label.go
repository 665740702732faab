package sheet

import (
	"fmt"
	"image"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// labeller writes outlined text with package draw and measures it with the same font.
type labeller struct {
	font  *sfnt.Font
	buf   sfnt.Buffer
	em    float64 // height of the text in pixels, at least 12
	color draw.Color
}

func newLabeller(em float64, c draw.Color) (*labeller, error) {
	f, err := sfnt.Parse(gobold.TTF)
	if err != nil {
		return nil, fmt.Errorf("sheet: the built-in font: %w", err)
	}
	return &labeller{font: f, em: em, color: c}, nil
}

// width returns the width of a text in pixels.
func (l *labeller) width(text string) float64 {
	units := l.font.UnitsPerEm()
	sum := 0.0
	for _, c := range text {
		index, err := l.font.GlyphIndex(&l.buf, c)
		if err != nil {
			continue
		}
		if advance, err := l.font.GlyphAdvance(&l.buf, index, fixed.Int26_6(units), font.HintingNone); err == nil {
			sum += float64(advance) / float64(units)
		}
	}
	return sum * l.em
}

// cut returns as much of the text as is no wider than so many pixels, with an ellipsis.
func (l *labeller) cut(text string, most float64) string {
	if l.width(text) <= most {
		return text
	}
	runes := []rune(text)
	for n := len(runes) - 1; n > 0; n-- {
		if s := string(runes[:n]) + "…"; l.width(s) <= most {
			return s
		}
	}
	return "…"
}

// write sets a text in the middle of a box.
func (l *labeller) write(dst *image.RGBA, text string, box image.Rectangle) error {
	if text == "" {
		return nil
	}
	part := keypoint.Nose // any will do
	rule := draw.Rule{Type: draw.Label, Points: []keypoint.Selector{keypoint.PartSelector(part)}, Text: text, Color: l.color}
	if _, err := draw.Compile([]draw.Rule{rule}, draw.Background{}, false); err != nil {
		return fmt.Errorf("%w sheet: label %q: %w", keypoint.ErrInvalid, text, err)
	}
	rim := max(l.em/7, 2)
	rule.Text = l.cut(text, float64(box.Dx())-2*rim)
	// A label of package draw begins half a dot and a third of an em beside its point.
	side := float64(max(box.Dx(), box.Dy()))
	rule.Size = l.em * 45 / side
	dot := max(rule.Size*side/150, 4)
	x := (float64(box.Dx())-l.width(rule.Text))/2 - dot/2 - l.em/3
	var f keypoint.Frame
	f.Set(part, keypoint.Point{x, float64(box.Dy()) / 2}, 1)
	return draw.Render(dst.SubImage(box).(*image.RGBA), &f, []draw.Rule{rule}, draw.Background{})
}
