package server

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestViewerHEVC opens movies that Chromium cannot play.
func TestViewerHEVC(t *testing.T) {
	testkit.Thorough(t, "converts two movies")
	b := newBrowsing(t)
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	made := func(name string, args ...string) string {
		movie := filepath.Join(t.TempDir(), name)
		args = append([]string{"-v", "error", "-i", "../../../../httpapi/viewer/squats.mp4", "-f", "lavfi", "-i", "sine"}, args...)
		args = append(args, "-t", "3", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-tag:v", "hvc1", movie)
		if out, err := exec.CommandContext(t.Context(), "ffmpeg", args...).CombinedOutput(); err != nil {
			t.Fatalf("ffmpeg: %v\n%s", err, out)
		}
		return movie
	}
	server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--db", "memory")
	defer server.drain(t)
	b.run(t, "hevc.mjs", server.page(t), made("sound.mp4"), made("silent.mov", "-an"))
}
