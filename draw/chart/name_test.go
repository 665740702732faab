package chart_test

import (
	"bytes"
	"image/color"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/chart"
)

// TestNames: what all series show is the title, what distinguishes them is in the legend.
func TestNames(t *testing.T) {
	of := func(name string, side analyze.Side) chart.Series {
		s := squats(20, 90, 0)
		s.Result.Name, s.Result.Side = name, side
		return s
	}
	left, right := of("left knee flexion", analyze.LeftSide), of("right knee flexion", analyze.RightSide)
	hip, trunk, none := of("left hip flexion", analyze.LeftSide), of("trunk lean", ""), of("", "")
	named := of("left knee flexion", analyze.LeftSide)
	named.Name = "mine"
	for _, c := range []struct {
		name     string
		series   []chart.Series
		title    string
		has, not []string
	}{
		{"one", []chart.Series{left}, "", []string{"Left knee flexion"}, []string{"left", "left knee flexion"}},
		{"one of a title", []chart.Series{left}, "Squat", []string{"Squat", "left knee flexion"}, []string{"Left knee flexion"}},
		{"both sides", []chart.Series{left, right}, "", []string{"Knee flexion", "left", "right"}, []string{"left knee flexion"}},
		{"both of a title", []chart.Series{left, right}, "Squat", []string{"Squat", "left knee flexion", "right knee flexion"}, []string{"Knee flexion"}},
		{"several", []chart.Series{left, hip, trunk}, "", []string{"left knee flexion", "left hip flexion", "trunk lean"}, []string{"Knee flexion"}},
		{"two recordings", []chart.Series{left, named}, "", []string{"Left knee flexion", "series 1", "mine"}, []string{"left"}},
		{"no names", []chart.Series{none, none}, "", []string{"series 1", "series 2"}, nil},
		{"two ends", []chart.Series{of("euclidean distance left hip - left ankle", analyze.LeftSide), of("euclidean distance right hip - right ankle", analyze.RightSide)}, "",
			[]string{"Euclidean distance hip - ankle", "left", "right"}, nil},
		{"one without a name", []chart.Series{of("膝", ""), none}, "", []string{"膝", "series 2"}, nil},
	} {
		var svg bytes.Buffer
		if err := chart.WriteSVG(&svg, c.series, chart.Options{Title: c.title}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, text := range c.has {
			if !strings.Contains(svg.String(), ">"+text+"<") {
				t.Errorf("%s: %q is missing", c.name, text)
			}
		}
		for _, text := range c.not {
			if strings.Contains(svg.String(), ">"+text+"<") {
				t.Errorf("%s: %q is there", c.name, text)
			}
		}
	}
}

// TestSides: the left is blue and the right is orange, in any order and alone.
func TestSides(t *testing.T) {
	blue, orange := color.NRGBA{0x00, 0x72, 0xB2, 255}, color.NRGBA{0xD5, 0x5E, 0x00, 255}
	both := knees()
	count := func(series []chart.Series, c color.NRGBA) (n int) {
		m, err := chart.Image(series, chart.Options{Height: 800})
		if err != nil {
			t.Fatal(err)
		}
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				if color.NRGBAModel.Convert(m.At(x, y)) == c {
					n++
				}
			}
		}
		return n
	}
	if count(both[:1], blue) > 0 || count(both[:1], orange) == 0 { // the right one alone
		t.Error("the right side is not orange")
	}
	if count(both[1:], orange) > 0 || count(both[1:], blue) == 0 {
		t.Error("the left side is not blue")
	}
	trunk := both[0]
	trunk.Result.Name, trunk.Result.Side = "trunk lean", ""
	trunk.Result.Values = make([]analyze.Value, len(trunk.Times))
	for i := range trunk.Result.Values {
		trunk.Result.Values[i] = analyze.Value{X: 70, Present: true}
	}
	for name, c := range map[string]color.NRGBA{"left": blue, "right": orange, "trunk": {0x00, 0x9E, 0x73, 255}} {
		if count([]chart.Series{trunk, both[0], both[1]}, c) == 0 {
			t.Errorf("the %s has another colour if the trunk comes first", name)
		}
	}
}
