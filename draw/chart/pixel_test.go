package chart_test

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/chart"
)

// painted counts the pixels of a colour in a column.
func painted(m image.Image, x int, c color.RGBA) int {
	n := 0
	for y := range m.Bounds().Dy() {
		if m.At(x, y) == c {
			n++
		}
	}
	return n
}

// green is the colour of values without a side on a light ground.
var green = color.RGBA{0x00, 0x9E, 0x73, 255}

// TestGap: nothing is painted where there is no value.
func TestGap(t *testing.T) {
	s := angle()
	for i := range 101 {
		s.Result.Values = append(s.Result.Values, analyze.Value{X: float64(i % 7), Present: i < 40 || i > 60})
	}
	m, err := chart.Image([]chart.Series{s}, chart.Options{Width: 600})
	if err != nil {
		t.Fatal(err)
	}
	var with []int
	for x := range 600 {
		if painted(m, x, green) > 0 {
			with = append(with, x)
		}
	}
	gaps, width := 0, 0
	for i, x := range with[1:] {
		if d := x - with[i]; d > 1 {
			gaps, width = gaps+1, d
		}
	}
	// The line goes over 100 frames, and the gap from frame 39 to 61.
	if want := float64(with[len(with)-1]-with[0]) * 0.22; gaps != 1 || math.Abs(float64(width)-want) > 3 {
		t.Errorf("%d gaps, the last of %d pixels; want one of about %.0f", gaps, width, want)
	}
}

// TestThin: leaving out points that share a column makes no visible difference.
func TestThin(t *testing.T) {
	s := angle()
	for i := range 100_000 {
		s.Result.Values = append(s.Result.Values, analyze.Value{X: 50 * math.Sin(float64(i)/8000) * math.Cos(float64(i)), Present: true})
	}
	m, err := chart.Image([]chart.Series{s}, chart.Options{Width: 600, Height: 300})
	if err != nil {
		t.Fatal(err)
	}
	// Each column is filled from the smallest to the largest value, so it is tall where
	// the envelope is wide.
	tall := 0
	for x := range 600 {
		tall = max(tall, painted(m, x, green))
	}
	if tall < 180 {
		t.Errorf("the tallest column has %d pixels, want about 200", tall)
	}
}

// TestColors: the colours of the series stand out from the ground and from each other, also
// for colour-blind people. Colour blindness is simulated as by Viénot, Brettel and Mollon
// (1999).
func TestColors(t *testing.T) {
	for dark, ground := range map[bool]color.RGBA{false: {255, 255, 255, 255}, true: {0x16, 0x19, 0x1D, 255}} {
		var svg bytes.Buffer
		if err := chart.WriteSVG(&svg, slices.Repeat([]chart.Series{angle(1)}, 6), chart.Options{Dark: dark}); err != nil {
			t.Fatal(err)
		}
		var colors []color.RGBA
		strokes := regexp.MustCompile(`[{]color:#(\w\w)(\w\w)(\w\w)`).FindAllStringSubmatch(svg.String(), -1)
		if len(strokes) != 6 {
			t.Fatalf("%d colours, want 6", len(strokes))
		}
		for _, s := range strokes {
			var c [3]uint64
			for i := range c {
				c[i], _ = strconv.ParseUint(s[i+1], 16, 8)
			}
			colors = append(colors, color.RGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), 255})
		}
		for i, c := range colors {
			if r := contrast(c, ground); r < 3 {
				t.Errorf("dark %t: series %d has a contrast of %.2f to the ground, want 3", dark, i, r)
			}
			for k := range i {
				for name, see := range visions {
					if d := distance(see(linear(c)), see(linear(colors[k]))); d < 29 {
						t.Errorf("dark %t: series %d and %d are %.1f apart for %s vision, want 29", dark, k, i, d, name)
					}
				}
			}
		}
	}
}

type rgb [3]float64

func linear(c color.RGBA) rgb {
	var l rgb
	for i, v := range [3]uint8{c.R, c.G, c.B} {
		x := float64(v) / 255
		if l[i] = x / 12.92; x > 0.04045 {
			l[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return l
}

func contrast(a, b color.RGBA) float64 {
	light := func(c color.RGBA) float64 {
		l := linear(c)
		return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2] + 0.05
	}
	x, y := light(a), light(b)
	return max(x, y) / min(x, y)
}

var visions = map[string]func(rgb) rgb{
	"normal": func(c rgb) rgb { return c },
	"protanope": func(c rgb) rgb {
		l := 0.11238*c[0] + 0.88762*c[1]
		return rgb{l, l, 0.00401*c[0] - 0.00401*c[1] + c[2]}
	},
	"deuteranope": func(c rgb) rgb {
		l := 0.29275*c[0] + 0.70725*c[1]
		return rgb{l, l, -0.02234*c[0] + 0.02234*c[1] + c[2]}
	},
}

// distance is the CIE 1976 colour difference.
func distance(a, b rgb) float64 {
	x, y := lab(a), lab(b)
	return math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
}

func lab(c rgb) [3]float64 {
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.9505)
	y := f(0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2])
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}
