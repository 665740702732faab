package main

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
	squats := len(testkit.Rendered(t, "squat_60").Reps)
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	camera := filepath.Join(t.TempDir(), "camera.mjpeg")
	out, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-i", testkit.Data(t, "rendered/squat_60.mp4"),
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
	server := start(t, build(t), "-data", filepath.Join(t.TempDir(), "data"), "-db", "memory")
	b.run(t, "live.mjs", server.url+"/", strconv.Itoa(server.cmd.Process.Pid), camera, strconv.Itoa(squats))
	if err := server.cmd.Wait(); err != nil { // the script has ended it
		t.Errorf("the server ends with %v\n%s", err, server.said())
	}
}
