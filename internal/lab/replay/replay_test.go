package main

import (
	"image"
	"io"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/internal/lab/eval/evaldata"
	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

// TestReplay: what was recorded comes back from its file, and policies ask as they should: Lightning's
// policy where BlazePose leaves a doubt, and Thunder's in every frame.
func TestReplay(t *testing.T) {
	const n = 20
	person := inferencetest.Body(image.Rect(100, 50, 200, 250))
	doubtful := person
	at, _ := person.At(keypoint.LeftWrist)
	doubtful.Set(keypoint.LeftWrist, at, 0.3)
	f := &film{Size: image.Pt(300, 300), Looks: map[string][]keypoint.Frame{}}
	for i := range n {
		f.Times, f.Target = append(f.Times, float64(i)/30), append(f.Target, person)
		for _, name := range []string{"lightning", "thunder", "thunder-mirrored"} {
			f.put(name, i, person)
		}
		f.put("full", i, person)
		if i%2 == 1 {
			f.put("full", i, doubtful)
		}
	}
	folder := t.TempDir()
	if err := f.write(folder, "a/b.mp4"); err != nil {
		t.Fatal(err)
	}
	f, err := readFilm(folder, "a/b.mp4")
	if err != nil {
		t.Fatal(err)
	}
	reference := keypoint.Sequence{Frames: f.Target, Times: f.Times, Size: f.Size}
	clip := evaldata.Clip{Reference: &reference, Truth: &evalpose.Truth{Parts: reference}}
	asked := map[string]map[string]int{}
	for _, p := range policies {
		got, err := replay(t.Context(), p, f, &clip)
		if err != nil {
			t.Fatal(err)
		}
		if within, _ := got.within.Mean(); within != 1 || got.frames != n {
			t.Errorf("%s: %v of the parts in %d frames", p.name, within, got.frames)
		}
		asked[p.name] = got.asked
		var line strings.Builder
		got.print(io.Writer(&line), p.name, "all")
		if !strings.Contains(line.String(), p.name) {
			t.Errorf("%q", line.String())
		}
	}
	if got := asked["always thunder"]["thunder"]; got != n {
		t.Errorf("always: Thunder was asked %d times of %d", got, n)
	}
	if got := asked["lightning"]["lightning"]; got < n/4 || got > n/2 {
		t.Errorf("in doubt: Lightning was asked %d times of %d", got, n)
	}
}
