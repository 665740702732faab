package draw_test

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"strings"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// TestBodyLikePage: the colours of a body are those of the page's stage and of reports, and it is unsure where the page is.
func TestBodyLikePage(t *testing.T) {
	page, report := strings.Join(strings.Fields(read(t, "../httpapi/viewer/page/base/base.css")), " "), read(t, "report/style.css")
	f := person(400, 400)
	m := image.NewRGBA(image.Rect(0, 0, 400, 400))
	drawn := func(f keypoint.Frame, in draw.Inputs, a, b keypoint.Part, share float64) color.RGBA {
		t.Helper()
		style, err := draw.Compile([]draw.Rule{{Type: "body", Size: 8}}, draw.Background{SkeletonOnly: true, Color: "green"}, false)
		if err == nil {
			err = draw.NewRenderer(style).Render(m, &f, in)
		}
		if err != nil {
			t.Fatal(err)
		}
		from, _ := f.At(a)
		to, _ := f.At(b)
		at := from.Add(to.Sub(from).Mul(share))
		return m.RGBAAt(int(at[0]), int(at[1]))
	}
	hex := func(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
	for _, c := range []struct {
		token string
		a, b  keypoint.Part
	}{
		{"--left-film", keypoint.LeftHip, keypoint.LeftKnee}, {"--right-film", keypoint.RightHip, keypoint.RightKnee},
		{"--mid-film", keypoint.LeftShoulder, keypoint.RightShoulder},
	} {
		got := c.token + ": " + hex(drawn(f, draw.Inputs{}, c.a, c.b, 0.5))
		if !strings.Contains(page, got+";") {
			t.Errorf("a body has %s, the page another one", got)
		}
		if strings.Contains(report, c.token) && !strings.Contains(report, got+";") {
			t.Errorf("a body has %s, reports another one", got)
		}
	}
	green := color.RGBA{0, 128, 0, 255}
	if got := drawn(f, draw.Inputs{}, keypoint.LeftEye, keypoint.RightEye, 0.5); got != green {
		t.Errorf("there is %v in the face", got)
	}
	hidden := draw.Inputs{Hidden: keypoint.PartsOf(keypoint.LeftKnee)}
	if got := drawn(f, hidden, keypoint.LeftHip, keypoint.LeftKnee, 0.5); got != green {
		t.Errorf("there is %v on the way to a hidden knee", got)
	}
	if !strings.Contains(read(t, "../httpapi/viewer/page/player/skeleton.js"), "const sure = 0.5;") {
		t.Error("the page is sure from another confidence on")
	}
	for confidence, solid := range map[float64]bool{0.49: false, 0.5: true} {
		at, _ := f.At(keypoint.LeftKnee)
		f.Set(keypoint.LeftKnee, at, confidence)
		blues := map[color.RGBA]bool{}
		for share := 0.3; share < 0.7; share += 0.01 {
			blues[drawn(f, draw.Inputs{}, keypoint.LeftHip, keypoint.LeftKnee, share)] = true
		}
		if (len(blues) == 1) != solid {
			t.Errorf("at a confidence of %v the thigh has %d colours", confidence, len(blues))
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestBodyRule: a body takes no points and no colour of its own, and its legend needs no comparison.
func TestBodyRule(t *testing.T) {
	for text, want := range map[string]string{
		`{"drawingType":"body","points":["nose"]}`: "/points",
		`{"drawingType":"body","color":"red"}`:     "/color",
		`{"drawingType":"body","faint":true}`:      "/faint",
		`{"drawingType":"keypoint","text":"a"}`:    "/text",
	} {
		var errs keypoint.FieldErrors
		if _, err := draw.ParseRules([]byte(text)); !errors.As(err, &errs) || errs[0].Pointer != want {
			t.Errorf("%s: %v, want a mistake in %s", text, err, want)
		}
	}
	if _, err := draw.Compile(draw.Sides(), draw.Background{}, false); err != nil {
		t.Error(err)
	}
}
