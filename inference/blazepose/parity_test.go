package blazepose_test

import (
	"context"
	"encoding/json"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
)

// TestParity compares the converted networks with the outputs of TensorFlow.js, which
// internal/lab/convert/reference.js has written: x, y and z in parts of the picture's side, logits
// as probabilities, every 997th cell of the heat maps, positions in metres.
func TestParity(t *testing.T) {
	const size, tolerance = 256, 1e-4
	var references []struct {
		Network, Picture          string
		Landmarks, Heatmap, World []float64
		Person                    float64
	}
	b, err := os.ReadFile("testdata/parity.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &references); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/body.png")
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, f)
	body, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	pictures := map[string]func(x, y int) image.Point{
		"body":     func(x, y int) image.Point { return image.Pt(x, y) },
		"mirrored": func(x, y int) image.Point { return image.Pt(size-1-x, y) },
		"enlarged": func(x, y int) image.Point { return image.Pt(64+x/2, y/2) },
	}
	worst := map[string]float64{}
	graphs := map[string]*ort.Graph{}
	for _, want := range references {
		from, ok := pictures[want.Picture]
		if !ok {
			t.Fatalf("there is no picture %s", want.Picture)
		}
		g := graphs[want.Network]
		if g == nil {
			data, err := os.ReadFile(filepath.Join(want.Network, want.Network+".onnx"))
			if err != nil {
				t.Fatal(err)
			}
			g = ortkit.Graph(t, data, 1, "landmarks", "person", "heatmap", "world")
			graphs[want.Network] = g
		}
		check := func(what string, i int, got, want float64) {
			d := math.Abs(got - want)
			worst[what] = max(worst[what], d)
			if !(d <= tolerance) {
				t.Errorf("%s %d is %v, want %v", what, i, got, want)
			}
		}
		err := g.Use([]int64{1, size, size, 3}, [][]int64{{1, 195}, {1, 1}, {1, 39, 64, 64}, {1, 117}}, func(r *ort.Run) error {
			for i := range size * size {
				p := from(i%size, i/size)
				red, green, blue, _ := body.At(p.X, p.Y).RGBA()
				r.Bytes[3*i], r.Bytes[3*i+1], r.Bytes[3*i+2] = byte(red>>8), byte(green>>8), byte(blue>>8)
			}
			if err := r.Do(context.Background()); err != nil {
				return err
			}
			landmarks, person, heatmap := r.Outputs()[0].Data, r.Outputs()[1].Data, r.Outputs()[2].Data
			world := r.Outputs()[3].Data
			if len(landmarks) != len(want.Landmarks) || len(world) != len(want.World) || len(person) != 1 || (len(heatmap)+996)/997 != len(want.Heatmap) {
				t.Fatalf("%d, %d and %d numbers", len(landmarks), len(person), len(heatmap))
			}
			for i, v := range landmarks {
				if got, want := float64(v), want.Landmarks[i]; i%5 < 3 {
					check("coordinate", i, got/size, want/size)
				} else {
					check("probability", i, sigmoid(got), sigmoid(want))
				}
			}
			check("person", 0, float64(person[0]), want.Person)
			for i, want := range want.Heatmap {
				check("heat map", i, float64(heatmap[997*i]), want)
			}
			for i, want := range want.World {
				check("position", i, float64(world[i]), want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(references) != 3*len(pictures) {
		t.Errorf("%d references", len(references))
	}
	t.Logf("largest differences: %v", worst)
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
