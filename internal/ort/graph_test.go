package ort_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
)

// TestInspect: the ports of a model are the same from its file and its bytes, and no
// library stays loaded.
func TestInspect(t *testing.T) {
	library := ortkit.Library(t)
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(path, lightning.Model().ONNX, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, m := range []ort.Model{{Path: path}, {Data: lightning.Model().ONNX}} {
		in, out, err := ort.Inspect(m, library)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]ort.Port{{Name: "input", Type: "uint8", Shape: []int64{1, 192, 192, 3}}}, in); d != "" {
			t.Errorf("inputs (-want +got):\n%s", d)
		}
		if d := cmp.Diff([]ort.Port{{Name: "output", Type: "float32", Shape: []int64{1, 1, 17, 3}}}, out); d != "" {
			t.Errorf("outputs (-want +got):\n%s", d)
		}
	}
	if v := ort.Version(); v != "" {
		t.Errorf("version %s is still loaded", v)
	}
}

// TestOutputs: an output has the same shape and numbers whether its tensor is made before the run or by it.
func TestOutputs(t *testing.T) {
	library := ortkit.Library(t)
	want := run(t, mustOpen(t, library), 7)
	g := mustOpen(t, library)
	for range 3 {
		err := g.Use([]int64{1, 192, 192, 3}, [][]int64{nil}, func(r *ort.Run) error {
			for i := range r.Bytes {
				r.Bytes[i] = 7 + byte(i*i>>9)
			}
			err := r.Do(t.Context())
			if err == nil {
				if d := cmp.Diff([]ort.Output{{Shape: []int{1, 1, 17, 3}, Data: want}}, r.Outputs()); d != "" {
					t.Errorf("made by the run (-made before, +got):\n%s", d)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestEnded: a run ends with its context, and the next one gives the answer of one that was not ended.
func TestEnded(t *testing.T) {
	g := mustOpen(t, ortkit.Library(t))
	want := run(t, g, 7)
	ended := 0
	for i := range 40 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Millisecond/4)
		err := g.Use([]int64{1, 192, 192, 3}, [][]int64{{1, 1, 17, 3}}, func(r *ort.Run) error { return r.Do(ctx) })
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			ended++
		} else if err != nil {
			t.Fatal(err)
		}
		if got := run(t, g, 7); !slices.Equal(got, want) {
			t.Fatalf("after the run of %d quarters of a millisecond: another answer", i)
		}
	}
	if ended == 0 {
		t.Error("no run was ended")
	}
}

func TestGraphMistakes(t *testing.T) {
	library := ortkit.Library(t)
	for want, m := range map[string]ort.Model{
		"there is no model": {},
		"two models":        {Path: "a.onnx", Data: []byte("b")},
		"cannot be read":    {Path: filepath.Join(t.TempDir(), "missing.onnx")},
		"refuses the model": {Data: []byte("no model")},
	} {
		if _, _, err := ort.Inspect(m, library); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Inspect: %v, want %q", err, want)
		}
		if _, err := ort.OpenGraph(m, ort.GraphOptions{Options: ort.Options{Library: library}, Input: "input", Outputs: []string{"output"}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("OpenGraph: %v, want %q", err, want)
		}
	}
	// A run that fails leaves everything so that it can be tried again and freed.
	g, err := ort.OpenGraph(ort.Model{Data: lightning.Model().ONNX}, ort.GraphOptions{Options: ort.Options{Library: library}, Input: "input", Outputs: []string{"output"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range [][]int64{nil, {1, 1, 17, 3}} {
		for range 2 {
			err := g.Use([]int64{1, 192, 192, 3}, [][]int64{shape}, func(r *ort.Run) error { return r.Do(context.Background()) })
			if err == nil || !strings.Contains(err.Error(), "uint8") {
				t.Errorf("float32 into a model of uint8: %v", err)
			}
		}
	}
	for range 2 { // a second time does nothing
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
	if v := ort.Version(); v != "" {
		t.Errorf("version %s is still loaded", v)
	}
}
