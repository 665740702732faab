package text_test

import (
	"testing"

	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/math/fixed"

	"github.com/bodymotion/motion/draw/internal/text"
)

func TestFace(t *testing.T) {
	f := text.NewFace(goregular.TTF, 20)
	if c, missing := f.Lacks("Füße, колено"); missing {
		t.Errorf("the font lacks %q", c)
	}
	if c, missing := f.Lacks("a膝b"); !missing || c != '膝' {
		t.Errorf("missing is %q, %v", c, missing)
	}
	if a, b := f.Width("ab"), f.Width("a膝b"); a < 15 || a > 30 || b != a+20 {
		t.Errorf("widths %v and %v, want 20 more with a character of another font", a, b)
	}
	for _, c := range []struct {
		text  string
		width float64
		want  string
	}{{"knee", 100, "knee"}, {"left knee flexion", 60, "left …"}, {"knee", 1, "…"}, {"", 0, ""}} {
		if got := f.Cut(c.text, c.width); got != c.want {
			t.Errorf("Cut(%q, %v) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// TestContours checks that the contours of the fonts begin on the curve, as curve requires.
func TestContours(t *testing.T) {
	for _, ttf := range [][]byte{gobold.TTF, gomedium.TTF, goregular.TTF} {
		f, err := truetype.Parse(ttf)
		if err != nil {
			t.Fatal(err)
		}
		var buf truetype.GlyphBuf
		glyphs := 0
		for c := range rune(0x3000) {
			index := f.Index(c)
			if index == 0 {
				continue
			}
			glyphs++
			if err := buf.Load(f, fixed.Int26_6(f.FUnitsPerEm()), index, font.HintingNone); err != nil {
				t.Fatalf("%q: %v", c, err)
			}
			start := 0
			for _, end := range buf.Ends {
				if buf.Points[start].Flags&1 == 0 {
					t.Errorf("%q has a contour that begins off the curve", c)
				}
				start = end
			}
		}
		if glyphs < 500 {
			t.Errorf("the font has only %d characters", glyphs)
		}
	}
}

func TestFixed(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{{1.25, 1, "1.2"}, {-0.04, 1, "0.0"}, {-3, 0, "−3"}, {12, 2, "12.00"}} {
		if got := text.Fixed(c.v, c.decimals); got != c.want {
			t.Errorf("Fixed(%v, %d) = %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
}

func TestFirst(t *testing.T) {
	for _, c := range []struct{ text, upper, lower string }{{"knee Flexion", "Knee Flexion", "knee Flexion"}, {"Élan", "Élan", "élan"}, {"膝", "膝", "膝"}, {"", "", ""}} {
		if u, l := text.Upper(c.text), text.Lower(c.text); u != c.upper || l != c.lower {
			t.Errorf("%q is %q and %q, want %q and %q", c.text, u, l, c.upper, c.lower)
		}
	}
}
