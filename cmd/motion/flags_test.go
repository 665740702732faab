package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// TestWrong: one line says which argument is wrong, and nothing is written.
func TestWrong(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, content := range map[string]string{"a/x.mp4": "", "b/x.mp4": "", "text/x.txt": "", "rules.json": `{"analysisType": "none"}`} {
		put(t, dir, name, []byte(content))
	}
	first := newRoot(io.Discard, io.Discard) // which says what it downloads, the first time on a machine
	first.SetArgs([]string{"live", "file:///etc/passwd"})
	if err := first.ExecuteContext(t.Context()); err == nil {
		t.Error("file: is a source")
	}
	for line, want := range map[string]string{
		"":                                        "", // the help
		"look":                                    "there is no command and no file look",
		"serv":                                    "did you mean serve?",
		"none.mp4 --rate -1":                      "--rate is -1",
		"extract":                                 "motion extract needs a file, a folder or a pattern",
		"extract --fast a":                        "--fast",
		"extract --jobs -1 a":                     "--jobs is -1",
		"extract --setting best a":                `"best" for "--setting" flag: want fast, balanced, accurate`,
		"extract --rate -1 a":                     "--rate is -1",
		"extract --rate NaN a":                    "--rate is NaN",
		"extract --person nearest a":              `"nearest" for "--person" flag: want `,
		"extract --height 17 a":                   "--height is 17, want 0.3 to 3 metres",
		"extract --camera-height knee a":          `"knee" for "--camera-height" flag: want floor, hip, head, above`,
		"extract --ffmpeg mine a":                 `"mine" for "--ffmpeg" flag: want `,
		"extract --format csv,xls a":              "--format is xls, want csv,",
		"extract none*.mp4":                       "no file matches none*.mp4",
		"extract --together a/x.mp4":              "--together is for two to four movies",
		"extract text":                            "text has no pictures or movies",
		"extract a/x.mp4 b/x.mp4":                 "would have the same name",
		"analyze --angle knee a":                  "--angle is knee",
		"analyze --angle kneeflexion a":           "--angle is kneeflexion (did you mean kneeFlexion?), want ",
		"analyze --rules none.json a":             "--rules: ",
		"analyze --rules rules.json a":            "--rules: ",
		"analyze --rules x --angle kneeFlexion a": "[angle rules]",
		"draw --values knee a":                    "--values is knee",
		"draw --rules rules.json a":               "--rules: ",
		"report --format doc a":                   "--format is doc, want pdf",
		"report --language fr a":                  `"fr" for "--language" flag: want en, ja`,
		"compare a/x.mp4":                         "needs a file, and others to compare with it",
		"compare --alignment best a/x.mp4 b":      `"best" for "--alignment" flag: want `,
		"compare a/x.mp4 a/x.mp4":                 "one file as the source",
		"live":                                    "motion live needs a camera, a URL, a file",
		"live a b":                                "at most 1 arg",
		"live a":                                  "a is no movie",
		"live none.mp4":                           "none.mp4",
		"live --angle knee a/x.mp4":               "--angle is knee",
		"live --setting best a/x.mp4":             `"best" for "--setting" flag: want `,
		"live --reconnect -1s a/x.mp4":            "--reconnect is -1s",
		"live --format csv a/x.mp4":               "--format, --height and --camera-height are for",
		"live --height 1.7 a/x.mp4":               "--format, --height and --camera-height are for",
		"live --save x --format xls a/x.mp4":      "--format is xls, want csv, jsonl, trc,",
		"live --save b/ a/x.mp4":                  "--save is b/",
		"live --save rules.json/x a/x.mp4":        "--save: ",
		"live --input-options -re a/x.mp4":        "--input-options are for",
		"live --ffmpeg wasm rtsp://127.0.0.1":     "--ffmpeg is wasm, want installed",
		"live file:///etc/passwd":                 "\"file\" is neither a URL",
		"live concat:a|b":                         "concat:a|b",
		"serve more":                              "unknown command",
		"serve --keep all":                        "invalid argument \"all\" for \"--keep\"",
		"serve --setting best":                    `"best" for "--setting" flag: want `,
		"serve --ffmpeg mine":                     `"mine" for "--ffmpeg" flag: want `,
		"extract --out rules.json a":              "--out: ",
	} {
		var stdout, stderr bytes.Buffer
		root := newRoot(&stdout, &stderr)
		root.SetArgs(strings.Fields(line))
		err := root.ExecuteContext(t.Context())
		switch {
		case want == "" && (err != nil || !strings.Contains(stdout.String(), "Available Commands")):
			t.Errorf("%v\n%s", err, &stdout)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || stderr.Len() > 0):
			t.Errorf("%s: %v\n%s, want %s", line, err, &stderr, want)
		}
	}
	if _, err := os.Stat("motion-out"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the results: %v", err)
	}
}

// TestNoFFmpeg: what no file is to blame for is said once.
func TestNoFFmpeg(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PATH", "")
	for _, name := range []string{"a/1.jpg", "a/2.jpg", "a/3.jpg"} {
		put(t, ".", name, sample.JPEG())
	}
	for _, line := range []string{"extract --ffmpeg installed a", "compare --ffmpeg installed a/1.jpg a"} {
		var stdout, stderr bytes.Buffer
		root := newRoot(&stdout, &stderr)
		root.SetArgs(strings.Fields(line))
		err := root.ExecuteContext(t.Context())
		if err == nil || !strings.Contains(err.Error(), "install FFmpeg 5.1 or newer and have it in PATH, or omit the flag") || stdout.Len()+stderr.Len() > 0 {
			t.Errorf("%s: %v\n%s%s", line, err, &stdout, &stderr)
		}
	}
}

// TestExpand: folders, patterns and files, each file once.
func TestExpand(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{
		"a.mp4", "d/1/x.MOV", "d/2/x.jpg", "d/2/x.jpg.keypoints.json", "d/2/x.jpg.drawing.jpg", "d/2/x-y.comparison.mp4", "d/.hidden.mp4", "d/.motion/work/x.mp4", "d/notes.txt",
	} {
		put(t, dir, name, nil)
	}
	for args, want := range map[string]string{
		"a.mp4":           "a.mp4=a.mp4",
		"missing.mp4":     "missing.mp4=missing.mp4",
		"d":               "d/1/x.MOV=1/x.MOV d/2/x.jpg=2/x.jpg",
		"d a.mp4 ./a.mp4": "d/1/x.MOV=1/x.MOV d/2/x.jpg=2/x.jpg a.mp4=a.mp4",
		"d/*/x.*":         "d/1/x.MOV=1/x.MOV d/2/x.jpg=2/x.jpg d/2/x.jpg.keypoints.json=2/x.jpg.keypoints.json d/2/x.jpg.drawing.jpg=2/x.jpg.drawing.jpg",
		"d/*":             "d/1/x.MOV=1/x.MOV d/2/x.jpg=2/x.jpg d/notes.txt=notes.txt",
		"d/notes.txt":     "d/notes.txt=notes.txt",
	} {
		list, err := expand(strings.Fields(args))
		var got, wanted = map[string]string{}, map[string]string{}
		for _, in := range list {
			got[filepath.ToSlash(in.path)] = filepath.ToSlash(in.name)
		}
		for _, pair := range strings.Fields(want) {
			path, name, _ := strings.Cut(pair, "=")
			wanted[path] = name
		}
		if err != nil || len(list) != len(wanted) || !reflect.DeepEqual(got, wanted) {
			t.Errorf("%s: %v (%v), want %v", args, list, err, want)
		}
	}
}

// TestLocked: only one process at a time may write into a folder.
func TestLocked(t *testing.T) {
	testkit.NeedFileLocks(t)
	dir := t.TempDir()
	s, err := openStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openStore(dir); err == nil || !strings.Contains(err.Error(), "belongs to another process") {
		t.Errorf("a second one: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestBars: a terminal shows a bar for all files and for each that is worked on, and errors as lines.
func TestBars(t *testing.T) {
	var w bytes.Buffer
	d := newDisplay(&w, true, 2)
	progress, end := d.begin("squats.mp4")
	progress(30, 120)
	time.Sleep(300 * time.Millisecond) // a bar is drawn at most every 0.15 s
	d.fail("text.mp4", oneLine("text.mp4", errors.New("text.mp4: no\nmovie")))
	end()
	_, end = d.begin("text.mp4")
	end()
	d.close()
	for _, want := range []string{"squats.mp4", "30 of 120 frames", "all", "0 of 2 files", "2 of 2 files", "motion: text.mp4: no movie\n"} {
		if !strings.Contains(w.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &w)
		}
	}
}

// TestCompletion: there is a script for each shell, and flags with a list of values offer them.
func TestCompletion(t *testing.T) {
	complete := func(args ...string) string {
		var stdout, stderr bytes.Buffer
		root := newRoot(&stdout, &stderr)
		root.SetArgs(args)
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		return stdout.String()
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if s := complete("completion", shell); !strings.Contains(s, "motion") {
			t.Errorf("%s: %.100s", shell, s)
		}
	}
	for line, want := range map[string]string{
		"ana": "analyze\t", "extract --setting fa": "fast\n", "analyze --angle knee": "kneeFlexion\n", "report --language j": "ja\n",
		"compare --alignment d": "dtw\n", "extract --format t": "trc\n", "draw --values h": "hipFlexion\n", "serve --ffmpeg w": "wasm\n",
	} {
		if s := complete(append([]string{"__complete"}, strings.Fields(line)...)...); !strings.Contains(s, want) {
			t.Errorf("%s: %q, want %q", line, s, want)
		}
	}
}

// TestHelp runs the examples of --help, and checks what they write.
func TestHelp(t *testing.T) {
	testkit.Thorough(t, "starts the tool 16 times")
	dir := work(t)
	clips(t, dir, 1, 2)
	put(t, dir, "rules.json", []byte(`{"analysisType": "vectorAngle", "points": ["leftHip", "leftKnee", "leftAnkle"]}`))
	put(t, dir, "style.json", []byte(`[{"drawingType": "stickPicture", "color": "blue"}]`))
	root := newRoot(nil, nil)
	for _, c := range append(root.Commands(), root) {
		if slices.Contains([]string{"serve", "live", "validate", "verify", "version", "doctor"}, c.Name()) { // package server and tests of their own
			continue
		}
		lines := strings.Split(c.Example, "\n")
		if len(lines) < 2 {
			t.Errorf("%s has %d examples", c.Name(), len(lines))
		}
		for _, line := range lines {
			words := strings.Fields(strings.ReplaceAll(line, "'", ""))
			if words[0] != "motion" {
				t.Errorf("%q", line)
			}
			if stdout, stderr, status := call(t, dir, words[1:]...); status != 0 || stderr != "" || !strings.HasPrefix(stdout, "FILE ") && !strings.HasPrefix(stdout, "open ") {
				t.Errorf("%s: status %d\n%s%s", line, status, stdout, stderr)
			}
		}
	}
	made := resultsIn(t, filepath.Join(dir, "motion-out"))
	for _, name := range []string{
		"squat-0.mp4.keypoints.json", "squat-0.mp4.keypoints.csv", "squat-0.mp4.keypoints.trc", "1/body.jpg.keypoints.json",
		"squats.mp4.analysis.csv", "squats.mp4.analysis.mot", "squats.mp4.drawing.mp4", "1/body.jpg.drawing.jpg",
		"squats.mp4-squat-0.mp4.comparison.json", "squats.mp4-squat-0.mp4.comparison.csv", "squats.mp4-squat-0.mp4.comparison.mp4",
		"1/squats.mp4-body.jpg.comparison.json", "squats.mp4.report.html",
	} {
		if len(made[name].content) < 100 {
			t.Errorf("%s has %d bytes", name, len(made[name].content))
		}
	}
	var a struct {
		Results []struct{ AnalysisType string }
	}
	if err := json.Unmarshal([]byte(made["squat-0.mp4.analysis.json"].content), &a); err != nil || len(a.Results) != 1 || a.Results[0].AnalysisType != "vectorAngle" {
		t.Errorf("%+v (%v), want the rule of rules.json", a, err)
	}
	if trc := made["squat-0.mp4.keypoints.trc"].content; !strings.Contains(trc, "px") && !strings.Contains(trc, "RShoulder") {
		t.Errorf("%.300s", trc)
	}
	if _, is := made["1/body.jpg.keypoints.trc"]; is {
		t.Error("a picture has a TRC file")
	}
}
