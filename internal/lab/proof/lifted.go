package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
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

// lifts are the errors of what is estimated.
type lifts map[sight]*lifting

// lifting is the errors of an angle in a range of views in degrees, with the uncertainties; of is how many values there could be.
type lifting struct {
	errors, sigma []float64
	of            int
}

// at returns those of an angle.
func (l lifts) at(s sight) *lifting {
	if l[s] == nil {
		l[s] = &lifting{}
	}
	return l[s]
}

// add adds an error.
func (l *lifting) add(e, sigma float64) {
	l.errors, l.sigma = append(l.errors, math.Remainder(e, 360)), append(l.sigma, sigma)
}

// print prints the figures, the last one the uncertainty that would hold in 90 % within two of it.
func (l *lifting) print(out io.Writer, s sight) {
	var size []float64
	in, squares := [2]float64{}, 0.0
	for k, e := range l.errors {
		size, squares = append(size, math.Abs(e)), squares+e*e
		for m := range in {
			if math.Abs(e) <= float64(m+1)*l.sigma[k] {
				in[m]++
			}
		}
	}
	n := float64(len(size))
	fmt.Fprintf(out, "%-40s %-6s %5.0f %5.0f %6.1f %5.1f %5.1f %4.0f %4.0f %6.1f\n", s.angle, s.view, n, 100*n/float64(l.of), rank.Mean(l.errors),
		math.Sqrt(squares/n), rank.Mean(l.sigma), 100*in[0]/n, 100*in[1]/n, rank.Percentile(size, 0.9)/2)
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
	found := make([]analyze.Result, len(rules))
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
		var estimate study.Measure
		if i := slices.IndexFunc(said.Estimates, func(m study.Measure) bool { return m.Type == rule.Type && m.Side == rule.Side }); i >= 0 {
			estimate = said.Estimates[i]
		}
		name, top := fmt.Sprintf("%s of %s", rule.Type, s.what), math.Inf(-1)
		told, raw := w.at(sight{name, s.view}), w.at(sight{name + ", lifted", s.view})
		for i, v := range want[k].Values {
			if !v.Present {
				continue
			}
			told.of, raw.of, top = told.of+1, raw.of+1, max(top, v.X)
			if found[k].Values != nil && found[k].Values[i].Present {
				raw.add(found[k].Values[i].X-v.X, 0)
			}
			if estimate.Peak != nil && estimate.Values[i].Present {
				told.add(estimate.Values[i].X-v.X, estimate.Uncertainty[i].X)
			}
		}
		if estimate.Peak != nil {
			peak := w.at(sight{name + ", peak", s.view})
			peak.of++
			peak.add(estimate.Peak.Value-top, estimate.Peak.Uncertainty)
		}
	}
	return nil
}

// lifted prints what is estimated of recorded people from one camera by the depth that a network guesses.
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
	all := lifts{}
	for k, w := range results {
		if failures[k] != nil {
			return fmt.Errorf("%s: %w", list[k].Name, failures[k])
		}
		for s, one := range w {
			sum := all.at(s)
			sum.errors, sum.sigma, sum.of = append(sum.errors, one.errors...), append(sum.sigma, one.sigma...), sum.of+one.of
		}
	}
	fmt.Fprintf(out, "%-40s %-6s %5s %5s %6s %5s %5s %4s %4s %6s\n", "angle", "view", "n", "told%", "bias", "RMSE", "±", "1σ%", "2σ%", "needed")
	for _, s := range slices.SortedFunc(maps.Keys(all), func(a, b sight) int { return strings.Compare(a.angle+a.view, b.angle+b.view) }) {
		if len(all[s].errors) > 0 {
			all[s].print(out, s)
		}
	}
	return nil
}
