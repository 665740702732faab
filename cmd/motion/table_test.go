package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint/quality"
)

// TestWhole: a file without a command becomes keypoints, analysis, report and drawing, which the commands keep, and tables of
// all files tell of those that failed, too.
func TestWhole(t *testing.T) {
	dir := work(t)
	put(t, dir, "text.mp4", []byte("no movie"))
	stdout, stderr, status := call(t, dir, "--setting", "fast", "--json", "squats.mp4", "text.mp4")
	if status != 1 || strings.Count(stderr, "\n") != 1 {
		t.Fatalf("status %d\n%s", status, stderr)
	}
	var rows []row
	for line := range strings.Lines(stdout) {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		rows = append(rows, r)
	}
	want := "squats.mp4.keypoints.json squats.mp4.analysis.json squats.mp4.drawing.mp4 squats.mp4.report.html"
	if len(rows) != 2 || strings.Join(rows[0].Files, " ") != want || rows[0].Status != "done" || rows[0].Kept || rows[0].Frames != 6 || rows[0].Quality == "" || rows[0].Result == "" {
		t.Fatalf("%+v", rows)
	}
	page := filepath.Join(dir, "motion-out", "squats.mp4.report.html")
	together, err := os.ReadFile(page)
	if err == nil {
		err = os.Remove(page)
	}
	if _, stderr, status := call(t, dir, "report", "--setting", "fast", "squats.mp4"); err != nil || status != 0 {
		t.Fatalf("%v, status %d\n%s", err, status, stderr)
	}
	if alone, err := os.ReadFile(page); err != nil || string(alone) != string(together) {
		t.Errorf("the report that is made while the movie is drawn has %d bytes, alone %d: %v", len(together), len(alone), err)
	}
	var shown struct {
		Overview struct{ Summary study.Summary }
	}
	if text, err := os.ReadFile(filepath.Join(dir, "motion-out", "squats.mp4.analysis.json")); err != nil || json.Unmarshal(text, &shown) != nil || rows[0].Result != shown.Overview.Summary.Title.String() {
		t.Errorf("the table says %q, the analysis %q (%v)", rows[0].Result, shown.Overview.Summary.Title, err)
	}
	if rows[1].Status != "failed" || rows[1].Error == "" || !strings.Contains(stderr, rows[1].Error) {
		t.Errorf("%+v\n%s", rows[1], stderr)
	}
	for _, name := range rows[0].Files {
		if info, err := os.Stat(filepath.Join(dir, "motion-out", name)); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, command := range []string{"analyze", "report", "draw"} {
		if stdout, stderr, status := call(t, dir, command, "squats.mp4"); status != 0 || !strings.Contains(stdout, "(kept)") {
			t.Errorf("%s: %d %s%s", command, status, stdout, stderr)
		}
	}
	var listed []row
	text, err := os.ReadFile(filepath.Join(dir, "motion-out", "motion.json"))
	if err == nil {
		err = json.Unmarshal(text, &listed)
	}
	if err != nil || len(listed) != 2 || listed[0].Status != "done" || len(listed[0].Values) != len(rows[0].Values) {
		t.Errorf("%v, %+v", err, listed)
	}
	text, err = os.ReadFile(filepath.Join(dir, "motion-out", "motion.csv"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(table) != 3 || table[2][5] != "failed" || table[2][6] != rows[1].Error {
		t.Errorf("%v, %v", err, table)
	}
}

// TestDamaged: the line of a movie of which half is missing says so, and that of nobody says that nobody was found.
func TestDamaged(t *testing.T) {
	dir := work(t)
	movie, err := os.ReadFile("../../httpapi/viewer/squats.mp4") // with its index at the start
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "half.mp4", movie[:len(movie)/2])
	stdout, stderr, status := call(t, dir, "analyze", "--setting", "fast", "half.mp4")
	if status != 0 || !strings.Contains(stdout, "The movie is damaged or incomplete: ") || !strings.Contains(stdout, " frames can be decoded. ") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	var white bytes.Buffer
	if err := png.Encode(&white, image.NewGray(image.Rect(0, 0, 64, 64))); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "nobody.png", white.Bytes())
	_, stderr, status = call(t, dir, "report", "nobody.png")
	if want := "motion: nobody.png: nobody was found, so there is nothing to report\n"; status != 1 || stderr != want {
		t.Errorf("status %d, %q, want %q", status, stderr, want)
	}
	_, stderr, status = call(t, dir, "report", "none.mp4")
	if want := "motion: none.mp4: no such file or directory\n"; status != 1 || stderr != want && os.PathSeparator == '/' {
		t.Errorf("status %d, %q, want %q", status, stderr, want)
	}
}

// TestTable: a column for each value that any file has, with what it is worth where that is known.
func TestTable(t *testing.T) {
	sure := value{Name: "knee", Unit: "°", Value: present(98.23456), Uncertainty: present(5), Constant: 2.5, Trust: quality.TrustGood}
	var b bytes.Buffer
	err := writeCSV(&b, []row{
		{File: "a", Frames: 3, Seconds: 0.1, Found: 0.5, Quality: "good", Status: "done", Values: []value{number("repetitions", "", 3), sure}},
		{File: "b,c", Status: "failed", Error: "no movie"},
		{File: "d", Status: "done", Values: []value{{Name: "knee", Unit: "°", Trust: quality.TrustWithheld}, number("speed", "m/s", 1.5)}},
	})
	want := `file,frames,seconds,found,quality,status,error,result,repetitions,knee (°),knee (°) uncertainty,knee (°) constant,knee (°) trust,speed (m/s)
a,3,0.100,0.5000,good,done,,,3,98.2346,5,2.5,good,
"b,c",0,0.000,0.0000,,failed,no movie,,,,,,,
d,0,0.000,0.0000,,done,,,,,,,withheld,1.5
`
	if err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, &b)
	}
	b.Reset()
	if err := writeCSV(&b, nil); err != nil || strings.Count(b.String(), "\n") != 1 {
		t.Errorf("nothing: %v\n%s", err, &b)
	}
	if err := printRows(broken{}, []row{{}}); err == nil {
		t.Error("an error of writing is lost")
	}
}

// TestHarmlessTable: names of files and rules, and errors, neither run as formulas in a spreadsheet nor control a terminal.
func TestHarmlessTable(t *testing.T) {
	var b bytes.Buffer
	err := writeCSV(&b, []row{
		{File: "=cmd|' /C calc'!A0.mp4", Status: "failed", Error: "@SUM(1)", Result: "-2+3", Values: []value{number("+knee", "", -1)}},
		{File: "\x1b]0;title\a\u202e.mp4", Status: "failed", Error: "\t=1", Result: "－1"},
		{File: "2026-11-27 a=b.mp4"},
	})
	want := `file,frames,seconds,found,quality,status,error,result,'+knee
'=cmd|' /C calc'!A0.mp4,0,0.000,0.0000,,failed,'@SUM(1),'-2+3,-1
\x1b]0;title\a\u202e.mp4,0,0.000,0.0000,,failed,\t=1,'－1,
2026-11-27 a=b.mp4,0,0.000,0.0000,,,,,
`
	if err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, &b)
	}
}

// broken is a pipe whose reader is gone.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

// TestNumbers: an analysis by rules has statistics and repetitions of both sides for tables.
func TestNumbers(t *testing.T) {
	other := analyze.Result{Type: analyze.KneeFlexion, Name: "right knee flexion", Unit: "°", Repetitions: &analyze.Repetitions{Complete: 2}}
	a := analysis{Results: []analyze.Result{{
		Type: analyze.KneeFlexion, Name: "left knee flexion", Unit: "°", Symmetry: &analyze.Symmetry{OtherSide: other},
		Statistics: map[analyze.Statistic]analyze.Value{analyze.Max: {X: 90, Present: true}, analyze.Mean: {}},
	}}}
	var got []string
	for _, v := range a.numbers() {
		got = append(got, fmt.Sprintf("%s=%s", v.header(), cell(v.Value)))
	}
	if want := "left knee flexion max (°)=90 left knee flexion mean (°)= repetitions of right knee flexion=2"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	a = analysis{Overview: &study.Study{Movement: "lunge", Repetitions: &analyze.Repetitions{List: make([]analyze.Repetition, 2), Complete: 1}}}
	if list := a.numbers(); len(list) != 1 || list[0].Value.X != 2 {
		t.Errorf("%v tells of other repetitions", list)
	}
}
