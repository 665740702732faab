//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

var dir string // what build has written, and the recordings that the tests use

func TestMain(m *testing.M) {
	var err error
	if dir, err = os.MkdirTemp("", "motion-web"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var once = sync.OnceValue(func() error { return build(dir) })

// built returns the folder of the package and the page.
func built(t *testing.T) string {
	t.Helper()
	testkit.Thorough(t, "compiles for WebAssembly")
	if _, err := exec.LookPath("npm"); err != nil {
		testkit.Skip(t, "npm")
	}
	if err := once(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// squats are so many frames of somebody who squats every two seconds, seen from the side.
func squats(t *testing.T, frames int) []byte {
	t.Helper()
	seq := keypoint.Sequence{Size: image.Pt(640, 640)}
	for i := range frames {
		var f keypoint.Frame
		bend := 0.9 * (1 - math.Cos(math.Pi*float64(i)/30)) // of the knee: at most 1.8
		for side := range keypoint.Part(2) {
			at := keypoint.Point{300 + 5*float64(side), 540 + 0.3*math.Sin(float64(7*i))}
			put := func(p keypoint.Part, length, angle float64) {
				at = at.Add(keypoint.Point{length * math.Sin(angle), -length * math.Cos(angle)})
				f.Set(p+side, at, 0.9)
			}
			put(keypoint.LeftAnkle, 0, 0)
			put(keypoint.LeftKnee, 110, 0.4*bend)
			put(keypoint.LeftHip, 110, -0.6*bend)
			put(keypoint.LeftShoulder, 140, 0.35*bend)
			shoulder := at
			put(keypoint.LeftElbow, 75, 2.6-0.6*bend)
			put(keypoint.LeftWrist, 70, 2.4-0.5*bend)
			at = shoulder
			put(keypoint.LeftEar, 50, 0.2*bend)
			put(keypoint.LeftEye, 12, 1)
		}
		nose, _ := f.At(keypoint.LeftEye)
		f.Set(keypoint.Nose, nose.Add(keypoint.Point{8, 8}), 0.9)
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(i)/30)
	}
	text, err := json.Marshal(seq)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// step is a call of the API. Recordings have the numbers of the steps that made them.
type step struct {
	Method  string `json:"method"`
	Of      int    `json:"of"`
	Options any    `json:"options,omitempty"`
	Other   int    `json:"other,omitempty"`
}

// steps use all of the API: 1 and 2 are read and cleaned, 3 and 4 another recording. What is freed twice is gone.
var steps = []step{
	{Method: "read"}, {Method: "clean", Of: 1, Options: true}, {Method: "read"}, {Method: "clean", Of: 3, Options: map[string]any{"smooth": map[string]any{"cutoff": 4}}},
	{Method: "keypoints", Of: 2}, {Method: "judge", Of: 2}, {Method: "judge", Of: 3},
	{Method: "analyse", Of: 2, Options: map[string]any{"overview": true, "gait": true, "jump": true, "rule": []any{
		map[string]any{"analysisType": "kneeFlexion", "side": "left", "repetitions": true},
		map[string]any{"analysisType": "angularVelocity", "points": []string{"leftHip", "leftKnee", "leftAnkle"}}}}},
	{Method: "analyse", Of: 3, Options: map[string]any{"overview": true, "from": 1, "to": 3, "neutral": "auto"}},
	{Method: "compare", Of: 2, Other: 4, Options: map[string]any{"angles": true, "score": true}},
	{Method: "compare", Of: 1, Other: 4, Options: map[string]any{"alignment": "dtw", "score": true}},
	{Method: "report", Of: 2, Options: map[string]any{"title": "Squats", "language": "ja"}},
	{Method: "clean", Of: 1, Options: map[string]any{"smooth": map[string]any{"cutof": 4}}},
	{Method: "analyse", Of: 2, Options: map[string]any{"rule": map[string]any{"analysisType": "kneeFlexion"}}},
	{Method: "analyse", Of: 2, Options: map[string]any{}},
	{Method: "compare", Of: 2, Other: 4, Options: map[string]any{"alignment": "line"}},
	{Method: "analyse", Of: 99, Options: map[string]any{"overview": true}},
	{Method: "free", Of: 1}, {Method: "free", Of: 1}, {Method: "judge", Of: 1},
}

// TestSame: WebAssembly has the same digits as this processor, and the same errors.
func TestSame(t *testing.T) {
	inputs := map[int][]byte{0: squats(t, 200), 2: squats(t, 150)}
	var native []any
	s := session{recordings: map[int]*recording{}}
	for k, one := range steps {
		options, err := json.Marshal(one.Options)
		if err != nil {
			t.Fatal(err)
		}
		if one.Options == nil {
			options = nil
		}
		value, err := s.call(one.Method, inputs[k], one.Of, options, one.Other)
		if err != nil {
			value = map[string]any{"error": err.Error()}
		}
		var plain any
		if err := stored(value, &plain); err != nil {
			t.Fatal(err)
		}
		native = append(native, plain)
	}
	var there []any
	if err := json.Unmarshal(node(t, "testdata/steps.mjs", steps, inputs), &there); err != nil {
		t.Fatal(err)
	}
	for k := range steps {
		if k < len(there) {
			if diff := cmp.Diff(native[k], there[k]); diff != "" {
				t.Errorf("%+v: here −, WebAssembly +: %.3000s", steps[k], diff)
			}
		}
	}
	if len(there) != len(steps) {
		t.Errorf("%d answers, want %d", len(there), len(steps))
	}
}

// TestPlaces: mistakes name their places in what was passed.
func TestPlaces(t *testing.T) {
	s := session{recordings: map[int]*recording{}}
	if _, err := s.call("read", squats(t, 60), 0, nil, 0); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ method, data, options, pointer string }{
		{"read", "frame,nose_x,nose_y\n0,1,2\n1,2,3\n", `{}`, "/rate"},
		{"read", "nothing", `{}`, "/format"},
		{"read", "", `{"format": "bvh"}`, "/format"},
		{"read", "{}", `{"rate": "30"}`, "/rate"},
		{"read", "{}", `{"size": [640, 480, 3]}`, "/size"},
		{"read", `{"keypoint": [{"nose": [1, 2]}]}`, `{"mirrored": true}`, "/size"},
		{"analyse", "", `{"rule": [{"analysisType": "kneeFlexion", "side": "left"}, {"analysisType": "kneeFlexion"}]}`, "/rule/1/side"},
		{"analyse", "", `{"gait": {"mod": "run"}}`, "/gait/mod"},
		{"analyse", "", `{"overview": true, "neutral": {"from": 2, "to": 1}}`, "/neutral/to"},
		{"compare", "", `{"repetitions": {"analysisType": "kneeFlexion"}}`, "/repetitions/side"},
	} {
		_, err := s.call(c.method, []byte(c.data), 1, []byte(c.options), 1)
		var wrong keypoint.FieldErrors
		if !errors.As(err, &wrong) || wrong[0].Pointer != c.pointer || !strings.Contains(err.Error(), c.pointer+": ") {
			t.Errorf("%s %s: %v, want %s", c.method, c.options, err, c.pointer)
		}
	}
}

// node runs a program of JavaScript with the package, the steps and the files that they read, and returns what it writes.
func node(t *testing.T, program string, steps []step, inputs map[int][]byte) []byte {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		testkit.Skip(t, "node")
	}
	out := built(t)
	doc, err := json.Marshal(map[string]any{"steps": steps, "inputs": inputs})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "node", program, filepath.Join(out, "package", "index.js"))
	c.Stdin = bytes.NewReader(doc)
	var said strings.Builder
	c.Stderr = &said
	text, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, said.String())
	}
	return text
}

// TestPage uses the page in Chromium. MOTION_VIEWER_SHOTS names a folder to keep the screenshots in.
func TestPage(t *testing.T) {
	out := built(t)
	testkit.NeedSignals(t)
	browser, err := exec.LookPath("chromium")
	if err != nil {
		testkit.Skip(t, "chromium")
	}
	shots := os.Getenv("MOTION_VIEWER_SHOTS")
	if shots == "" {
		shots = t.TempDir()
	}
	minute, table := filepath.Join(out, "minute.json"), filepath.Join(out, "squats.csv")
	var seq keypoint.Sequence
	if err := json.Unmarshal(squats(t, 150), &seq); err != nil {
		t.Fatal(err)
	}
	seq.Times = nil
	var csv bytes.Buffer
	if err := formats.Write(&csv, "csv", seq); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(minute, squats(t, 60*minuteSquats), 0o666), os.WriteFile(table, csv.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	modules := testkit.NodeModules(t, "playwright-core@1.62.0", "axe-core@4.14.1")
	said, err := exec.CommandContext(t.Context(), "node", "testdata/tab.mjs", modules, browser, shots, filepath.Join(out, "motion.html"), minute, table, strconv.Itoa(minuteSquats)).CombinedOutput()
	t.Logf("%s", said)
	if err != nil {
		t.Error(err)
	}
}

// TestPackage: npm packs all files and nothing else, the types hold for a program that uses all of the API, and a page that has
// keypoints, or finds them in movies, asks its visitors for no more than it may.
func TestPackage(t *testing.T) {
	at := filepath.Join(built(t), "package")
	compiler := filepath.Join(testkit.NodeModules(t, "typescript@7.0.2"), "node_modules", ".bin", "tsc")
	c := exec.CommandContext(t.Context(), "npm", "pack", "--json", "--dry-run")
	c.Dir = at
	text, err := c.Output()
	var list []struct {
		Files []struct{ Path string }
	}
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil || len(list) != 1 {
		t.Fatalf("npm pack: %v\n%s", err, text)
	}
	var names []string
	analysis, extracting := 0, 0
	for _, f := range list[0].Files {
		content, err := os.ReadFile(filepath.Join(at, f.Path))
		if err != nil {
			t.Fatal(err)
		}
		if content, err = packed(content); err != nil {
			t.Fatal(err)
		}
		switch {
		case !strings.HasPrefix(f.Path, "extract/"):
			names = append(names, f.Path)
			analysis += len(content)
		case f.Path != "extract/thunder.onnx": // which the setting balanced asks for
			extracting += len(content)
		}
	}
	want := []string{"LICENSES", "README.md", "extract.d.ts", "extract.js", "index.d.ts", "index.js", "motion.wasm.gz", "package.json", "wasm_exec.js"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("files: %s", diff)
	}
	t.Logf("%d bytes, and %d of extract", analysis, extracting)
	if analysis > mostBytes || extracting > mostExtracting {
		t.Errorf("the package has %d bytes, and %d of extract; want at most %d and %d", analysis, extracting, mostBytes, mostExtracting)
	}
	licences, err := os.ReadFile(filepath.Join(at, "LICENSES"))
	for _, name := range []string{"github.com/bodymotion/motion:", "gonum.org/v1/gonum", "Go:"} {
		if err != nil || !strings.Contains(string(licences), "== "+name) {
			t.Errorf("%s has no licence (%v)", name, err)
		}
	}
	// Bundlers for browsers follow such an import, and find nothing.
	if text, err := os.ReadFile(filepath.Join(at, "index.js")); err != nil || bytes.Contains(text, []byte("import('node:")) {
		t.Errorf("index.js imports a module of Node.js by its name (%v)", err)
	}
	use, err := os.ReadFile("testdata/use.ts")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "use.ts")
	text = bytes.ReplaceAll(slices.Concat(use, answers(t)), []byte("@bodymotion/motion/extract"), []byte(filepath.Join(at, "extract.js")))
	text = bytes.ReplaceAll(text, []byte("@bodymotion/motion"), []byte(filepath.Join(at, "index.js")))
	if err := os.WriteFile(program, text, 0o666); err != nil {
		t.Fatal(err)
	}
	check := []string{"--noEmit", "--strict", "--target", "esnext", "--module", "esnext", "--moduleResolution", "bundler", "--types", "", program}
	if out, err := exec.CommandContext(t.Context(), compiler, check...).CombinedOutput(); err != nil {
		t.Errorf("tsc: %v\n%s", err, out)
	}
}

// answers are answers of the API as constants of their types, which lack nothing and have nothing more.
func answers(t *testing.T) []byte {
	t.Helper()
	s := session{recordings: map[int]*recording{}}
	var program bytes.Buffer
	for k, one := range append([]step{{Method: "read"}}, steps[4:11]...) {
		options, err := json.Marshal(one.Options)
		if err != nil {
			t.Fatal(err)
		}
		value, err := s.call(one.Method, squats(t, 60), min(one.Of, 1), options, min(one.Other, 1))
		if err == nil {
			options, err = json.Marshal(value)
		}
		if err != nil {
			t.Fatal(err)
		}
		if name := map[string]string{"keypoints": "ReturnType<Recording['toJSON']>", "judge": "Quality", "analyse": "Analysis", "compare": "Comparison"}[one.Method]; name != "" {
			fmt.Fprintf(&program, "\nexport const answer%d: %s = %s;", k, name, options)
		}
	}
	return append(program.Bytes(), "\nimport type { Analysis, Comparison, Quality, Recording } from '@bodymotion/motion';\n"...)
}

// mostBytes is the largest size of the packed package without extract, mostExtracting that of extract with the setting fast.
const (
	mostBytes      = 2_000_000
	mostExtracting = 26_000_000
)
