package draw_test

import (
	"image"
	"math"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// TestValues: labels are on the outer side of the body, in the colour of its side, and keep clear of each
// other and of the limbs.
func TestValues(t *testing.T) {
	f := person(400, 400)
	part := func(p ...keypoint.Part) []keypoint.Part { return p }
	at := [][]keypoint.Part{
		part(keypoint.LeftKnee), part(keypoint.RightKnee), part(keypoint.LeftShoulder, keypoint.RightShoulder), part(keypoint.LeftKnee),
	}
	rules := draw.Values(keypoint.Sequence{Frames: []keypoint.Frame{f}}, at)
	for k, want := range []struct {
		beside string
		color  draw.Color
	}{{"right", "blueGreen"}, {"left", "orange"}, {"", draw.White}, {"", "blueGreen"}} {
		r := rules[k]
		if want.beside != "" && r.Beside != want.beside || r.Color != want.color || *r.Analysis != k || r.Type != "label" {
			t.Errorf("label %d is on the %s in %s, want %v", k, r.Beside, r.Color, want)
		}
	}
	style, err := draw.Compile(rules, draw.Background{}, false)
	if err != nil {
		t.Fatal(err)
	}
	value := func(int) (string, bool) { return "88°", true }
	touched := func(style *draw.Style, f keypoint.Frame, value func(int) (string, bool)) (box image.Rectangle, near float64) {
		m := image.NewRGBA(image.Rect(0, 0, 400, 400))
		if err := draw.NewRenderer(style).Render(m, &f, draw.Inputs{Value: value}); err != nil {
			t.Fatal(err)
		}
		knee, _ := f.At(keypoint.LeftKnee)
		near = math.Inf(1)
		for y := range 400 {
			for x := range 400 {
				if m.Pix[y*m.Stride+4*x+3] > 0 {
					box = box.Union(image.Rect(x, y, x+1, y+1))
					near = min(near, knee.Sub(keypoint.Point{float64(x), float64(y)}).Len())
				}
			}
		}
		return box, near
	}
	if _, near := touched(style, f, value); near < 6 || near > 25 {
		t.Errorf("the nearest text is %.0f px from the knee", near)
	}
	if box, _ := touched(style, f, func(int) (string, bool) { return "", false }); !box.Empty() {
		t.Errorf("without values, something is drawn in %v", box)
	}

	// Two texts at one place are one below the other, and at the border the other side is taken.
	label := draw.Rule{Type: "label", Points: keypoint.PartSelectors(keypoint.LeftKnee), Text: "88°", Beside: "right"}
	compiled := func(rules ...draw.Rule) *draw.Style {
		s, err := draw.Compile(rules, draw.Background{}, false)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one, _ := touched(compiled(label), f, nil)
	two, _ := touched(compiled(label, label), f, nil)
	if two.Dy() < 2*one.Dy() || two.Dx() != one.Dx() {
		t.Errorf("one text is in %v, two are in %v", one, two)
	}
	if right, _ := touched(compiled(label), shifted(f, 120, 0), nil); right.Max.X > 264+120 {
		t.Errorf("at the border the text is in %v", right)
	}
}

// TestPresets: the presets compile with and without a comparison, and a ghost is added to the lines of the
// whole skeleton once, or else to every shape.
func TestPresets(t *testing.T) {
	for _, name := range draw.Presets() {
		for _, comparison := range []bool{false, true} {
			rules, ok := draw.Preset(name, comparison)
			if _, err := draw.Compile(rules, draw.Background{}, comparison); !ok || err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, ok := draw.Preset("none", false); ok {
		t.Error("there is a preset none")
	}
	ghosts := func(rules []draw.Rule) (n int) {
		for _, r := range draw.Ghosts(rules, draw.SkyBlue) {
			if r.Ghost == draw.SkyBlue {
				n++
			}
		}
		return n
	}
	mine := []draw.Rule{{Type: "keypoint"}, {Type: "stickPicture", Pattern: "leftBody", Ghost: "pink"}, {Type: "trace"}, {Type: "horizontalLine"}}
	if a, b, c := ghosts(draw.Sides()), ghosts(draw.Defaults(true)), ghosts(mine); a != 1 || b != 1 || c != 2 || mine[0].Ghost != "" {
		t.Errorf("%d, %d and %d ghosts, want 1, 1 and 2", a, b, c)
	}
}
