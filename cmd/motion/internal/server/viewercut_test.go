package server

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestViewerCut: a part of a long movie is cut in the browser. Its pictures are those of the movie.
func TestViewerCut(t *testing.T) {
	testkit.Thorough(t, "uses the page in two browsers")
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	run := func(t *testing.T, args ...string) string {
		out, err := exec.CommandContext(t.Context(), "ffmpeg", append([]string{"-v", "error", "-y"}, args...)...).Output()
		if err != nil {
			t.Fatal(args, err)
		}
		return string(out)
	}
	// With pictures that need later ones, sound between them, and a start each second.
	movie := filepath.Join(t.TempDir(), "long.mp4")
	run(t, "-stream_loop", "-1", "-i", "../../../../httpapi/viewer/squats.mp4", "-f", "lavfi", "-i", "sine", "-t", "70", "-vf", "scale=320:-2,fps=30",
		"-c:v", "libx264", "-preset", "ultrafast", "-bf", "3", "-g", "30", movie)
	pictures := func(t *testing.T, name string) (sums []string) {
		for line := range strings.Lines(run(t, "-i", name, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-")) {
			if !strings.HasPrefix(line, "#") {
				sums = append(sums, line[strings.LastIndex(line, ",")+1:])
			}
		}
		return sums
	}
	whole := strings.Join(pictures(t, movie), "")
	for _, b := range []browsing{newBrowsing(t), browsingIn(t, "firefox-esr", "firefox")} {
		t.Run(filepath.Base(b.program), func(t *testing.T) {
			server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--db", "memory")
			defer server.drain(t)
			b.run(t, "cut.mjs", server.page(t), movie)
			part := pictures(t, filepath.Join(b.shots, "part.mp4"))
			if len(part) < 40 || !strings.Contains(whole, strings.Join(part, "")) {
				t.Errorf("the %d pictures of the part are not those of the movie", len(part))
			}
		})
	}
}
