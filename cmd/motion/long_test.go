package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint/quality"
)

// TestLong: a line for each value of a file, of each repetition, stride and jump, with what it is worth.
func TestLong(t *testing.T) {
	knee := study.Measure{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Name: "left knee flexion", Unit: "°", Constant: 4, Trust: quality.TrustCare}
	knee.Peak = &study.Peak{Moment: analyze.Moment{Value: 101}, Uncertainty: 13}
	one := analyze.Repetition{Start: analyze.Moment{Time: 0.5}, Out: 0.6, Hold: 0.1, Back: 0.4}
	one.At = []analyze.Reading{{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Reading: quality.Reading{Value: 99.5, Uncertainty: 12, Trust: quality.TrustCare}}}
	squat := analysis{Overview: &study.Study{
		Lead: &study.Lead{}, Ways: []string{"down", "up"}, Measures: []study.Measure{knee}, Repetitions: &analyze.Repetitions{List: []analyze.Repetition{one}},
	}}
	walk := analysis{Overview: &study.Study{Gait: &gait.Gait{
		Unit: "m", Cadence: present(112), CadenceUncertainty: present(5), Cycles: []gait.Cycle{{Side: analyze.RightSide, Start: 1, ToeOff: 1.5, End: 2}},
		StepTime: analyze.TwoSided{Left: analyze.Spread{Mean: 0.5, Count: 2, Uncertainty: 0.02}},
	}}}
	leap := analysis{Overview: &study.Study{Jumps: []jump.Jump{{TakeOff: jump.Contact{Time: 1}, FlightTime: 0.5, Height: 0.3, FlightTimeUncertainty: 0.02, HeightUncertainty: 0.025}}}}
	var b bytes.Buffer
	err := writeLong(&b, []row{{File: "=squat", Values: squat.numbers()}, {File: "walk", Values: walk.numbers()}, {File: "leap", Values: leap.numbers()}})
	want := `file,what,side,of,value,unit,uncertainty,constant,trust
'=squat,repetitions,,,1,,,,
'=squat,knee flexion peak,left,,101,°,13,4,care
'=squat,start,,repetition 1,0.5,s,,,
'=squat,time down,,repetition 1,0.6,s,,,
'=squat,time up,,repetition 1,0.4,s,,,
'=squat,time held,,repetition 1,0.1,s,,,
'=squat,knee flexion,left,repetition 1,99.5,°,12,4,care
walk,strides,,,0,,,,
walk,cadence,,,112,1/min,5,,
walk,speed,,,,m/s,,,
walk,step time,left,,0.5,s,0.02,,
walk,start,right,stride 1,1,s,,,
walk,stride time,right,stride 1,1,s,,,
walk,stance time,right,stride 1,0.5,s,,,
leap,jumps,,,1,,,,
leap,greatest height of a jump,,,0.3,m,0.025,,
leap,start,,jump 1,1,s,,,
leap,flight time,,jump 1,0.5,s,0.02,,
leap,height,,jump 1,0.3,m,0.025,,
leap,rise of the hips,,jump 1,,m,,,
`
	if err != nil || b.String() != want {
		t.Errorf("%v\n%s", err, &b)
	}
	b.Reset()
	if err := writeCSV(&b, []row{{File: "squat", Values: squat.numbers()}}); err != nil || strings.Contains(b.String(), "time down") {
		t.Errorf("the table of files has repetitions: %v\n%s", err, &b)
	}
}

// TestStatistics: the lines of pandas and of R in the README read the long table, and find the mean that Go finds.
func TestStatistics(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := work(t)
	if stdout, stderr, status := call(t, dir, "analyze", "--setting", "fast", filepath.Join(testkit.Root(t), "httpapi", "viewer", "squats.mp4")); status != 0 {
		t.Fatalf("%s%s", stdout, stderr)
	}
	written := filepath.Join(dir, "motion-out", "analyze.long.csv")
	text, err := os.ReadFile(written)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(written, filepath.Join(dir, "motion-out", "motion.long.csv")); err != nil { // as it is called without a command
		t.Fatal(err)
	}
	table, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var sum, n float64
	for _, line := range table {
		if line[1] == "knee flexion" && line[2] == "left" && strings.HasPrefix(line[3], "repetition") && line[8] != "withheld" {
			v, err := strconv.ParseFloat(line[4], 64)
			if err != nil {
				t.Fatal(err)
			}
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		t.Fatalf("no repetition has a knee:\n%s", text)
	}
	for language, program := range map[string]func() (*exec.Cmd, error){"python": pandas, "r": rscript} {
		t.Run(language, func(t *testing.T) {
			command, err := program()
			if err != nil {
				testkit.Skip(t, err.Error())
			}
			script := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindSubmatch(readme)
			if script == nil {
				t.Fatalf("the README has no %s", language)
			}
			command.Dir, command.Stdin = dir, bytes.NewReader(script[1])
			out, err := command.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			found := regexp.MustCompile(`(?m)knee flexion +left +(\d+\.\d+)`).FindSubmatch(out)
			if found == nil {
				t.Fatalf("no mean of the left knee in\n%s", out)
			}
			if mean, err := strconv.ParseFloat(string(found[1]), 64); err != nil || mean < sum/n-0.01 || mean > sum/n+0.01 {
				t.Errorf("the mean is %v, want %.3f:\n%s", mean, sum/n, out)
			}
		})
	}
}

// pandas returns a Python that has pandas, and reads its program from standard input.
func pandas() (*exec.Cmd, error) {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import pandas").Run() == nil {
			return exec.Command(python, "-"), nil
		}
	}
	return nil, errors.New("pandas")
}

// rscript returns R, which reads its program from standard input.
func rscript() (*exec.Cmd, error) {
	program, err := exec.LookPath("Rscript")
	if err != nil {
		return nil, errors.New("Rscript")
	}
	return exec.Command(program, "-"), nil
}
