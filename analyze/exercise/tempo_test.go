package exercise_test

import (
	"math"
	"slices"
	"testing"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/testkit"
)

// begun are the exercises that begin with something else than the way of the lead: a step, a lean, a shift of weight. Their true times
// begin there.
var begun = []string{"forward lunge", "single-leg stance", "sit-to-stand"}

// TestTempo: the times of the repetitions of rendered movies lie within their uncertainty in two of three, within twice in nearly all.
func TestTempo(t *testing.T) {
	off, sigma := map[string][]float64{}, 0.0
	for _, f := range rendered(t) {
		if f.shown.Repetitions == nil || slices.Contains(mistaken, f.Name) {
			continue
		}
		for _, one := range f.shown.Repetitions.List {
			k := slices.IndexFunc(f.Reps, func(r testkit.Rep) bool { return one.Turn.Time >= r.Start && one.Turn.Time < r.End })
			if k < 0 || !one.Complete {
				continue
			}
			r, kind := f.Reps[k], "there and back"
			if r.TurnFrom == 0 {
				r.TurnFrom, r.TurnTo = r.Turn, r.Turn
			}
			if slices.Contains(begun, f.Motion.Kind) {
				kind = f.Motion.Kind
			}
			off[kind] = append(off[kind], one.Out-(r.TurnFrom-r.Start), one.Hold-(r.TurnTo-r.TurnFrom), one.Back-(r.End-r.TurnTo))
			sigma = one.TimeUncertainty
		}
	}
	within := func(list []float64, sigma float64) float64 {
		n := 0
		for _, x := range list {
			if math.Abs(x) <= sigma {
				n++
			}
		}
		return float64(n) / float64(len(list))
	}
	for kind, list := range off {
		t.Logf("%s: %d times, %.3f ± %.3f, %.2f within %.2f, %.2f within twice", kind, len(list), rank.Mean(list), rank.Deviation(list), within(list, sigma), sigma, within(list, 2*sigma))
	}
	if list := off["there and back"]; within(list, sigma) < 0.68 || within(list, 2*sigma) < 0.95 || math.Hypot(rank.Mean(list), rank.Deviation(list)) > sigma {
		t.Error("times are less sure than they are said to be")
	}
}
