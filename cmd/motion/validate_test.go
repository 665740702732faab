package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/agree"
	"github.com/bodymotion/motion/internal/testkit"
)

// TestValidate: recordings of rendered people beside their truth, in two of the formats.
func TestValidate(t *testing.T) {
	folder := t.TempDir()
	for person, movie := range map[string]string{"anna": "squat_60", "ben": "squat_90_slow", "cleo": "lunge_90"} {
		m := testkit.Rendered(t, movie)
		text, err := json.Marshal(m.Seq)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(folder, person), 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, folder, filepath.Join(person, "trial.json"), text)
		var truth strings.Builder
		kind := ".truth.csv"
		if person == "ben" {
			kind = ".truth.mot"
			fmt.Fprintln(&truth, "Coordinates\nversion=1\ninDegrees=yes\nendheader\ntime\tknee_angle_r\tknee_angle_l\tpelvis_tx")
		} else {
			fmt.Fprintln(&truth, "time [s],right knee flexion [deg],left knee flexion [deg],comment")
		}
		for i, at := range m.Seq.Times {
			fmt.Fprintf(&truth, map[bool]string{true: "%v\t%v\t%v\t0\n", false: "%v,%v,%v,\"well, here\"\n"}[person == "ben"], at, m.Angles["right_knee"][i], m.Angles["left_knee"][i])
		}
		put(t, folder, filepath.Join(person, "trial"+kind), []byte(truth.String()))
	}
	t.Chdir(folder)
	said := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		root := newRoot(&stdout, &stderr)
		root.SetArgs(append([]string{"validate", "--out", "out"}, args...))
		if err := root.ExecuteContext(t.Context()); err != nil {
			return err.Error() + stderr.String()
		}
		return stdout.String()
	}
	text := said("*/*.json")
	if !strings.Contains(text, "left knee flexion: ") || !strings.Contains(text, "of 3 people") {
		t.Fatal(text)
	}
	var lines []struct {
		Name, Of string
		agree.Agreement
	}
	b, err := os.ReadFile("out/validate.agreement.json")
	if err == nil {
		err = json.Unmarshal(b, &lines)
	}
	if err != nil || len(lines) != 4 {
		t.Fatalf("%v %s", err, b)
	}
	for _, l := range lines[:2] { // the places of these people are the true ones: what is left is the view
		if l.Name != "left knee flexion" || l.People != 3 || math.Abs(l.Bias) > 5 || l.ICC == nil || *l.ICC < 0.9 || l.BiasInterval == nil || *l.Within2 < 0.95 {
			t.Errorf("%s", b)
		}
	}
	if b, err = os.ReadFile("out/validate.agreement.csv"); err != nil {
		t.Fatal(err)
	}
	if table, err := csv.NewReader(bytes.NewReader(b)).ReadAll(); err != nil || len(table) != 5 || table[1][0] != "left knee flexion" {
		t.Errorf("%v %s", err, b)
	}
	if b, err = os.ReadFile("out/validate.agreement.svg"); err != nil || bytes.Count(b, []byte("<circle")) < 50 {
		t.Errorf("%v, %d bytes", err, len(b))
	}

	put(t, folder, "lone.json", []byte(must(os.ReadFile("anna/trial.json"))))
	for want, content := range map[string]string{
		"want one of lone.truth.csv, lone.truth.mot, lone.truth.trc": "",
		"no column is an angle":                        "time,toe\n0,1\n",
		"it has no column time":                        "right knee flexion\n1\n2\n",
		`line 2 of the table, right knee flexion: "x"`: "time,right knee flexion\n0,1\n1,x\n",
		"want times that increase":                     "time,right knee flexion\n1,1\n0,1\n",
		"nothing that the truth has was measured":      "time,right knee flexion\n1000,1\n1001,1\n",
	} {
		os.Remove("lone.truth.csv")
		if content != "" {
			put(t, folder, "lone.truth.csv", []byte(content))
		}
		if text := said("lone.json"); !strings.Contains(text, want) {
			t.Errorf("%s, want %q", text, want)
		}
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
