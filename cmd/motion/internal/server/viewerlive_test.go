package server

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestLive uses the live tab of the page in a browser whose camera shows a rendered movie.
func TestLive(t *testing.T) {
	b := newBrowsing(t)
	camera, squats := filmed(t, "squat_60")
	server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--db", "memory")
	b.run(t, "live.mjs", server.page(t), strconv.Itoa(server.cmd.Process.Pid), camera, squats)
	if err := server.cmd.Wait(); err != nil { // the script has ended it
		t.Errorf("the server ends with %v\n%s", err, server.said())
	}
}

// TestLiveFront does so with squats from the front.
func TestLiveFront(t *testing.T) {
	b := newBrowsing(t)
	camera, squats := filmed(t, "squat_0_shift")
	server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--db", "memory")
	b.run(t, "livefront.mjs", server.page(t), camera, squats)
}

// filmed makes what a camera shows of a rendered movie, and tells how many repetitions it has.
func filmed(t *testing.T, name string) (camera, repetitions string) {
	t.Helper()
	n := len(testkit.Rendered(t, name).Reps)
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	camera = filepath.Join(t.TempDir(), "camera.mjpeg")
	out, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-i", testkit.Data(t, "rendered/"+name+".mp4"),
		"-vf", "scale=640:-2", "-q:v", "4", "-f", "mjpeg", camera).CombinedOutput()
	if err != nil {
		t.Fatalf("ffmpeg: %v\n%s", err, out)
	}
	movie, err := os.ReadFile(camera)
	if err != nil {
		t.Fatal(err)
	}
	// Chromium shows it again and again, so that the person stands for a minute at the end.
	last := movie[bytes.LastIndex(movie, []byte{0xff, 0xd8, 0xff}):]
	if err := os.WriteFile(camera, append(movie, bytes.Repeat(last, 60*30)...), 0o600); err != nil {
		t.Fatal(err)
	}
	return camera, strconv.Itoa(n)
}
