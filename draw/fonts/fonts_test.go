package fonts_test

import (
	"errors"
	"image"
	"os"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gobold"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/fonts"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// japanese is where Debian and Ubuntu have a font with Japanese characters.
const japanese = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"

// TestFonts: a label may have characters that only a font of the host has, and is refused without it, with what to do.
func TestFonts(t *testing.T) {
	rules, err := draw.ParseRules([]byte(`{"drawingType":"label","points":["leftKnee"],"text":"左膝 knee","color":"white","size":3}`))
	if err != nil {
		t.Fatal(err)
	}
	var errs keypoint.FieldErrors
	_, err = draw.Compile(rules, draw.Background{}, false)
	if !errors.As(err, &errs) || len(errs) != 1 || errs[0].Pointer != "/0/text" || !strings.Contains(errs[0].Detail, `'左', which the font cannot write`) || !strings.Contains(errs[0].Detail, "Config.Fonts") {
		t.Errorf("without a font: %v", err)
	}
	bold, err := fonts.Parse(gobold.TTF)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := draw.Compile(rules, draw.Background{}, false, bold); !errors.As(err, &errs) {
		t.Errorf("with a font that lacks it, too: %v", err)
	}
	for name, data := range map[string][]byte{"nothing": nil, "text": []byte("this is no font, but a text"), "half a font": gobold.TTF[:1000]} {
		if _, err := fonts.Parse(data); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	data, err := os.ReadFile(japanese)
	if err != nil {
		testkit.Skip(t, "fonts-noto-cjk")
	}
	font, err := fonts.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	var f keypoint.Frame
	f.Set(keypoint.LeftKnee, keypoint.Point{40, 100}, 1)
	written := func(text string, more ...draw.Font) (n, right int) {
		rules[0].Text = text
		style, err := draw.Compile(rules, draw.Background{}, false, more...)
		if err != nil {
			t.Fatal(err)
		}
		dst := image.NewRGBA(image.Rect(0, 0, 400, 200))
		if err := draw.NewRenderer(style).Render(dst, &f, draw.Inputs{}); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(dst.Pix); i += 4 {
			if dst.Pix[i] > 128 {
				n, right = n+1, max(right, i/4%400)
			}
		}
		return n, right
	}
	alone, end := written("knee")
	both, farther := written("左膝 knee", bold, font)
	if strokes := both - alone; strokes < 150 || farther-end < 40 {
		t.Errorf("two characters paint %d pixels and take %d", strokes, farther-end)
	}
	if n, right := written("knee", font); n != alone || right != end {
		t.Errorf("a font changes what the built-in one writes: %d pixels up to %d, want %d up to %d", n, right, alone, end)
	}
}
