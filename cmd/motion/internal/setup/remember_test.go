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
	run := &remembering{Installed: program.Installed{FFprobe: path("ffprobe")}, known: map[question]*answer{}}
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

// The programs are asked for their versions once, until they change; old ones each time.
func TestChecked(t *testing.T) {
	testkit.NeedShell(t)
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("HOME", dir)
	runs := filepath.Join(dir, "runs")
	install := func(version string) {
		t.Helper()
		for _, name := range []string{"ffmpeg", "ffprobe"} {
			script := "#!/bin/sh\necho run >>\"" + runs + "\"\necho " + name + " version " + version + "\n"
			if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	check := func(version string, good bool, asked int) {
		t.Helper()
		if err := checked(t.Context()); (err == nil) != good {
			t.Errorf("version %s: %v", version, err)
		}
		if done, err := os.ReadFile(runs); strings.Count(string(done), "run") != asked {
			t.Errorf("version %s: %q (%v), want %d runs", version, done, err, asked)
		}
	}
	install("7.1")
	check("7.1", true, 2)
	check("7.1", true, 2)
	install("4.4.2")
	check("4.4.2", false, 3)
	check("4.4.2", false, 4)
	install("10.1.1")
	check("10.1.1", true, 6)
	check("10.1.1", true, 6)
}
