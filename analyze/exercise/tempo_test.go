package exercise_test

import (
	"slices"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
)

// begun are the exercises that begin with something else than the way of the lead: a step, a lean, a shift of weight.
var begun = []string{"forward lunge", "single-leg stance", "sit-to-stand"}

// TestTempo: the times of the repetitions of rendered movies are those of the true values of the lead, within their uncertainty in two of
// three and within twice in nearly all; so are those of movements that go there and back from leaving rest to being back.
func TestTempo(t *testing.T) {
	off, sigma := map[string]deviations{}, 0.0
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
			of := analyze.Repetition{Out: r.TurnFrom - r.Start, Hold: r.TurnTo - r.TurnFrom, Back: r.End - r.TurnTo}
			for name, truth := range map[string]*analyze.Repetition{kind: &of, kind + ", lead": f.ways(t, one.Turn.Time), "leads": f.ways(t, one.Turn.Time)} {
				if truth != nil {
					list := off[name]
					list.add(one.Out, truth.Out, one.TimeUncertainty)
					list.add(one.Hold, truth.Hold, one.TimeUncertainty)
					list.add(one.Back, truth.Back, one.TimeUncertainty)
					off[name] = list
				}
			}
			sigma = one.TimeUncertainty
		}
	}
	for name, list := range off {
		t.Logf("%s: %d times, %.2f within %.2f s, %.2f within twice", name, len(list), list.within(1), sigma, list.within(2))
		if (name == "leads" || name == "there and back") && (len(list) < 400 || list.within(1) < 0.68 || list.within(2) < 0.92) {
			t.Errorf("times of %s are less sure than they are said to be", name)
		}
	}
}

// ways returns the repetition of the true values of the lead in which a time lies; nil if none is known.
func (f *found) ways(t *testing.T, at float64) *analyze.Repetition {
	t.Helper()
	lead := f.shown.Lead
	if lead == nil {
		return nil
	}
	truth := analyze.Result{Type: lead.Type, Side: lead.Side, Unit: lead.Type.Unit(), Values: make([]analyze.Value, len(f.Times))}
	for i := range f.Times {
		truth.Values[i].X, truth.Values[i].Present = f.known(lead.Type, lead.Side, i)
	}
	all, err := analyze.FindRepetitions(f.seq, truth, analyze.RepetitionOptions{})
	if err != nil {
		t.Fatal(f.Name, err)
	}
	k := slices.IndexFunc(all.List, func(r analyze.Repetition) bool { return at >= r.Start.Time && at < r.End.Time })
	if k < 0 {
		return nil
	}
	return &all.List[k]
}
