// Package fonts reads font files for labels in other than Latin, Greek and Cyrillic letters, such as Japanese ones:
//
//	data, err := os.ReadFile("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
//	…
//	font, err := fonts.Parse(data)
//	…
//	service, err := motion.New(motion.Config{Fonts: []draw.Font{font}, …})
package fonts

import (
	"fmt"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// Parse reads a TrueType or OpenType font, or the first one of a collection (.ttf, .otf, .ttc). What is no font is a keypoint.ErrInvalid.
func Parse(data []byte) (draw.Font, error) {
	all, err := sfnt.ParseCollection(append([]byte{}, data...)) // which panics at nil
	if err == nil {
		var f *sfnt.Font
		if f, err = all.Font(0); err == nil {
			return outlines{f}, nil
		}
	}
	return nil, fmt.Errorf("%w font: %w", keypoint.ErrInvalid, err)
}

type outlines struct{ font *sfnt.Font }

// Outline implements draw.Font. What a broken font does not have is left out.
func (o outlines) Outline(path draw.Path, c rune, x, y, em float64) (advance float64, ok bool) {
	var buf sfnt.Buffer
	index, err := o.font.GlyphIndex(&buf, c)
	if err != nil || index == 0 {
		return 0, false
	}
	units := fixed.Int26_6(o.font.UnitsPerEm()) // at this size one step is one font unit
	scale := em / float64(units)
	if path != nil {
		segments, _ := o.font.LoadGlyph(&buf, index, units, nil)
		for _, s := range segments {
			var p [3]keypoint.Point
			for i, q := range s.Args {
				p[i] = keypoint.Point{x + float64(q.X)*scale, y + float64(q.Y)*scale}
			}
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				path.MoveTo(p[0][0], p[0][1])
			case sfnt.SegmentOpLineTo:
				path.LineTo(p[0][0], p[0][1])
			case sfnt.SegmentOpQuadTo:
				path.QuadraticTo(p[0][0], p[0][1], p[1][0], p[1][1])
			case sfnt.SegmentOpCubeTo:
				path.CubicTo(p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1])
			}
		}
	}
	width, _ := o.font.GlyphAdvance(&buf, index, units, font.HintingNone)
	return float64(width) * scale, true
}
