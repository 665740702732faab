package accuracy_test

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// limits are of the scores of a kind of pairs on the true keypoints, and those of pose.Balanced.
var limits = map[string]struct {
	pairs                 int
	least, most           float64
	leastFound, mostFound float64
}{
	repetitions: {30, 0.94, 1, 0.89, 1},
	people:      {15, 0.9, 1, 0.88, 1},
	unrelated:   {150, 0, 0.45, 0, 0.5},
}

// TestScores: on the true keypoints of the rendered movies, and on those found, the scores are as internal/lab/README.md says.
func TestScores(t *testing.T) {
	t.Run("true", func(t *testing.T) {
		all := scoresOf(t, func(_ *testing.T, truth *truth.Truth) keypoint.Sequence { return truth.Parts })
		for kind, want := range limits {
			all.within(t, kind, want.pairs, want.least, want.most)
		}
		for _, p := range all {
			a, b := p.a.motion, p.b.motion
			if (a == "walking" && b == "running" || b == "walking" && a == "running") && math.Abs(p.a.view-p.b.view) > 90 && (p.linear > 0.2 || p.warped > 0.3) {
				t.Errorf("%s and %s in opposite directions score %.2f, warped %.2f", p.a, p.b, p.linear, p.warped)
			}
			if p.kind == tempo && p.warped < 0.98 {
				t.Errorf("%s at an uneven tempo scores %.2f", p.a, p.warped)
			}
		}
		for _, k := range []string{repetitions, tempo, people, depths, views, relatives, unrelated, otherViews} {
			if len(all.of(k)) == 0 {
				t.Errorf("there are no pairs of %q", k)
			}
		}
	})
	t.Run("found", func(t *testing.T) {
		folder := testkit.Data(t, "rendered")
		all := scoresOf(t, func(t *testing.T, truth *truth.Truth) keypoint.Sequence {
			seq, _, err := clean.Run(found(t, filepath.Join(folder, truth.Name+".mp4")), clean.Default())
			if err != nil {
				t.Fatal(err)
			}
			return seq
		})
		for kind, want := range limits {
			all.within(t, kind, want.pairs, want.leastFound, want.mostFound)
		}
	})
}

// scoresOf compares the repetitions of the rendered movies, and logs how the scores are distributed.
func scoresOf(t *testing.T, read func(*testing.T, *truth.Truth) keypoint.Sequence) table {
	t.Helper()
	var all []unit
	for _, name := range testkit.RenderedNames(t) {
		truth := truthOf(t, name)
		all = append(all, units(name, truth, read(t, truth))...)
	}
	scores, err := scored(all)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(scores)
	return scores
}

// within checks the scores of a kind of pairs.
func (t table) within(tb *testing.T, kind string, pairs int, least, most float64) {
	tb.Helper()
	own := t.of(kind)
	if len(own) < pairs {
		tb.Errorf("%s: %d pairs", kind, len(own))
	}
	for _, p := range own {
		for _, s := range []float64{p.linear, p.warped} {
			if s < least || s > most {
				tb.Errorf("%s: %s and %s score %.2f, want %v to %v", kind, p.a, p.b, s, least, most)
			}
		}
	}
}

// pair is the outcome of one comparison.
type pair struct {
	a, b           unit
	kind           string
	linear, warped float64 // overall scores
}

type table []pair

// scored compares each unit with each.
func scored(all []unit) (t table, err error) {
	add := func(p pair, opt compare.Options) {
		for alignment, to := range map[compare.Alignment]*float64{compare.Linear: &p.linear, compare.DTW: &p.warped} {
			opt.Alignment = alignment
			r, e := compare.Diff(p.a.seq, p.b.seq, opt)
			if e != nil {
				err = cmp.Or(err, fmt.Errorf("%s and %s: %w", p.a, p.b, e))
				return
			}
			*to = r.Score.Overall
		}
		t = append(t, p)
	}
	for i, a := range all {
		add(pair{a: a, b: uneven(a), kind: tempo}, compare.Options{})
		for _, b := range all[i+1:] {
			add(pair{a: a, b: b, kind: kind(a, b)}, compare.Options{})
			across := b
			across.view = -b.view
			if k := kind(a, across); math.Abs(b.view) > sameView && (k == people || k == repetitions) && a.side == "" && a.motion != "walking" && a.motion != "running" {
				add(pair{a: a, b: b, kind: mirrors}, compare.Options{Mirror: true})
			}
		}
	}
	return t, err
}

// uneven returns a unit whose first half is played slower than its second half.
func uneven(u unit) unit {
	times := slices.Clone(u.seq.Times)
	from, length := times[0], u.seq.Duration()
	for i, t := range times {
		phase := (t - from) / length
		times[i] = from + length*(phase+0.15*math.Sin(math.Pi*phase))
	}
	u.seq.Times = times
	return u
}

func (u unit) String() string { return fmt.Sprintf("%s %d", u.movie, u.number) }

// of returns the pairs of a kind.
func (t table) of(kind string) (list table) {
	for _, p := range t {
		if p.kind == kind {
			list = append(list, p)
		}
	}
	return list
}

// scores returns the sorted scores of 100.
func (t table) scores(of func(pair) float64) []float64 {
	var v []float64
	for _, p := range t {
		v = append(v, 100*of(p))
	}
	slices.Sort(v)
	return v
}

func linear(p pair) float64 { return p.linear }
func warped(p pair) float64 { return p.warped }

// String tells of the distributions.
func (t table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-40s %6s  %s\n", "", "pairs", "score of 100: least, 5 %, median, 95 %, most; the same with time warping")
	for _, k := range kinds {
		own := t.of(k)
		if len(own) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%-40s %6d ", k, len(own))
		for _, of := range []func(pair) float64{linear, warped} {
			v := own.scores(of)
			for _, share := range []float64{0, 0.05, 0.5, 0.95, 1} {
				fmt.Fprintf(&b, " %3.0f", stat.Quantile(share, stat.Empirical, v, nil))
			}
			b.WriteString("  ")
		}
		b.WriteString("\n")
	}
	return b.String()
}
