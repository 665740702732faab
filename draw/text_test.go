package draw

import (
	"testing"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// TestOutlines checks that the outlines of the font are what outline draws: closed, of lines and of
// quadratic curves.
func TestOutlines(t *testing.T) {
	var set typesetter
	glyphs := 0
	for c := range rune(0x3000) {
		index := set.glyph(c)
		if index == 0 {
			continue
		}
		glyphs++
		segments, err := set.font.LoadGlyph(&set.buf, index, fixed.Int26_6(set.font.UnitsPerEm()), nil)
		if err != nil {
			t.Fatalf("%q: %v", c, err)
		}
		var first, last fixed.Point26_6
		for i, s := range segments {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if first != last {
					t.Errorf("%q has an open outline before segment %d", c, i)
				}
				first, last = s.Args[0], s.Args[0]
			case sfnt.SegmentOpLineTo:
				last = s.Args[0]
			case sfnt.SegmentOpQuadTo:
				last = s.Args[1]
			default:
				t.Errorf("%q: segment %d is of kind %d", c, i, s.Op)
			}
		}
		if first != last {
			t.Errorf("%q has an open outline", c)
		}
	}
	if glyphs < 500 {
		t.Errorf("the font has only %d characters", glyphs)
	}
}
