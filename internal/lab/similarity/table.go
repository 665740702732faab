package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/bodymotion/motion/compare"
)

// pair is the outcome of one comparison.
type pair struct {
	a, b           unit
	kind           string
	linear, warped float64 // overall scores
}

type table []pair

// measure compares each unit with each.
func measure(all []unit) (t table, err error) {
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

// print writes the distributions and the pairs at their ends.
func (t table) print(out io.Writer) {
	fmt.Fprintf(out, "%-40s %6s  %s\n", "", "pairs", "score of 100: least, 5 %, median, 95 %, most; the same with time warping")
	for _, k := range kinds {
		own := t.of(k)
		if len(own) == 0 {
			continue
		}
		fmt.Fprintf(out, "%-40s %6d ", k, len(own))
		for _, of := range []func(pair) float64{linear, warped} {
			v := own.scores(of)
			for _, share := range []float64{0, 0.05, 0.5, 0.95, 1} {
				fmt.Fprintf(out, " %3.0f", stat.Quantile(share, stat.Empirical, v, nil))
			}
			fmt.Fprint(out, "  ")
		}
		fmt.Fprintln(out)
	}
	t.of(repetitions).ends(out, 1)
	t.of(people).ends(out, 1)
	t.of(unrelated).ends(out, -1)
	t.of(otherViews).ends(out, -1)
}

// ends writes the pairs of the lowest scores (order 1) or of the highest (order −1), one per pair of movies.
func (t table) ends(out io.Writer, order int) {
	slices.SortStableFunc(t, func(a, b pair) int { return order * cmp.Compare(a.linear, b.linear) })
	known := map[[2]string]bool{}
	for _, p := range t {
		if k := [2]string{p.a.movie, p.b.movie}; !known[k] && len(known) < 5 {
			if len(known) == 0 {
				fmt.Fprintf(out, "%s:\n", p.kind)
			}
			known[k] = true
			fmt.Fprintf(out, "  %3.0f %3.0f  %s (%.0f°), %s (%.0f°)\n", 100*p.linear, 100*p.warped, p.a, p.a.view, p.b, p.b.view)
		}
	}
}
