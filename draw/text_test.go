package draw

import (
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
)

// TestContours checks that the contours of the font begin on the curve, as curve requires.
func TestContours(t *testing.T) {
	var set typesetter
	glyphs := 0
	for c := range rune(0x3000) {
		index := set.glyph(c)
		if index == 0 {
			continue
		}
		glyphs++
		if err := set.buf.Load(set.font, fixed.Int26_6(set.font.FUnitsPerEm()), index, font.HintingNone); err != nil {
			t.Fatalf("%q: %v", c, err)
		}
		start := 0
		for _, end := range set.buf.Ends {
			if set.buf.Points[start].Flags&1 == 0 {
				t.Errorf("%q has a contour that begins off the curve", c)
			}
			start = end
		}
	}
	if glyphs < 500 {
		t.Errorf("the font has only %d characters", glyphs)
	}
}
