package server

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestViewerSpace drops two short movies of one movement on the page.
func TestViewerSpace(t *testing.T) {
	b := newBrowsing(t)
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	var truth struct {
		Offset float64 `json:"offset_s"`
		Reps   []struct {
			Turn map[string]float64 `json:"at_turn"`
		}
	}
	for _, name := range []string{"squat", "squat_a"} {
		text, err := os.ReadFile(testkit.Data(t, "rendered/pairs/"+name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &truth); err != nil {
			t.Fatal(err)
		}
	}
	server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--db", "memory")
	defer server.drain(t)
	args := []string{server.page(t)}
	for _, name := range []string{"squat_a", "squat_b"} {
		short := filepath.Join(t.TempDir(), name+".mp4")
		out, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-i", testkit.Data(t, "rendered/pairs/"+name+".mp4"),
			"-t", "5", "-c", "copy", short).CombinedOutput()
		if err != nil {
			t.Fatalf("ffmpeg: %v\n%s", err, out)
		}
		args = append(args, short)
	}
	b.run(t, "space.mjs", append(args, fmt.Sprint(truth.Offset), fmt.Sprint(truth.Reps[0].Turn["left_knee"]))...)
}
