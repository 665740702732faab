package movenet_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
)

// run runs a network alone on a picture of RGB bytes.
func run(t testing.TB, g *ort.Graph, m movenet.Model, size image.Point, fill func(rgb []byte), use func(out []float32)) {
	t.Helper()
	out := []int64{1, 1, 17, 3}
	if m.Size == 0 {
		out = []int64{1, 6, 56}
	}
	err := g.Use([]int64{1, int64(size.Y), int64(size.X), 3}, [][]int64{out}, func(r *ort.Run) error {
		fill(r.Bytes)
		if err := r.Do(t.Context()); err != nil {
			return err
		}
		use(r.Outputs()[0].Data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func readPNG(t testing.TB, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestParity compares the converted networks with the outputs of TensorFlow.js.
func TestParity(t *testing.T) {
	dir := testkit.Shared(t, "models/parity")
	for _, m := range []movenet.Model{lightning.Model(), thunder.Model(), multipose.Model()} {
		t.Run(m.Name, func(t *testing.T) {
			g := ortkit.Graph(t, m.ONNX, 2, "output")
			files, err := filepath.Glob(filepath.Join(dir, m.Name+"-*.json"))
			if err != nil || len(files) == 0 {
				t.Fatalf("no reference outputs (%v)", err)
			}
			worst := 0.0
			for _, file := range files {
				picture := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), m.Name+"-"), ".json")
				var want struct{ Data []float32 }
				b, err := os.ReadFile(file)
				if err == nil {
					err = json.Unmarshal(b, &want)
				}
				if err != nil {
					t.Fatal(err)
				}
				img := readPNG(t, filepath.Join(dir, picture+".png"))
				size := img.Bounds().Size()
				run(t, g, m, size, func(rgb []byte) {
					i := 0
					for y := range size.Y {
						for x := range size.X {
							r, g, b, _ := img.At(x, y).RGBA()
							rgb[i], rgb[i+1], rgb[i+2] = byte(r>>8), byte(g>>8), byte(b>>8)
							i += 3
						}
					}
				}, func(out []float32) {
					if len(out) != len(want.Data) {
						t.Fatalf("%s: %d numbers, want %d", picture, len(out), len(want.Data))
					}
					for i, v := range out {
						d := math.Abs(float64(v) - float64(want.Data[i]))
						worst = max(worst, d)
						if !(d <= 1e-4) {
							t.Errorf("%s: number %d is %v, want %v", picture, i, v, want.Data[i])
						}
					}
				})
			}
			t.Logf("%d pictures, largest difference %.2g", len(files), worst)
		})
	}
}

// BenchmarkNetwork runs the networks alone.
func BenchmarkNetwork(b *testing.B) {
	for _, m := range []movenet.Model{lightning.Model(), thunder.Model(), multipose.Model()} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", m.Name, threads), func(b *testing.B) {
				g := ortkit.Graph(b, m.ONNX, threads, "output")
				n := cmp.Or(m.Size, 256)
				for b.Loop() {
					run(b, g, m, image.Pt(n, n), func([]byte) {}, func([]float32) {})
				}
			})
		}
	}
}
