package main

import (
	"bytes"
	"encoding/json"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
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
		picture := image.NewGray(image.Rect(0, 0, 320, 200))
		for k := range picture.Pix {
			picture.Pix[k] = grey
		}
		if err := w.Write(picture, at); err != nil {
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

	table, _ := fake()
	var out, status bytes.Buffer
	if err := run(t.Context(), table, []string{"-json", "-movies", dir}, &out, &status); err != nil {
		t.Fatal(err)
	}
	const note = "clip.mp4: 10 confidences of the reference are above 1 and count as 1\n"
	if strings.Count(status.String(), "above 1") != 1 || !strings.Contains(status.String(), note) {
		t.Errorf("the status is\n%swant %q once in it", status.String(), note)
	}
	var got report
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for i := range got.Movies {
		got.Movies[i].Milliseconds, got.Movies[i].Seconds = nil, seconds{}
	}
	v := func(x float64) *float64 { return &x }
	share := func(count, of int) *shareReport { return &shareReport{count, of} }
	stage := stageReport{Agreement: v(.75), CloseAgreement: v(.75), Jitter: v(0), ExchangedPairs: share(0, 6), ExchangedFrames: share(0, 3), Lost: share(1, 4), Invented: share(1, 2)}
	still := stageReport{Jitter: v(0)}
	all := stage
	want := []movieReport{
		{Name: "clip.mp4", Frames: 6, ReferenceFrames: share(6, 6), ReferenceJitter: v(0), Raw: stage, Cleaned: stage},
		{Name: filepath.Join("without", "clip.mp4"), Frames: 6, Raw: still, Cleaned: still},
		{Name: "all", Frames: 12, ReferenceFrames: share(6, 6), Raw: all, Cleaned: all},
	}
	if d := cmp.Diff(want, got.Movies, cmpopts.IgnoreUnexported(stageReport{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}

	// Looked at every second frame and the last one: not seen in frame 4, so frames 3 and 4 stay empty.
	out.Reset()
	if err := run(t.Context(), table, []string{"-json", "-movies", dir, "-rate", "5"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if m := got.Movies[0]; m.Frames != 6 || *m.Raw.Agreement != .75 || *m.Cleaned.Lost != (shareReport{1, 4}) || *m.Cleaned.Invented != (shareReport{1, 2}) {
		t.Errorf("looked at 5 times a second: %s", out.Bytes())
	}

	// The same movie with a truth: the left hip is 20 pixels from where the truth has it.
	write(t, filepath.Join(dir, "clip.json"), encoded(t, truthOf(6)))
	out.Reset()
	if err := run(t.Context(), table, []string{"-json", "-movies", dir}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	got = report{}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	angles := got.Movies[0].Cleaned.Angles
	if len(angles) != 4 || angles[1].Name != "hip" || angles[1].Count != 0 || got.Movies[0].Raw.PeakAngles != nil || *got.Movies[0].Raw.Agreement != 4*4./(6*5) {
		t.Errorf("with a truth: %s", out.Bytes())
	}

	write(t, filepath.Join(dir, "clip.json"), []byte(`{"frames":[{"t":90,"keypoints":{}}]}`))
	if err := run(t.Context(), table, []string{"-movies", dir}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "none of the 1 frames") {
		t.Errorf("a reference of another movie gives %v", err)
	}
}

// truthOf is the truth of n frames of the square's person, whose left hip is elsewhere.
func truthOf(n int) map[string]any {
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
