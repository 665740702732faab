package viewer_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
)

// series is what the page counts repetitions in, and how.
type series struct {
	Times      []float64  `json:"times"`
	Values     []*float64 `json:"values"`
	Upwards    bool       `json:"upwards"`
	Prominence float64    `json:"prominence"`
	Changes    []int      `json:"personChanges"`
}

// TestCycles: the page finds the repetitions that the library finds.
func TestCycles(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		testkit.Skip(t, "node")
	}
	r := rand.New(rand.NewPCG(1, 2))
	var all []series
	for i := range 200 {
		s := series{Upwards: i%2 == 1, Prominence: float64(i%3) * 4}
		period, noise := 0.2+3*r.Float64(), 6*r.Float64()
		for f := range r.IntN(200) {
			at := float64(f) / 30
			v := 90 + 30*math.Sin(2*math.Pi*at/period) + noise*r.NormFloat64()
			s.Times, s.Values = append(s.Times, at), append(s.Values, &v)
			if r.IntN(8) == 0 {
				s.Values[f] = nil
			}
		}
		if s.Changes = []int{}; i%4 == 0 && len(s.Times) > 3 {
			s.Changes = []int{len(s.Times) / 3, len(s.Times) / 2}
		}
		if len(s.Times) > 0 {
			all = append(all, s)
		}
	}
	input, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("page/cycles.js")
	if err != nil {
		t.Fatal(err)
	}
	program := append(code, []byte(`
import { readFileSync } from 'node:fs';
const all = JSON.parse(readFileSync(0));
console.log(JSON.stringify(all.map((s) => cycles(s.times, s.values, s).map((c) => [c.start, c.turn, c.end]))));
`)...)
	file := filepath.Join(t.TempDir(), "cycles.mjs")
	if err := os.WriteFile(file, program, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, file)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got [][][3]int
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(all) {
		t.Fatalf("%d answers (%v)", len(got), err)
	}
	found := 0
	for i, s := range all {
		values := make([]analyze.Value, len(s.Values))
		for f, v := range s.Values {
			if v != nil {
				values[f] = analyze.Value{X: *v, Present: true}
			}
		}
		cycles, err := analyze.Cycles(s.Times, values, analyze.CycleOptions{Upwards: s.Upwards, PersonChanges: s.Changes, Prominence: s.Prominence})
		if err != nil {
			t.Fatal(err)
		}
		want := [][3]int{}
		for _, c := range cycles {
			want = append(want, [3]int{c.Start, c.Turn, c.End})
		}
		found += len(want)
		if d := cmp.Diff(want, got[i]); d != "" {
			t.Errorf("series %d: %s", i, d)
		}
	}
	if found < 100 {
		t.Errorf("only %d repetitions in all series", found)
	}
}
