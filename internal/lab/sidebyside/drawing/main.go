// Command drawing times the drawing of whole skeletons on pictures of 1280×720 pixels by this
// module, by supervision's annotators and by plain OpenCV, with the same skeletons in one run, and
// prints how many times faster this module is. Each figure is the time per picture in the best of
// several rounds.
//
//	python3 -m venv venv && venv/bin/pip install -r internal/lab/sidebyside/drawing/requirements.txt
//	go run ./internal/lab/sidebyside/drawing -python venv/bin/python
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

//go:embed drawing.py
var script string

var size = image.Pt(1280, 720)

// theirs is a measurement of the script.
type theirs struct {
	Name     string
	NS       int64 // per picture
	Coloured int   // pixels of the first picture that were changed
}

func main() {
	pictures := flag.Int("pictures", 30, "pictures, each with one person")
	rounds := flag.Int("rounds", 30, "number of rounds; the best one is reported")
	python := flag.String("python", "python3", "Python interpreter with supervision")
	flag.Parse()
	if err := run(*pictures, *rounds, *python); err != nil {
		fmt.Fprintln(os.Stderr, "drawing:", err)
		os.Exit(1)
	}
}

func run(n, rounds int, python string) error {
	people := walkers(n)
	others, err := inPython(python, people, rounds)
	if err != nil {
		return err
	}
	style, err := draw.Compile(nil, draw.Background{}, false)
	if err != nil {
		return err
	}
	renderer := draw.NewRenderer(style)
	rgb, planes := make([]*image.RGBA, n), make([]image.Image, n)
	for i := range n {
		rgb[i], planes[i] = image.NewRGBA(image.Rectangle{Max: size}), draw.NewYUV(size)
		for k := range rgb[i].Pix {
			rgb[i].Pix[k] = 255
		}
	}
	if err := renderer.Render(rgb[0], &people[0], draw.Inputs{}); err != nil {
		return err
	}
	coloured := 0
	for y := range size.Y {
		for x := range size.X {
			if rgb[0].RGBAAt(x, y) != (color.RGBA{255, 255, 255, 255}) {
				coloured++
			}
		}
	}
	fmt.Printf("a skeleton on %v pixels, best of %d\n%-36s %10s %9s", size, rounds, "", "a picture", "pixels")
	for _, o := range others {
		fmt.Printf("  × %s", o.Name)
	}
	fmt.Println()
	for _, row := range []struct {
		name string
		draw func(i int) error
	}{
		{"Render, RGBA", func(i int) error { return draw.Render(rgb[i], &people[i], nil, draw.Background{}) }},
		{"Renderer.Render, RGBA", func(i int) error { return renderer.Render(rgb[i], &people[i], draw.Inputs{}) }},
		{"Renderer.RenderYUV, a movie's planes", func(i int) error { return renderer.RenderYUV(planes[i], &people[i], draw.Inputs{}) }},
	} {
		least := time.Duration(math.MaxInt64)
		for range rounds {
			start := time.Now()
			for i := range n {
				if err := row.draw(i); err != nil {
					return err
				}
			}
			least = min(least, time.Since(start)/time.Duration(n))
		}
		fmt.Printf("%-36s %10v %9d", row.name, least.Round(100*time.Nanosecond), coloured)
		for _, o := range others {
			fmt.Printf("  %*.1f", len(o.Name)+2, float64(o.NS)/float64(least))
		}
		fmt.Println()
	}
	for _, o := range others {
		fmt.Printf("%-36s %10v %9d\n", o.Name, time.Duration(o.NS).Round(100*time.Nanosecond), o.Coloured)
	}
	return nil
}

// inPython makes the script draw the same people.
func inPython(python string, people []keypoint.Frame, rounds int) ([]theirs, error) {
	type task struct {
		Width, Height, Rounds int
		People                [][keypoint.NumBody]keypoint.Point
		Edges                 [][2]int
	}
	t := task{Width: size.X, Height: size.Y, Rounds: rounds}
	for _, f := range people {
		var points [keypoint.NumBody]keypoint.Point
		for p := range keypoint.Part(keypoint.NumBody) {
			points[p], _ = f.At(p)
		}
		t.People = append(t.People, points)
	}
	for _, e := range keypoint.Skeleton() {
		t.Edges = append(t.Edges, [2]int{int(e[0]) + 1, int(e[1]) + 1})
	}
	input, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(python, "-c", script)
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(input)), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w; -python names another interpreter", python, err)
	}
	var all []theirs
	return all, json.Unmarshal(out, &all)
}

// walkers are people in the middle of the picture, one per picture, with swinging arms and legs.
func walkers(n int) []keypoint.Frame {
	stand := [keypoint.NumBody]keypoint.Point{
		{0, -0.42}, {0.02, -0.44}, {-0.02, -0.44}, {0.04, -0.43}, {-0.04, -0.43}, // the head
		{0.10, -0.30}, {-0.10, -0.30}, {0.15, -0.14}, {-0.15, -0.14}, {0.17, 0}, {-0.17, 0}, // the arms
		{0.06, 0.02}, {-0.06, 0.02}, {0.07, 0.22}, {-0.07, 0.22}, {0.07, 0.42}, {-0.07, 0.42}, // the legs
	}
	all := make([]keypoint.Frame, n)
	for i := range all {
		for p, at := range stand {
			swing := 0.08 * math.Sin(float64(i)/4+float64(p%2)*math.Pi) * max(at[1]+0.3, 0)
			at = keypoint.Point{(at[0] + swing) * float64(size.Y), at[1] * float64(size.Y)}
			all[i].Set(keypoint.Part(p), at.Add(keypoint.Point{float64(size.X) / 2, float64(size.Y) / 2}), 0.9)
		}
	}
	return all
}
