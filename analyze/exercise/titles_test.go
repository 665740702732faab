package exercise_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/say"
)

// TestTitlesOfNetworks: of what a network has found in the rendered movies, too, a title with an amount has its ±, and the truth lies
// within twice that; of the values of the lead at its turns, 55 to 85 of 100 lie within one ±, and 95 within two.
func TestTitlesOfNetworks(t *testing.T) {
	titles, turns, once, twice := 0, 0, 0, 0
	for _, f := range rendered(t) {
		s := &f.shown
		if s.Lead == nil || s.Lead.Type.Unit() != "°" || s.Lead.Type == analyze.HipHeight {
			continue
		}
		truth := f.Truth[key(s.Lead.Type, s.Lead.Side)]
		truly := func(frame int) (x float64, ok bool) {
			return float64(truth[frame]) / scaleOf(s.Lead.Type), truth[frame] != unknown
		}
		if title := s.Summary.Title[say.English]; !strings.Contains(title, " ± ") {
			t.Errorf("%s: %q has no ±", f.Name, title)
		}
		m := s.Measures[slices.IndexFunc(s.Measures, func(m study.Measure) bool { return m.Type == s.Lead.Type && m.Side == s.Lead.Side })]
		most := slices.Max(slices.DeleteFunc(slices.Clone(truth), func(x int) bool { return x == unknown }))
		if at, ok := truly(m.Peak.Frame); ok && len(s.Jumps) == 0 {
			titles++
			if off := math.Abs(m.Peak.Value - float64(most)/scaleOf(m.Type)); off > 2*m.Peak.Uncertainty {
				t.Errorf("%s: %s is %v, truly %.0f then and %d tenths at most", f.Name, m.Name, m, at, most)
			}
		}
		if s.Repetitions == nil {
			continue
		}
		for _, r := range s.Repetitions.List {
			want, ok := truly(r.Turn.Frame)
			if v := m.Values[r.Turn.Frame]; ok && v.Present {
				off := math.Abs(v.X-want) / m.Uncertainty[r.Turn.Frame].X
				if turns++; off <= 1 {
					once++
				}
				if off <= 2 {
					twice++
				}
			}
		}
	}
	t.Logf("%d titles; of %d values %d within one ±, %d within two", titles, turns, once, twice)
	if titles < 50 || turns < 150 || 100*once < 55*turns || 100*once > 85*turns || 100*twice < 95*turns {
		t.Errorf("%d titles; of %d values %d within one ±, %d within two", titles, turns, once, twice)
	}
}
