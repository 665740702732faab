package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestScores: on the true keypoints of the rendered movies, the scores are as docs/numbers.md says.
func TestScores(t *testing.T) {
	all, err := read(testkit.Truths(t), "")
	if err != nil {
		t.Fatal(err)
	}
	table, err := measure(all)
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]struct {
		pairs       int
		least, most float64
	}{
		repetitions: {30, 0.94, 1},
		people:      {15, 0.9, 1},
		unrelated:   {150, 0, 0.45},
	} {
		own := table.of(kind)
		if len(own) < want.pairs {
			t.Errorf("%s: %d pairs", kind, len(own))
		}
		for _, p := range own {
			for _, s := range []float64{p.linear, p.warped} {
				if s < want.least || s > want.most {
					t.Errorf("%s: %s and %s score %.2f, want %v to %v", kind, p.a, p.b, s, want.least, want.most)
				}
			}
		}
	}
	for _, p := range table {
		a, b := p.a.motion, p.b.motion
		if (a == "walking" && b == "running" || b == "walking" && a == "running") && math.Abs(p.a.view-p.b.view) > 90 && (p.linear > 0.2 || p.warped > 0.3) {
			t.Errorf("%s and %s in opposite directions score %.2f, warped %.2f", p.a, p.b, p.linear, p.warped)
		}
		if p.kind == tempo && p.warped < 0.98 {
			t.Errorf("%s at an uneven tempo scores %.2f", p.a, p.warped)
		}
	}
	var out bytes.Buffer
	table.print(&out)
	for _, k := range []string{repetitions, tempo, people, depths, views, relatives, unrelated, otherViews} {
		if !strings.Contains(out.String(), k+" ") {
			t.Errorf("the table lacks %q:\n%s", k, out.String())
		}
	}
}

func TestFlags(t *testing.T) {
	var out, status bytes.Buffer
	if err := run([]string{"-movies", t.TempDir()}, &out, &status); err == nil || !strings.Contains(err.Error(), "no truth") {
		t.Errorf("an empty folder: %v", err)
	}
}
