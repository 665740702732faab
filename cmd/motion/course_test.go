package main

import (
	"bytes"
	"encoding/json"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/internal/testkit"
)

// TestCourse: recordings of one person, in whatever order, become a trend by the date of filming, and a report of the last one
// with its targets, notes and what has changed.
func TestCourse(t *testing.T) {
	folder := t.TempDir()
	for name, movie := range map[string]string{"c 2026-11-20": "squat_90_slow", "b_20261023": "squat_0_shift", "z2026-10-09": "squat_60"} {
		text, err := json.Marshal(testkit.Rendered(t, movie).Seq)
		if err != nil {
			t.Fatal(err)
		}
		put(t, folder, name+".json", text)
	}
	put(t, folder, "c 2026-11-20.txt", []byte("2.5: Sits <back> well.\n\n5 kg next time\n"))
	t.Chdir(folder)
	said := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		root := newRoot(&stdout, &stderr)
		root.SetArgs(append([]string{"course", "--out", "out", "*.json"}, args...))
		if err := root.ExecuteContext(t.Context()); err != nil {
			return err.Error() + stderr.String()
		}
		return stdout.String()
	}
	read := func(name string) []byte {
		t.Helper()
		b, err := os.ReadFile(filepath.Join("out", name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	text := said("--exercise", "squat", "--height", "1.8", "--name", "Mika", "--measure", "kneeFlexion", "--side", "left")
	var trends []trend.Trend
	if err := json.Unmarshal(read("course.trend.json"), &trends); err != nil || len(trends) != 1 || len(trends[0].Sessions) != 3 {
		t.Fatalf("%+v, %v", trends, err)
	}
	for k, shown := range []bool{true, false, true} { // from the front a knee cannot be told
		if s := trends[0].Sessions[k]; s.Value.Present != shown || s.Undated || k > 0 && !s.RecordedAt.After(trends[0].Sessions[k-1].RecordedAt) {
			t.Errorf("session %d: %+v", k, s)
		}
	}
	if !strings.Contains(text, trends[0].Sentence["en"]) || trends[0].Change == nil {
		t.Errorf("%s lacks %s", text, trends[0].Sentence)
	}
	page := string(read("course.report.html"))
	for _, want := range []string{
		"<dd>Mika</dd>", "<dd>1.80 m</dd>", "<dd>20 November 2026</dd>", "Sits &lt;back&gt; well. <small>2.50 s</small>", "5 kg next time</p>",
		"Targets", "Last sessions", trends[0].Sentence["en"], ">9 Oct<", "not visible from the front",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if lines := strings.Count(string(read("course.trend.csv")), "\n"); lines != 4 {
		t.Errorf("%d lines of CSV", lines)
	}
	if _, kind, err := image.Decode(bytes.NewReader(read("course.trend.png"))); err != nil || kind != "png" {
		t.Error(kind, err)
	}
	var a analysis
	if err := json.Unmarshal(read("c 2026-11-20.json.analysis.json"), &a); err != nil || a.Exercise == nil || len(a.Exercise.Repetitions) != 2 {
		t.Errorf("%v, %v", a.Exercise, err)
	}
	before := resultsIn(t, "out")
	said("--exercise", "squat", "--height", "1.8", "--name", "Mika", "--measure", "kneeFlexion", "--side", "left")
	if after := resultsIn(t, "out"); after["c 2026-11-20.json.analysis.json"] != before["c 2026-11-20.json.analysis.json"] {
		t.Error("an analysis was made again")
	}
	said("--measure", "kneeFlexion", "--side", "left", "--statistic", "min")
	if err := json.Unmarshal(read("course.trend.json"), &trends); err != nil || trends[0].Statistic != "min" || trends[0].Sessions[0].Value.X > 30 {
		t.Errorf("the knee is straightest at %+v (%v)", trends[0].Sessions[0], err)
	}
	for want, args := range map[string][]string{
		"--measure is knees": {"--measure", "knees"}, "--measure is stepWidth": {"--measure", "stepWidth"}, `"mean" for "--statistic"`: {"--statistic", "mean"}, "--side is both": {"--side", "both"}, "has no sides": {"--measure", "trunkLean", "--side", "left"},
		"--exercise is sqat (did you mean squat?)": {"--exercise", "sqat"}, "--exercise: ": {"--exercise", "c 2026-11-20.txt"},
	} {
		if text := said(args...); !strings.Contains(text, want) {
			t.Errorf("%v: %s, want %q", args, text, want)
		}
	}
}
