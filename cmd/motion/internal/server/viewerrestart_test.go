package server

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestViewerRestart kills the server while the page is used, and starts it again.
func TestViewerRestart(t *testing.T) {
	testkit.Thorough(t, "kills the server three times while the page is used")
	b := newBrowsing(t)
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	movie := filepath.Join(t.TempDir(), "long.mp4")
	out, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-stream_loop", "-1", "-i", "../../../../httpapi/viewer/squats.mp4", "-t", "12",
		"-c", "copy", movie).CombinedOutput()
	if err != nil {
		t.Fatalf("ffmpeg: %v\n%s", err, out)
	}
	args := []string{"--data", filepath.Join(t.TempDir(), "data")}
	server := start(t, args...)
	page := server.page(t)
	args = append(args, "--addr", strings.TrimPrefix(server.url, "http://"))
	control := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/kill":
			server.cmd.Process.Kill()
			server.cmd.Wait()
		case "/start":
			server = start(t, args...)
		}
	}))
	defer control.Close()
	b.run(t, "restart.mjs", page, control.URL, movie)
	server.drain(t)
}
