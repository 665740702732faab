package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/internal/testkit"
)

// raced runs the program on a movie of 3 frames.
func raced(t *testing.T, python string) (string, error) {
	t.Helper()
	o := options{python: python, library: movenettest.Library(t), frames: 3, rounds: 2}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	o.movie = filepath.Join(t.TempDir(), "in.mkv")
	cmd := exec.Command("ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=s=160x90:r=5", "-frames:v", "9", o.movie)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var out bytes.Buffer
	err := run(t.Context(), o, &out)
	return out.String(), err
}

// interpreter is a program that stands in for Python.
func interpreter(t *testing.T, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	path := filepath.Join(t.TempDir(), "python")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMissing: who cannot take part is named, and the others race.
func TestMissing(t *testing.T) {
	for name, c := range map[string]struct{ python, why string }{
		"interpreter": {filepath.Join(t.TempDir(), "none"), "-python names another"},
		"package":     {interpreter(t, "echo 'not ready: no cv2'"), "no cv2"},
		"crash":       {interpreter(t, "echo gone >&2; exit 3"), "exit status 3): gone"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := raced(t, c.python)
			if err != nil {
				t.Fatal(err)
			}
			for _, who := range []string{"MediaPipe Pose, full", "rtmlib balanced, random weights", "OpenCV + onnxruntime loop, thunder"} {
				if line := who + " does not take part: "; !strings.Contains(out, line) || !strings.Contains(out, c.why) {
					t.Errorf("%q with %q is not in\n%s", line, c.why, out)
				}
			}
			if !strings.Contains(out, "3 frames, 2 rounds") || !strings.Contains(out, "\nBalanced ") || !strings.Contains(out, "\nFast ") {
				t.Errorf("the race itself is not in\n%s", out)
			}
		})
	}
}

// TestAnswers: what a script answers is in the table; who saw another number of frames has
// not done the same work.
func TestAnswers(t *testing.T) {
	out, err := raced(t, interpreter(t, "echo ready; while read line; do echo 3 6000000000 9000000000; done"))
	if err != nil || !strings.Contains(out, "\nMediaPipe Pose, full ") || !strings.Contains(out, " 0.5 ") || !strings.Contains(out, " 3000.0 ") {
		t.Errorf("error %v, and\n%s", err, out)
	}
	if _, err := raced(t, interpreter(t, "echo ready; while read line; do echo 2 6000000000 9000000000; done")); err == nil ||
		!strings.Contains(err.Error(), "found 2 frames") {
		t.Errorf("2 frames of 3: error %v", err)
	}
}

func TestFaster(t *testing.T) {
	ours, theirs := []lap{{took: 1}, {took: 2}, {took: 4}}, []lap{{took: 3}, {took: 3}, {took: 8}}
	if got := faster(ours, theirs); got != "2.00 × (1.50–3.00)" {
		t.Errorf("got %s", got)
	}
}

func TestOptions(t *testing.T) {
	good := options{movie: "a", frames: 1, rounds: 1}
	for want, change := range map[string]func(*options){
		"-movie":    func(o *options) { o.movie = "" },
		"-frames":   func(o *options) { o.frames = 0 },
		"-rounds":   func(o *options) { o.rounds = 0 },
		"-detector": func(o *options) { o.pose = "a" },
	} {
		o := good
		change(&o)
		if err := o.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
	if err := good.check(); err != nil {
		t.Error(err)
	}
}
