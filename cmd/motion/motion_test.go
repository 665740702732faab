package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// tool names the variable that makes the test's own program the tool.
const tool = "MOTION_TEST_TOOL"

func TestMain(m *testing.M) {
	if os.Getenv(tool) == "" {
		os.Exit(m.Run())
	}
	setup.Main("motion", run)
}

// command returns the tool as a process that works in a folder.
func command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), tool+"=1")
	return cmd
}

// call runs the tool to its end.
func call(t *testing.T, dir string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, problems bytes.Buffer
	cmd := command(t, dir, args...)
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), problems.String(), cmd.ProcessState.ExitCode()
}

// work returns a folder with a short movie, squats.mp4.
func work(t *testing.T) string {
	t.Helper()
	ortkit.Library(t)
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	dir := t.TempDir()
	cut := exec.Command("ffmpeg", "-v", "error", "-i", "../../httpapi/viewer/squats.mp4", "-frames:v", "6", filepath.Join(dir, "squats.mp4"))
	if out, err := cut.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// clips fills the folder clips with good files: movies and the rest pictures, some of them in folders.
func clips(t *testing.T, dir string, movies, all int) {
	t.Helper()
	movie, err := os.ReadFile(filepath.Join(dir, "squats.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		name, content := fmt.Sprintf("clips/%d/body.jpg", i), sample.JPEG()
		if i < movies {
			name, content = fmt.Sprintf("clips/squat-%d.mp4", i), movie
		}
		put(t, dir, name, content)
	}
}

func put(t *testing.T, dir, name string, content []byte) {
	t.Helper()
	path := filepath.Join(dir, name)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, content, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// written is a file with what tells whether it was written again.
type written struct {
	content  string
	modified time.Time
}

// resultsIn returns the results below a folder, without what the tool keeps for itself.
func resultsIn(t *testing.T, dir string) map[string]written {
	t.Helper()
	files := map[string]written{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".motion" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = written{string(b), info.ModTime()}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestFolder: of ten files, two of them broken, come eight results and two lines of errors, and a second run
// does nothing. Killing the tool and running it again gives the same.
func TestFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("works on 30 files, not with -short")
	}
	dir := work(t)
	clips(t, dir, 2, 8)
	put(t, dir, "clips/text.mp4", []byte("no movie"))
	put(t, dir, "clips/empty.jpg", nil)
	args := []string{"draw", "--setting", "fast", "clips", "--out"}
	stdout, stderr, status := call(t, dir, append(args, "whole")...)
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	slices.Sort(lines)
	if status != 1 || len(lines) != 2 || !strings.HasPrefix(lines[0], "motion: "+filepath.FromSlash("clips/empty.jpg: ")) || !strings.HasPrefix(lines[1], "motion: "+filepath.FromSlash("clips/text.mp4: ")) {
		t.Fatalf("status %d, standard error:\n%s", status, stderr)
	}
	if n := strings.Count(stdout, "\n"); n != 11 || strings.Count(stdout, " done\n") != 8 || strings.Count(stdout, " failed\n") != 2 {
		t.Errorf("a table of %d lines:\n%s", n, stdout)
	}
	whole := resultsIn(t, filepath.Join(dir, "whole"))
	counts := map[string]int{}
	for name := range whole {
		_, kind, _ := strings.Cut(filepath.Base(name), ".")
		counts[kind]++
	}
	if want := map[string]int{"mp4.keypoints.json": 2, "mp4.drawing.mp4": 2, "jpg.keypoints.json": 6, "jpg.drawing.jpg": 6, "csv": 1, "long.csv": 1, "json": 1}; !maps.Equal(counts, want) {
		t.Errorf("results %v, want %v", counts, want)
	}

	stdout, again, status := call(t, dir, append(args, "whole")...)
	if status != 1 || strings.Count(again, "\n") != 2 || strings.Count(stdout, " done (kept)\n") != 8 || strings.Contains(stdout, " done\n") {
		t.Errorf("second run: status %d\n%s%s", status, stdout, again)
	}
	if !maps.Equal(resultsIn(t, filepath.Join(dir, "whole")), whole) {
		t.Error("the second run has written results")
	}

	// Killed, and run again.
	part := interrupt(t, dir, syscall.SIGKILL, append(args, "killed")...)
	for name, f := range part {
		if f.content != whole[name].content {
			t.Errorf("killed: %s is not whole", name)
		}
	}
	if len(part) >= len(whole) {
		t.Error("the tool was done before it was killed")
	}
	if _, stderr, status := call(t, dir, append(args, "killed")...); status != 1 || strings.Count(stderr, "\n") != 2 {
		t.Errorf("after it was killed: status %d\n%s", status, stderr)
	}
	complete := resultsIn(t, filepath.Join(dir, "killed"))
	for name, f := range whole {
		if complete[name].content != f.content {
			t.Errorf("killed and run again: %s is missing or another", name)
		}
	}
	if len(complete) != len(whole) {
		t.Errorf("killed and run again: %d files, want %d", len(complete), len(whole))
	}
	if left, err := os.ReadDir(filepath.Join(dir, "killed", ".motion")); err != nil || len(left) != 2 {
		t.Errorf("left over: %v (%v), want lock and results", left, err)
	}
}

// interrupt starts the tool, whose last argument is the folder of the results, sends it a signal after
// the first drawing, and returns what there is then. A signal that can be handled ends it with a message.
func interrupt(t *testing.T, dir string, signal syscall.Signal, args ...string) map[string]written {
	t.Helper()
	out := filepath.Join(dir, args[len(args)-1])
	cmd := command(t, dir, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); len(glob(t, out, "*/*.drawing.jpg")) == 0; time.Sleep(time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatal("no result in a minute")
		}
	}
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if text := "motion: interrupted: run it again to continue\n"; signal != syscall.SIGKILL && (cmd.ProcessState.ExitCode() != 128+int(signal) || stderr.String() != text) {
		t.Errorf("%v: %s", cmd.ProcessState, &stderr)
	}
	return resultsIn(t, out)
}

// TestReplaces: a result that would replace one of the files that are read is refused.
func TestReplaces(t *testing.T) {
	dir := work(t)
	put(t, dir, "a.jpg", sample.JPEG())
	put(t, dir, "a.jpg.drawing.jpg", sample.JPEG())
	_, stderr, status := call(t, dir, "draw", "--setting", "fast", "a.jpg", "a.jpg.drawing.jpg", "--out", ".")
	if status != 1 || !strings.Contains(stderr, "a.jpg: the result a.jpg.drawing.jpg would replace one of the files that are read") {
		t.Errorf("status %d, standard error:\n%s", status, stderr)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "a.jpg.drawing.jpg")); err != nil || !bytes.Equal(b, sample.JPEG()) {
		t.Errorf("the picture has changed (%v)", err)
	}
}

// TestInterrupted: Ctrl+C ends the tool between two results, and the tables say how far it came.
func TestInterrupted(t *testing.T) {
	testkit.NeedSignals(t)
	dir := work(t)
	clips(t, dir, 0, 10)
	part := interrupt(t, dir, syscall.SIGINT, "draw", "--setting", "fast", "clips", "--out", "ended")
	if len(part) >= 22 {
		t.Error("the tool was done before it was ended")
	}
	if table := part["draw.csv"].content; !strings.Contains(table, ",done,") || !strings.Contains(table, ",not ") {
		t.Errorf("the table is\n%s", table)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "ended", ".motion")); err != nil || len(left) != 2 {
		t.Errorf("left over: %v (%v), want lock and results", left, err)
	}
}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestAgain: what has changed is made again, and nothing else.
func TestAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the tool 14 times, not with -short")
	}
	dir := work(t)
	clips(t, dir, 0, 1)
	jpg := filepath.Join(dir, "clips", "0", "body.jpg")
	for i, step := range []struct {
		change func() error
		args   string
		want   string // the kinds of files that are written
	}{
		{nil, "extract --setting fast clips", "keypoints.json"},
		{nil, "extract --setting fast clips/0/../../clips", ""},
		{nil, "extract --setting fast --format csv clips", "keypoints.csv"},
		{nil, "analyze --format csv clips", "analysis.csv analysis.json"},
		{nil, "analyze --angle kneeFlexion clips", "analysis.json"},
		{nil, "analyze --setting fast --angle kneeFlexion clips", ""},
		{nil, "report clips", "report.html"},
		{nil, "report --language ja clips", "report.html"},
		{nil, "analyze --feet --setting fast --angle kneeFlexion clips", "analysis.json keypoints.json"},
		{nil, "report --language ja clips", "report.html"},
		{func() error { return os.Remove(filepath.Join(dir, "motion-out/0/body.jpg.report.html")) }, "report --language ja clips", "report.html"},
		{func() error { return os.Truncate(filepath.Join(dir, "motion-out/0/body.jpg.report.html"), 100) }, "report --language ja clips", "report.html"},
		{func() error { return os.Chtimes(jpg, time.Time{}, time.Unix(1e9, 0)) }, "report --setting fast clips", "keypoints.json report.html"},
		{func() error {
			return os.WriteFile(filepath.Join(dir, "motion-out/.motion/results/0/body.jpg.json"), []byte("{"), 0o600)
		}, "report --setting fast clips", "keypoints.json report.html"},
	} {
		var before map[string]written
		if i > 0 {
			before = resultsIn(t, filepath.Join(dir, "motion-out"))
		}
		if step.change != nil {
			if err := step.change(); err != nil {
				t.Fatal(err)
			}
		}
		if _, stderr, status := call(t, dir, strings.Fields(step.args)...); status != 0 || stderr != "" {
			t.Fatalf("%s: status %d\n%s", step.args, status, stderr)
		}
		var made []string
		for name, f := range resultsIn(t, filepath.Join(dir, "motion-out")) {
			if before[name] != f && strings.Contains(name, "/") { // not the tables
				made = append(made, strings.TrimPrefix(name, "0/body.jpg."))
			}
		}
		slices.Sort(made)
		if got := strings.Join(made, " "); got != step.want {
			t.Errorf("step %d, %s: made %q, want %q", i, step.args, got, step.want)
		}
	}
}
