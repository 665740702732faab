package main_test

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// TestNetworks: a browser's runtime gives what the native one does with the same pixels. The native test writes the file MOTION_OUTPUTS,
// which that of WebAssembly reads (.ci/run tab).
func TestNetworks(t *testing.T) {
	file := cmp.Or(os.Getenv("MOTION_OUTPUTS"), filepath.Join(t.TempDir(), "outputs.json"))
	got := map[string][][]float32{
		"lightning": outputs(t, lightning.Model().ONNX, 192, "output"), "thunder": outputs(t, thunder.Model().ONNX, 256, "output"),
		"multipose": outputs(t, multipose.Model().ONNX, 256, "output"), "full": outputs(t, full.Model().ONNX, 256, blazepose...),
	}
	if native {
		text, err := json.Marshal(got)
		if err == nil {
			err = os.WriteFile(file, text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	var want map[string][][]float32
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil || len(want) != len(got) {
		t.Fatalf("%d networks, %v", len(want), err)
	}
	for name := range want {
		for k := range want[name] {
			most, off := 1.0, 0.0
			for i, v := range want[name][k] {
				most, off = max(most, math.Abs(float64(v))), max(off, math.Abs(float64(v-got[name][k][i])))
			}
			t.Logf("%s, output %d: %d numbers up to %.4g, off by %.2g", name, k, len(want[name][k]), most, off)
			if off > 1e-4*most {
				t.Errorf("%s, output %d is off by %g of %g", name, k, off, most)
			}
		}
	}
}

// blazepose are the outputs of BlazePose that are used.
var blazepose = []string{"landmarks", "person", "heatmap", "world"}

// outputs are those of a network that looks at the sample picture.
func outputs(t *testing.T, model []byte, size int, names ...string) (list [][]float32) {
	t.Helper()
	g, err := ort.OpenGraph(ort.Model{Data: model}, ort.GraphOptions{Options: ort.Options{Library: ortkit.Library(t)}, Input: "input", Bytes: true, Outputs: names})
	if err != nil {
		t.Fatal(err)
	}
	img := sample.Image()
	err = g.Use([]int64{1, int64(size), int64(size), 3}, make([][]int64, len(names)), func(r *ort.Run) error {
		for y := range size {
			for x := range size {
				red, green, blue, _ := img.At(x*img.Bounds().Dx()/size, y*img.Bounds().Dy()/size).RGBA()
				for k, v := range []uint32{red, green, blue} {
					r.Bytes[3*(y*size+x)+k] = byte(v >> 8)
				}
			}
		}
		if err := r.Do(t.Context()); err != nil {
			return err
		}
		for _, o := range r.Outputs() {
			list = append(list, append([]float32{}, o.Data...))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if len(list) != len(names) || len(list[0]) < 51 { // three numbers of 17 parts
		t.Fatalf("%d outputs, want %d", len(list), len(names))
	}
	return list
}
