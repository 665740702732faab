package server

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// TestFilm films an exercise with the page: a camera shows somebody who stands too near, then in the picture, does lunges and goes.
func TestFilm(t *testing.T) {
	b := newBrowsing(t)
	const movie = "lunge_90"
	first := func(filter string, seconds int) []byte {
		return bytes.Repeat(pictures(t, movie, filter+",scale=640:-2", "-frames:v", "1"), 30*seconds)
	}
	camera := kept(t, slices.Concat(first("crop=iw*.7:ih*.7:iw*.15:0", 10), first("null", 16), pictures(t, movie, "scale=640:-2"), first("drawbox=color=gray:t=fill", 60)))
	server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--db", "memory")
	defer server.drain(t)
	b.run(t, "film.mjs", server.page(t), camera)
}

// filmed makes what a camera shows of a rendered movie, and tells how many repetitions it has.
func filmed(t *testing.T, name string) (camera, repetitions string) {
	t.Helper()
	movie := pictures(t, name, "scale=640:-2")
	// Chromium shows it again and again, so that the person stands for a minute at the end.
	last := movie[bytes.LastIndex(movie, []byte{0xff, 0xd8, 0xff}):]
	return kept(t, append(movie, bytes.Repeat(last, 60*30)...)), strconv.Itoa(len(testkit.Rendered(t, name).Reps))
}

// pictures makes the JPEG pictures of a rendered movie.
func pictures(t *testing.T, name, filter string, more ...string) []byte {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	args := slices.Concat([]string{"-v", "error", "-i", testkit.Data(t, "rendered/"+name+".mp4"), "-vf", filter, "-q:v", "4"}, more, []string{"-f", "mjpeg", "-"})
	cmd := exec.CommandContext(t.Context(), "ffmpeg", args...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ffmpeg: %v\n%s", err, said.String())
	}
	return out
}

// kept keeps what a camera shows in a file.
func kept(t *testing.T, shown []byte) string {
	t.Helper()
	camera := filepath.Join(t.TempDir(), "camera.mjpeg")
	if err := os.WriteFile(camera, shown, 0o600); err != nil {
		t.Fatal(err)
	}
	return camera
}
