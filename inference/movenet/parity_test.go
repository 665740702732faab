package movenet_test

import (
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
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/testkit"
)

func load(t testing.TB, m movenet.Model) *movenet.Session {
	t.Helper()
	s, err := movenet.NewSession(m, movenet.Options{Library: movenettest.Library(t), Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, s)
	return s
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
			s := load(t, m)
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
				err = s.Run(size.Y, size.X, func(rgb []byte) {
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
				if err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d pictures, largest difference %.2g", len(files), worst)
		})
	}
}

func BenchmarkSession(b *testing.B) {
	for _, m := range []movenet.Model{lightning.Model(), thunder.Model(), multipose.Model()} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", m.Name, threads), func(b *testing.B) {
				s, err := movenet.NewSession(m, movenet.Options{Library: movenettest.Library(b), Threads: threads})
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				n := m.Size
				if n == 0 {
					n = 256
				}
				for b.Loop() {
					if err := s.Run(n, n, func([]byte) {}, func([]float32) {}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
