package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/lab/internal/estimators"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/keypoint"
)

// movie makes a movie of 5 frames a second.
func movie(t *testing.T, path string, frames int) {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	cmd := exec.Command("ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=s=160x90:r=5", "-frames:v", fmt.Sprint(frames), path)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// nobody is an estimator that finds nobody.
type nobody struct{}

func (nobody) Estimate(context.Context, image.Image, inference.Hint) (f keypoint.Frame, _ error) {
	return f, nil
}

func (nobody) Close() error { return nil }

// fakes stand in for the estimators of package pose.
func fakes() (list []choice) {
	for _, c := range choices() {
		list = append(list, choice{c.name, func() (estimators.Estimator, error) { return nobody{}, nil }})
	}
	return list
}

// raced runs the program on a movie of 3 frames.
func raced(t *testing.T, python string) (string, error) {
	t.Helper()
	return racedWith(t, fakes(), options{python: python, rounds: 2})
}

func racedWith(t *testing.T, ours []choice, o options) (string, error) {
	t.Helper()
	o.frames = 3
	if o.movies == nil {
		o.movies = []string{filepath.Join(t.TempDir(), "in.mkv")}
		movie(t, o.movies[0], 9)
	}
	var out bytes.Buffer
	err := run(t.Context(), o, ours, &out)
	return out.String(), err
}

// TestOurs: the estimators of this module race.
func TestOurs(t *testing.T) {
	testkit.Thorough(t, "races estimators")
	t.Setenv("ONNXRUNTIME_LIB", ortkit.Library(t))
	out, err := racedWith(t, choices(), options{rounds: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range choices() {
		if !regexp.MustCompile(`(?m)^in\.mkv +` + c.name + ` +3 `).MatchString(out) {
			t.Errorf("%s is not in\n%s", c.name, out)
		}
	}
}

// interpreter is a program that stands in for Python.
func interpreter(t *testing.T, script string) string {
	t.Helper()
	testkit.NeedShell(t)
	path := filepath.Join(t.TempDir(), "python")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMissing: who cannot take part is named, and the others race.
func TestMissing(t *testing.T) {
	testkit.Thorough(t, "races estimators")
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
			if !strings.Contains(out, "1 movies, at most 3 frames each, 2 rounds") || !regexp.MustCompile(`(?m)^in\.mkv +Balanced .*\n.* Fast `).MatchString(out) {
				t.Errorf("the race itself is not in\n%s", out)
			}
		})
	}
}

// TestAnswers: what a script answers is in the table; who saw another number of frames has
// not done the same work.
func TestAnswers(t *testing.T) {
	testkit.Thorough(t, "races estimators")
	out, err := raced(t, interpreter(t, "echo ready; while read line; do echo 3 6000000000 9000000000; done"))
	if err != nil || !regexp.MustCompile(`(?m)^in\.mkv +MediaPipe Pose, full +3 +0\.5 +3000\.0 +1\.00 × +1\.00 ×`).MatchString(out) {
		t.Errorf("error %v, and\n%s", err, out)
	}
	if _, err := raced(t, interpreter(t, "echo ready; while read line; do echo 2 6000000000 9000000000; done")); err == nil ||
		!strings.Contains(err.Error(), "found 2 frames") {
		t.Errorf("2 frames of 3: error %v", err)
	}
}

// TestJob: the tool does the whole job, and beside it who draws.
func TestJob(t *testing.T) {
	testkit.Thorough(t, "builds the tool")
	t.Setenv("ONNXRUNTIME_LIB", ortkit.Library(t))
	python := interpreter(t, `case $1 in *mediapipe*) echo ready, draws;; *) echo ready;; esac
while read order path to; do case "$order $to" in "draw "*/drawn.mp4) echo 3 6000000000 9000000000;; *) exit 1;; esac; done`)
	out, err := racedWith(t, fakes(), options{python: python, rounds: 1, job: true, movies: []string{"../../../httpapi/viewer/squats.mp4"}})
	if err != nil || !regexp.MustCompile(`(?m)^squats\.mp4 +motion, Balanced +3 .*\n.* motion, Fast +3 .*\n.* MediaPipe Pose, full +3 +0\.5 +3000\.0`).MatchString(out) {
		t.Errorf("error %v, and\n%s", err, out)
	}
}

// TestAccuracy: who tells keypoints is compared with references and labels; who does not has no
// numbers.
func TestAccuracy(t *testing.T) {
	testkit.Thorough(t, "races estimators")
	dir := t.TempDir()
	body := map[string][]float64{}
	points := make([][]float64, keypoint.NumBody)
	for p := range keypoint.Part(keypoint.NumBody) {
		points[p] = []float64{40 + 20*float64(p%2), 5 * float64(p), 2}
		body[p.String()] = points[p]
	}
	torso := 30.0 // from the shoulders to the hips
	moved := make([][]float64, len(points))
	for p, at := range points {
		moved[p] = []float64{at[0] + 0.15*torso, at[1], 1}
	}
	frames := make([]any, 4)
	for i := range frames {
		frames[i] = map[string]any{"t": float64(i) / 5, "keypoints": body}
	}
	person := map[string]any{"bbox": []float64{40, 0, 20, 80}, "keypoints": body}
	movie(t, filepath.Join(dir, "clip.mp4"), 4)
	unknown := filepath.Join(t.TempDir(), "unknown.mp4") // has no reference
	movie(t, unknown, 4)
	for name, content := range map[string]any{
		"clip.json": map[string]any{"frames": frames},
		"annotations.json": []any{
			map[string]any{"image": "a.png", "persons": []any{person}},
			map[string]any{"image": "b.png", "persons": []any{}},
		},
		"movie":   []any{points, points, moved, []any{}},
		"picture": []any{points},
		"short":   []any{points},
	} {
		b, err := json.Marshal(content)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), append(b, '\n'), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a.png", "b.png"} {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 160, 90))); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := options{rounds: 1, movies: []string{dir, unknown}, annotations: filepath.Join(dir, "annotations.json"), only: "i"} // MediaPipe and rtmlib
	const lap = "3 6000000000 9000000000"
	o.python = interpreter(t, `case $1 in *rtmlib*) echo ready;; *) echo ready, looks;; esac
while read order path; do case $order in go) echo `+lap+`;; *) cat `+dir+`/$order;; esac; done`)
	out, err := racedWith(t, fakes(), o)
	if err != nil {
		t.Fatal(err)
	}
	set := filepath.Base(dir)
	for _, want := range []string{
		`(?m)^movie .* agreement@0\.2 +@0\.1$`,
		`(?m)^clip\.mp4 +Balanced .* 0\.000 +0\.000 *$`,
		`(?m)^clip\.mp4 +MediaPipe Pose, full .* 0\.750 +0\.500 *$`,
		`(?m)^clip\.mp4 +rtmlib balanced, random weights .* - +- *$`,
		`(?m)^unknown\.mp4 +MediaPipe Pose, full .* - +- *$`,
		`(?m)^all +MediaPipe Pose, full +6 .* 0\.750 +0\.500 *$`,
		`(?m)^ +AR ` + set + ` +somebody$`,
		`(?m)^Balanced +0\.000 +0/1$`,
		`(?m)^MediaPipe Pose, full +1\.000 +1/1$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("%s is not in\n%s", want, out)
		}
	}
	o.python = interpreter(t, `echo ready, looks; while read order path; do case $order in go) echo `+lap+`;; *) cat `+dir+`/short;; esac; done`)
	if _, err := racedWith(t, fakes(), o); err == nil || !strings.Contains(err.Error(), "found 1 frames in "+filepath.Join(dir, "clip.mp4")+", Balanced 4") {
		t.Errorf("a movie that is shorter for others: %v", err)
	}
}

func TestDecode(t *testing.T) {
	for line, want := range map[string]string{
		"none":            "invalid character",
		"[[[1, 2, 3]]]":   "frame 0 has 1 points, want 17 or none",
		`[[], [["a"]]]`:   "cannot unmarshal",
		`{"frames": [[]]`: "unexpected end",
	} {
		if _, err := decode([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one about %q", line, err, want)
		}
	}
}

// TestRatio: ratios are of the same round, and over all movies the worst one is told.
func TestRatio(t *testing.T) {
	laps := [][]lap{{{3, 1, 6}, {3, 2, 2}, {3, 4, 4}}, {{3, 3, 2}, {3, 3, 1}, {3, 8, 3}}}
	r := race{laps: laps}
	l := r.row(0, 1, &score.Movie{})
	if l.took != 1 || l.cpu != 2 || l.rate[0] != 2 || l.core[0] != 2 {
		t.Errorf("%+v", l)
	}
	worse := row{frames: 1, took: 1, rate: score.Values{0.5}, core: score.Values{3}}
	if got := strings.Join(l.plus(worse).cells()[3:5], " "); got != "0.50 × 3.00 ×" {
		t.Errorf("over both %s", got)
	}
}

func TestOptions(t *testing.T) {
	good := options{movies: []string{"a"}, frames: 1, rounds: 1}
	for want, change := range map[string]func(*options){
		"no movie":  func(o *options) { o.movies = nil },
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
