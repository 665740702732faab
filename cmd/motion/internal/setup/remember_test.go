package setup

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/testkit"
)

// ffprobe is asked once about a file, until the file changes; what complained is asked again.
func TestRemembering(t *testing.T) {
	testkit.NeedShell(t)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(path(name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put("ffprobe", "#!/bin/sh\necho run >>\""+path("runs")+"\"\ncat \"$1\"\ntest ! -e \"$1.bad\" || echo damaged >&2\n")
	put("movie", "184 frames")
	run := &remembering{Installed: program.Installed{FFprobe: path("ffprobe")}, known: map[question][]byte{}}
	ask := func(runs int, answer string) {
		t.Helper()
		var out, complaint bytes.Buffer
		c := program.Command{Program: "ffprobe", Args: []string{path("movie")}, ReadFiles: []string{path("movie")}, Stdout: &out, Stderr: &complaint}
		if err := run.Run(t.Context(), c); err != nil || out.String() != answer {
			t.Errorf("%v: %q, want %q", err, out.String(), answer)
		}
		if done, err := os.ReadFile(path("runs")); strings.Count(string(done), "run") != runs {
			t.Errorf("%v: %q, want %d runs", err, done, runs)
		}
	}
	ask(1, "184 frames")
	ask(1, "184 frames")
	put("movie", "90 frames")
	ask(2, "90 frames")
	put("movie.bad", "")
	put("movie", "no frames")
	ask(3, "no frames")
	ask(4, "no frames")
}
