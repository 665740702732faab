package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/internal/sample"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// TestWithoutFiles runs the quick start as a newcomer does, and holds what it finds
// against the truth.
func TestWithoutFiles(t *testing.T) {
	movenettest.Library(t)
	out := t.TempDir()
	if err := run(t.Context(), []string{"-out", out}); err != nil {
		t.Fatal(err)
	}
	truth := sample.Visible()
	check := func(name string, f *keypoint.Frame, move func(keypoint.Point) keypoint.Point, limit float64) {
		for _, p := range truth.Present().List() {
			want, _ := truth.At(p)
			want = move(want)
			if got, ok := f.At(p); !ok || got.Sub(want).Len() > limit {
				t.Errorf("%s: %v is at %.0f (found: %v), want %.0f", name, p, got, ok, want)
			}
		}
	}
	var still, moving keypoint.Sequence
	readJSON(t, filepath.Join(out, "sample.keypoints.json"), &still)
	check("picture", &still.Frames[0], func(p keypoint.Point) keypoint.Point { return p }, 0.03*1200)
	readJSON(t, filepath.Join(out, "sample-moving.keypoints.json"), &moving)
	if n := int(sample.Period * sample.FrameRate); moving.Len() != n || len(moving.Times) != n {
		t.Fatalf("%d frames, want %d", moving.Len(), n)
	}
	for i := range moving.Frames {
		check("movie", &moving.Frames[i], func(p keypoint.Point) keypoint.Point { return sample.Moved(p, moving.Times[i]) }, 0.03*sample.MovieSize)
	}
	var results []struct{ Values []float64 }
	readJSON(t, filepath.Join(out, "sample-moving.analysis.json"), &results)
	if len(results) != 8 || len(results[0].Values) != moving.Len() {
		t.Errorf("%d analyses", len(results))
	}
	for _, name := range []string{"sample.drawing.jpg", "sample-moving.drawing.mp4"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() < 10_000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) != 6 {
		t.Errorf("files: %v (%v), want 6", entries, err)
	}
}

// TestTwoFiles compares two pictures of the same name.
func TestTwoFiles(t *testing.T) {
	movenettest.Library(t)
	dir, out := t.TempDir(), t.TempDir()
	var files []string
	for _, folder := range []string{"a", "b"} {
		path := filepath.Join(dir, folder, "x.jpg")
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, sample.JPEG(), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	if err := run(t.Context(), append([]string{"-setting", "fast", "-out", out}, files...)); err != nil {
		t.Fatal(err)
	}
	var res compare.Result
	readJSON(t, filepath.Join(out, "x-x-2.comparison.json"), &res)
	if len(res.Frames) != 1 || res.Score.Overall != 1 {
		t.Errorf("the same picture twice: %+v", res.Score)
	}
	if _, err := os.Stat(filepath.Join(out, "x-x-2.comparison.jpg")); err != nil {
		t.Error(err)
	}
}

// TestBadInput: one line that says what is wrong, and nothing written.
func TestBadInput(t *testing.T) {
	movenettest.Library(t)
	dir := t.TempDir()
	text, empty := filepath.Join(dir, "text.mp4"), filepath.Join(dir, "empty.jpg")
	if err := os.WriteFile(text, []byte("no movie"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"missing": {[]string{filepath.Join(dir, "nothing.mp4")}, "no such file"},
		"folder":  {[]string{dir}, "not a file"},
		"text":    {[]string{text}, "The video format is not supported."},
		"empty":   {[]string{empty}, "the file is empty"},
		"three":   {[]string{text, text, text}, "one, or two"},
		"setting": {[]string{"-setting", "best", text}, "fast, balanced or accurate"},
		"ffmpeg":  {[]string{"-ffmpeg", "mine", text}, "auto, installed or wasm"},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			err := run(t.Context(), append([]string{"-out", out}, c.args...))
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want one line with %q", err, c.want)
			}
			if entries, _ := os.ReadDir(out); len(entries) > 0 {
				t.Errorf("written: %v", entries)
			}
		})
	}
}

// TestSquats: the knee follows the squats of a real movie.
func TestSquats(t *testing.T) {
	movie := testkit.Data(t, "videos/tfjs_squats/video.mp4")
	movenettest.Library(t)
	out := t.TempDir()
	if err := run(t.Context(), []string{"-out", out, movie}); err != nil {
		t.Fatal(err)
	}
	var results []struct {
		Description string
		Values      []float64
	}
	readJSON(t, filepath.Join(out, "video.analysis.json"), &results)
	knee := results[0].Values
	if !strings.Contains(results[0].Description, "leftKnee") || len(knee) != 65 {
		t.Fatalf("%s, %d values", results[0].Description, len(knee))
	}
	for _, want := range []int{10, 33, 59} { // BlazePose: 9 to 10, 33, 59
		low := want - 8
		for i := want - 8; i <= min(want+5, 64); i++ {
			if knee[i] < knee[low] {
				low = i
			}
		}
		if max(low-want, want-low) > 2 || knee[low] > 115 {
			t.Errorf("a squat is deepest at frame %d with %.0f°, want frame %d", low, knee[low], want)
		}
	}
	for _, standing := range []int{0, 22, 45} {
		if knee[standing] < 160 {
			t.Errorf("the knee is at %.0f° in frame %d, want straight", knee[standing], standing)
		}
	}
}
