package server

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestViewerPeople follows a person over three weeks on the page: the file says when the first and the second recording
// were filmed, the second is from the front. At the end everything of the person is erased, files included.
func TestViewerPeople(t *testing.T) {
	b := newBrowsing(t)
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	dir, data := t.TempDir(), filepath.Join(t.TempDir(), "data")
	server := start(t, "--data", data, "--db", "memory")
	defer server.drain(t)
	args, degrees := []string{server.page(t)}, []float64{}
	for _, m := range []struct{ name, source, filmed, seconds string }{
		{"first", "squat_60", "2024-03-04T12:00:00Z", "6"},
		{"front", "squat_0_shift", "2024-03-11T12:00:00Z", "5"},
		{"last", "squat_90_slow", "", "6"},
	} {
		file := filepath.Join(dir, m.name+".mp4")
		out, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-t", m.seconds, "-i", testkit.Data(t, "rendered/"+m.source+".mp4"),
			"-vf", "scale=-2:480", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "18", "-map_metadata", "-1", "-metadata", "creation_time="+m.filmed, file).CombinedOutput()
		if err != nil {
			t.Fatalf("ffmpeg %s: %v\n%s", m.name, err, out)
		}
		args, degrees = append(args, file), append(degrees, slices.Max(testkit.Rendered(t, m.source).Angles["left_knee"]))
	}
	truth, err := json.Marshal(degrees)
	if err != nil {
		t.Fatal(err)
	}
	b.run(t, "people.mjs", append(args, string(truth))...)
	var left []string
	err = filepath.WalkDir(data, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := os.Stat(name); err == nil && info.Size() > 10_000 {
			left = append(left, name)
		}
		return nil
	})
	if err != nil || len(left) > 0 {
		t.Errorf("after erasing there are %v (%v)", left, err)
	}
}
