package chart_test

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw/chart"
	"github.com/bodymotion/motion/internal/testkit"
)

var update = flag.Bool("update", false, "rewrite the golden pictures in testdata")

type drawing struct {
	name   string
	series []chart.Series
	opt    chart.Options
}

// compared is a source and a target with statistics.
func compared() []chart.Series {
	source, target := withRepetitions(squats(180, 105, 0)), squats(200, 92, 0.3)
	source.Name, target.Name = "source", "target"
	return []chart.Series{source, target}
}

// turning is an angle that turns more than twice, without times.
func turning() chart.Series {
	s := chart.Series{Result: analyze.Result{Type: analyze.RotationAngle}}
	for i := range 80 {
		s.Result.Values = append(s.Result.Values, analyze.Value{X: float64(i * 11 % 360), Present: true})
	}
	return s
}

// beside are both knees of two recordings.
func beside() []chart.Series {
	here, there := knees(), knees()
	for k := range there {
		there[k].Name, there[k].Dashed = string(there[k].Result.Side)+", first week", true
		for i := range there[k].Result.Values {
			there[k].Result.Values[i].X *= 0.8
		}
	}
	return []chart.Series{here[1], there[1], here[0], there[0]}
}

func drawings() []drawing {
	point := path(120)
	point.Result.Movie = &analyze.Summary{
		MovieOption: analyze.MovieOption{Statistic: analyze.Range, Target: "positive"},
		Value:       analyze.Value{X: 240, Y: 180, Present: true},
	}
	both := compared()
	both[1] = withRepetitions(both[1])
	var six []chart.Series
	for i := range 6 {
		s := squats(150, 40+10*float64(i), 0.2*float64(i))
		s.Name = fmt.Sprintf("recording %d", i+1)
		six = append(six, s)
	}
	own := squats(60, 1, 0)
	own.Result.Unit = "torso lengths"
	for i := range own.Result.Values {
		own.Result.Values[i].X /= 172
	}
	single := chart.Series{Result: analyze.Result{Type: analyze.Speed, Values: []analyze.Value{{X: -2.5, Present: true}}}}
	small := chart.Options{Width: 400, Height: 200}
	dark := chart.Options{Width: 400, Height: 200, Dark: true}
	return []drawing{
		{"one", []chart.Series{withRepetitions(squats(180, 105, 0))}, chart.Options{Width: 400, Height: 200, Title: "Left knee, three squats"}},
		{"compared", compared(), small},
		{"compared-dark", compared(), dark},
		{"compared-default", compared(), chart.Options{Title: "Squats, the left knee"}},
		{"both-with-cycles", both, small},
		{"coordinate", []chart.Series{point}, small},
		{"round", []chart.Series{turning()}, small},
		{"sides-compared", beside(), small},
		{"six", six, small},
		{"six-dark", six, dark},
		{"unit", []chart.Series{own}, small},
		{"band", []chart.Series{strides("left", 0), strides("right", 0.06)}, small},
		{"band-dark", []chart.Series{strides("right", 0)}, dark},
		{"sides", knees(), small},
		{"single", []chart.Series{single}, small},
		{"long-title", []chart.Series{turning()}, chart.Options{Width: 200, Height: 120, Title: "A title that is much too long for it"}},
		{"smallest", []chart.Series{squats(40, 100, 0)}, chart.Options{Width: 160, Height: 100}},
	}
}

func TestGolden(t *testing.T) {
	known := map[string]bool{}
	for _, d := range drawings() {
		png := filepath.Join("testdata", d.name+".png")
		known[png] = true
		t.Run(d.name, func(t *testing.T) {
			m, err := chart.Image(d.series, d.opt)
			if err != nil {
				t.Fatal(err)
			}
			testkit.Picture(t, png, m, *update)
		})
	}
	for _, d := range drawings()[:3] {
		svg := filepath.Join("testdata", d.name+".svg")
		known[svg] = true
		t.Run(d.name+".svg", func(t *testing.T) {
			var buf bytes.Buffer
			if err := chart.WriteSVG(&buf, d.series, d.opt); err != nil {
				t.Fatal(err)
			}
			sameSVG(t, svg, buf.Bytes())
		})
	}
	testkit.KnownPictures(t, filepath.Join("testdata", "*.*"), known)
}

// TestTolerance: the comparison with golden pictures detects a shift by one pixel and a value
// that is off by as much.
func TestTolerance(t *testing.T) {
	d := drawings()[0]
	want, err := chart.Image(d.series, d.opt)
	if err != nil {
		t.Fatal(err)
	}
	if diff := testkit.Unlike(want, want); diff != "" {
		t.Errorf("a chart is unlike itself %s", diff)
	}
	for _, by := range []image.Point{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
		moved := image.NewRGBA(want.Bounds())
		for y := range moved.Rect.Dy() {
			for x := range moved.Rect.Dx() {
				c := want.At(x-by.X, y-by.Y)
				if !image.Pt(x-by.X, y-by.Y).In(want.Bounds()) {
					c = color.White
				}
				moved.Set(x, y, c)
			}
		}
		if testkit.Unlike(moved, want) == "" {
			t.Errorf("a shift by %v passes as the same", by)
		}
	}
	series := []chart.Series{withRepetitions(squats(180, 105, 0))}
	series[0].Result.Values[60].X += 1.2 // a pixel
	got, err := chart.Image(series, d.opt)
	if err != nil {
		t.Fatal(err)
	}
	if testkit.Unlike(got, want) == "" {
		t.Error("a value that is off by a pixel passes as the same")
	}
}

// sameSVG fails the test if an SVG differs from that of the file in more than numbers that are
// off by at most a hundredth, as they may be on another processor.
func sameSVG(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	number := regexp.MustCompile(`-?\d+(\.\d+)?`)
	if number.ReplaceAllString(string(got), "0") != number.ReplaceAllString(string(want), "0") {
		t.Fatalf("the drawing has other elements than %s; look at both, and rewrite it with -update", file)
	}
	w := number.FindAllString(string(want), -1)
	for i, text := range number.FindAllString(string(got), -1) {
		a, _ := strconv.ParseFloat(text, 64)
		b, _ := strconv.ParseFloat(w[i], 64)
		if math.Abs(a-b) > 0.01 {
			t.Fatalf("number %d of %s is %s, want %s; look at both, and rewrite it with -update", i, file, text, w[i])
		}
	}
}
