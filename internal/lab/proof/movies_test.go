package main

import (
	"errors"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// TestMovies holds a movie of six frames, of which the estimator does not see the person
// in two, against a reference.
func TestMovies(t *testing.T) {
	for _, program := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(program); err != nil {
			testkit.Skip(t, program)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "clip.mp4")
	w, err := mp4.Encoder{}.Create(t.Context(), path, draw.Movie{Size: image.Pt(320, 200), FrameRate: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	var reference []map[string]any
	parts := map[string]any{}
	sure := map[string]any{} // with confidences above 1, as some tools write
	for p, at := range squareParts() {
		parts[p.String()] = []float64{at[0], at[1]}
		sure[p.String()] = []float64{at[0], at[1], 1.02}
	}
	for i, grey := range []uint8{255, 255, 255, 0, 0, 255} {
		at := float64(i) / 10
		grid := image.NewGray(image.Rect(0, 0, 320, 200))
		for k := range grid.Pix {
			grid.Pix[k] = grey
		}
		if err := w.Write(grid, at); err != nil {
			t.Fatal(err)
		}
		f := map[string]any{"t": at, "keypoints": parts}
		if i < 2 {
			f["keypoints"] = sure
		}
		if i >= 4 {
			f["keypoints"] = map[string]any{}
		}
		reference = append(reference, f)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "without", "clip.mp4"), other)
	write(t, filepath.Join(dir, "clip.json"), encoded(t, map[string]any{"frames": reference}))

	looks := func(path string, rate float64) (looked, error) {
		list, err := truth.Recordings(path)
		if err != nil {
			t.Fatal(err)
		}
		return lookAt(t.Context(), list[0], square{}, rate)
	}
	first := filepath.Join(dir, "clip.mp4")
	got, err := looks(first, 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]score.Movie{"raw": got.raw, "cleaned": got.cleaned, "twice": got.raw.Plus(got.raw)} {
		of := 1
		if name == "twice" {
			of = 2
		}
		within, _ := m.Within.Mean()
		close, _ := m.Close.Mean()
		jitter, ok := m.Jitter.Mean()
		if within != .75 || close != .75 || jitter != 0 || !ok || m.Exchanged != (score.Share{Of: 6 * of}) || m.FeetGiven.Of > 0 || len(m.PeakAngles) > 0 {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if still, err := looks(filepath.Join(dir, "without"), 0); err != nil || still.frames != 6 || len(still.raw.Within) > 0 || len(still.raw.Jitter) != 1 {
		t.Errorf("without a reference: %+v (%v)", still, err)
	}
	// Looked at every second frame and the last one: not seen in frame 4, so frames 3 and 4 stay empty.
	if got, err = looks(first, 5); err != nil || got.frames != 6 || got.raw.Within[0] != .75 {
		t.Errorf("looked at 5 times a second: %+v (%v)", got, err)
	}

	// The same movie with a truth: the left hip is 20 pixels from where the truth has it.
	write(t, filepath.Join(dir, "clip.json"), encoded(t, squareTruth(6)))
	if got, err = looks(first, 0); err != nil || len(got.cleaned.Angles) != 4 || len(got.cleaned.Angles["hip"]) > 0 || len(got.raw.PeakAngles) > 0 || got.raw.Within[0] != 4*4./(6*5) {
		t.Errorf("with a truth: %+v (%v)", got, err)
	}
	var out strings.Builder
	table := newTable(&out, "movie")
	got.print(table, "clip")
	if err := table.Flush(); err != nil || !strings.Contains(out.String(), "cleaned") || !strings.Contains(out.String(), "0.533") {
		t.Errorf("%v\n%s", err, out.String())
	}

	write(t, filepath.Join(dir, "clip.json"), []byte(`{"frames":[{"t":90,"keypoints":{}}]}`))
	if _, err := looks(first, 0); !errors.Is(err, score.ErrOther) {
		t.Errorf("a reference of another movie gives %v", err)
	}
}

// squareTruth is the truth of n frames of the square's person, whose left hip is elsewhere.
func squareTruth(n int) map[string]any {
	var names []string
	var xy, world, seen, ones, times []any
	for i := range n {
		var points [][]float64
		names = nil
		for _, p := range []keypoint.Part{keypoint.Nose, keypoint.LeftShoulder, keypoint.RightShoulder, keypoint.LeftHip, keypoint.RightHip} {
			at := squareParts()[p]
			if p == keypoint.LeftHip {
				at[0] += 20
			}
			names = append(names, map[keypoint.Part]string{0: "nose", 5: "left_shoulder", 6: "right_shoulder", 11: "left_hip", 12: "right_hip"}[p])
			points = append(points, []float64{at[0], at[1]})
		}
		xy, world, seen, ones, times = append(xy, points), append(world, make([][3]float64, len(points))), append(seen, "11111"), append(ones, 1), append(times, float64(i)/10)
	}
	return map[string]any{
		"format": "motion-truth/1", "movie": map[string]any{"width": 320, "height": 200}, "parts": names,
		"frames": map[string]any{"t": times, "xy": xy, "world": world, "visible": seen, "in_picture": ones, "view_deg": ones},
	}
}
