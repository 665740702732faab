package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/lab/internal/score"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/testkit/recorded"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// liftViews are those from which clips are seen by a network that guesses depth.
var liftViews = []float64{0, 15, 30, 45, 60, 70, 150, 180}

// stillBefore is how many seconds people stand before what they do in a clip.
const stillBefore = 1.5

// clipsToChoose are the people whose clips choose the constants; the clips of the others check them.
var clipsToChoose = []string{"ui01", "ui02", "ui08", "cmu01", "cmu06"}

// seenDeep is what a network finds of a recording with depth, cleaned, and what the markers tell.
type seenDeep struct {
	what, view string
	seq, truth keypoint.Sequence
	judged     quality.Report
}

// deep returns the recording as it is seen, and for a clip as it is seen from each of liftViews.
func deep(f *recorded.Footage) (list []seenDeep, err error) {
	if c := f.Clip; c != nil {
		c = c.Still(stillBefore)
		for _, view := range liftViews {
			camera := c.Camera(view)
			seq := c.Seen(camera, true)
			c.Guess(seq, camera)
			list = append(list, seenDeep{what: c.Movement, view: liftedFrom(view), seq: seq, truth: c.Places()})
		}
	} else if f, err = f.Load(); err == nil {
		list = []seenDeep{{what: strings.TrimRight(f.Take, "0123456789"), view: every, seq: f.Found(recorded.ByNetwork, false), truth: f.Truth().Parts}}
	}
	for k := range list {
		var cleaning clean.Report
		one := &list[k]
		if one.seq, cleaning, err = clean.Run(one.seq, clean.Default()); err == nil {
			one.judged, err = quality.Assess(quality.Input{Sequence: one.seq, Cleaning: cleaning})
		}
		if err != nil {
			return nil, err
		}
	}
	return list, err
}

// liftedFrom returns the range of a view.
func liftedFrom(view float64) string {
	switch {
	case view > 90:
		return "behind"
	case view > 50:
		return "50-70"
	case view > 20:
		return "20-50"
	}
	return "0-20"
}

// liftedAngles are those that are estimated.
var liftedAngles = []analyze.Type{analyze.KneeFlexion, analyze.HipFlexion, analyze.TrunkLean}

// lifts are what is estimated of a person.
type lifts map[sight]*lifting

// lifting is an angle in a range of views, with the sizes of its errors in degrees and its uncertainties.
type lifting struct {
	tally
	sizes []float64
	sigma []float64 // of those that have one
}

// at returns that of a sight; a figure of it is none with less than so many values.
func (l lifts) at(s sight, least int) *lifting {
	if l[s] == nil {
		l[s] = &lifting{tally: tally{shares: map[string]score.Share{}, least: least}}
	}
	return l[s]
}

// add counts a value.
func (l *lifting) add(v analyze.Value, want, sigma float64) {
	if l.count("told", v.Present); !v.Present {
		return
	}
	e := math.Remainder(v.X-want, 360)
	l.raw.Add(want+e, want, sigma)
	if l.sizes = append(l.sizes, math.Abs(e)); sigma > 0 { // of what is lifted none is told
		l.sigma = append(l.sigma, sigma)
		l.count("within1", math.Abs(e) <= sigma)
		l.count("within2", math.Abs(e) <= 2*sigma)
	}
}

// liftedFigures are those that are printed; the last one is the uncertainty that would hold in 90 % within two of it.
var liftedFigures = [][2]string{
	{"told", "told %"}, {"bias", "bias °"}, {"rmse", "RMSE °"}, {"sigma", "± °"}, {"within1", "within σ %"}, {"within2", "within 2σ %"}, {"needed", "needed ± °"},
}

// figureOf returns the function of a person that a figure of a sight is.
func (s sight) figureOf(name string) func(w lifts) (float64, bool) {
	return func(w lifts) (float64, bool) {
		l := w[s]
		if l == nil {
			return 0, false
		}
		_, ok := l.figure("bias")
		switch name {
		case "sigma":
			return rank.Mean(l.sigma), ok && len(l.sigma) > 0
		case "needed":
			return rank.Percentile(slices.Clone(l.sizes), 0.9) / 2, ok
		}
		return l.figure(name)
	}
}

// lift measures what is estimated of a recording, and what could be: the values of each frame that is lifted.
func (w lifts) lift(s seenDeep) error {
	said, err := study.Run(s.seq, s.judged)
	if err != nil {
		return err
	}
	var rules []analyze.Rule
	for _, kind := range liftedAngles {
		for _, side := range sidesOf(kind) {
			rules = append(rules, analyze.Rule{Type: kind, Side: side})
		}
	}
	want, err := analyze.Run(s.truth, rules)
	if err != nil {
		return err
	}
	none := make([]analyze.Value, s.seq.Len())
	found := slices.Repeat([]analyze.Result{{Values: none}}, len(rules))
	if lifted, err := space.Lift(s.seq); err == nil {
		if found, err = analyze.RunWith(lifted, rules, analyze.Options{Estimated: true}); err != nil {
			return err
		}
		for k := range found {
			for i := range lifted.Frames {
				found[k].Values[i].Present = found[k].Values[i].Present && lifted.Frames[i].Positions() != nil
			}
		}
	}
	for k, rule := range rules {
		estimate := study.Measure{Values: none, Uncertainty: none}
		if i := slices.IndexFunc(said.Estimates, func(m study.Measure) bool { return m.Type == rule.Type && m.Side == rule.Side }); i >= 0 {
			estimate = said.Estimates[i]
		}
		name, top := fmt.Sprintf("%s of %s", rule.Type, s.what), math.Inf(-1)
		told, raw := w.at(sight{name, s.view}, few), w.at(sight{name + ", lifted", s.view}, few)
		for i, v := range want[k].Values {
			if !v.Present {
				continue
			}
			top = max(top, v.X)
			raw.add(found[k].Values[i], v.X, 0)
			told.add(estimate.Values[i], v.X, estimate.Uncertainty[i].X)
		}
		if estimate.Peak != nil {
			w.at(sight{name + ", peak", s.view}, 1).add(analyze.Value{X: estimate.Peak.Value, Present: true}, top, estimate.Peak.Uncertainty)
		}
	}
	return nil
}

// lifted prints what is estimated of recorded people from one camera by the depth that a network guesses: means over people with their
// 95 % intervals.
func lifted(_ context.Context, o options, folder string, out io.Writer) error {
	list, err := recorded.Footages(folder)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(f *recorded.Footage) bool {
		if f.Clip != nil {
			return f.Cam != 0 || slices.Contains(clipsToChoose, f.Person) != (o.half == "choose")
		}
		return f.Kind != "A" || !slices.Contains(halves[o.half], f.Person)
	})
	results, failures := make([]lifts, len(list)), make([]error, len(list))
	inParallel(len(list), func(k int) {
		results[k] = lifts{}
		all, err := deep(list[k])
		for _, s := range all {
			if err == nil {
				err = results[k].lift(s)
			}
		}
		failures[k] = err
	})
	persons := map[string]lifts{}
	var all []sight
	for k, w := range results {
		if failures[k] != nil {
			return fmt.Errorf("%s: %w", list[k].Name, failures[k])
		}
		who := list[k].Person
		if persons[who] == nil {
			persons[who] = lifts{}
		}
		for s, one := range w {
			sum := persons[who].at(s, one.least)
			sum.plus(&one.tally)
			sum.sizes, sum.sigma, all = append(sum.sizes, one.sizes...), append(sum.sigma, one.sigma...), append(all, s)
		}
	}
	heads := []any{"angle", "view"}
	for _, f := range liftedFigures {
		heads = append(heads, f[1])
	}
	t := newTable(out, append(heads, "people")...)
	slices.SortFunc(all, func(a, b sight) int { return strings.Compare(a.angle+a.view, b.angle+b.view) })
	for _, s := range slices.Compact(all) {
		row := []any{s.angle, s.view}
		for _, f := range liftedFigures {
			row = append(row, interval(mean(persons, s.figureOf(f[0]))))
		}
		if _, _, n := mean(persons, s.figureOf("bias")); n > 0 {
			t.row(append(row, n)...)
		}
	}
	return t.Flush()
}
