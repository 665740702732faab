package main

import (
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/rank"
)

// typicalScale returns the median of the scales of the frames in which the person is seen.
func (r recording) typicalScale(scales []float64) float64 {
	var seen []float64
	for i, v := range scales {
		if r.truth.Inside[i] > 0.9 {
			seen = append(seen, v)
		}
	}
	return rank.Upper(seen)
}

// gaitOf measures the gait of a movie of somebody who walks or runs, with the true scale of the floor.
func gaitOf(r recording) (gait.Gait, bool, error) {
	steps := func(e truth.Event) bool { return e.What == truth.HeelStrike || e.What == truth.ToeOff }
	if !slices.ContainsFunc(r.truth.Events, steps) {
		return gait.Gait{}, false, nil
	}
	if r.truth.FloorScale != nil && !r.Space.Seen() {
		r.World.MetresPerPixel = r.typicalScale(r.truth.FloorScale)
	}
	g, err := gait.Analyze(r.Sequence, gait.Options{})
	return g, err == nil, err
}

// events returns the errors of heel strikes and toe offs in milliseconds. Events in the first and last 0.1 s, and while the
// person is not whole in the picture, need not be found.
func events(r recording) ([]sample, error) {
	g, ok, err := gaitOf(r)
	if !ok {
		return nil, err
	}
	var list []sample
	for kind, what := range map[gait.EventKind]string{gait.HeelStrike: truth.HeelStrike, gait.ToeOff: truth.ToeOff} {
		found := map[string][]float64{}
		for _, x := range g.Events {
			if x.Kind == kind {
				found[string(x.Side)] = append(found[string(x.Side)], x.Time)
			}
		}
		list = append(list, r.timed(what, found))
	}
	slices.SortFunc(list, func(a, b sample) int { return strings.Compare(a.what, b.what) })
	return list, nil
}

// timed returns the errors of the times of the events of a name, found for each side or for both (""), in milliseconds.
func (r recording) timed(what string, found map[string][]float64) sample {
	s := sample{what: what}
	for _, times := range found {
		if s.wrong += len(times); r.truth.Angles3D == nil { // not all need be annotated
			s.wrong = 0
		}
	}
	for _, e := range r.truth.Events {
		if e.What != what {
			continue
		}
		frame, _ := slices.BinarySearch(r.truth.Parts.Times, e.Time)
		frame = min(frame, r.truth.Parts.Len()-1)
		if d, ok := nearest(slices.Concat(found[e.Side], found[""]), e.Time); ok {
			s.errors = append(s.errors, 1000*d)
			s.wrong = max(s.wrong-1, 0)
			s.of++
		} else if r.truth.Inside[frame] > 0.99 && e.Time > 0.1 && e.Time < r.Times[len(r.Times)-1]-0.1 {
			s.of++
		}
	}
	return s
}

// pace returns the errors of cadence, lengths and speed in per cent, lengths with the true scale of the floor.
func pace(r recording) ([]sample, error) {
	g, ok, err := gaitOf(r)
	if !ok || r.truth.Pace.Cadence == 0 {
		return nil, err
	}
	percent := func(what string, got, want float64) sample {
		return sample{what: what, errors: []float64{100 * (got/want - 1)}}
	}
	p := r.truth.Pace
	var samples []sample
	if g.Cadence.Present {
		samples = append(samples, percent("cadence", g.Cadence.X, p.Cadence))
	}
	if g.StanceShare.Both.Count > 0 && p.Stance > 0 {
		samples = append(samples, percent("stance share", g.StanceShare.Both.Mean, p.Stance))
	}
	if g.StrideLength.Both.Count == 0 {
		return samples, nil
	}
	return append(samples, percent("stride length", g.StrideLength.Both.Mean, p.Stride),
		percent("step length", g.StepLength.Both.Mean, p.Stride/2), percent("speed", g.Speed.X, p.Speed)), nil
}

// flights returns the errors of the times of jumps in milliseconds.
func flights(r recording) ([]sample, error) {
	found, err := jump.Analyze(r.Sequence)
	up, down := map[string][]float64{}, map[string][]float64{}
	for _, j := range found {
		up[""], down[""] = append(up[""], j.TakeOff.Time), append(down[""], j.Landing.Time)
	}
	return []sample{r.timed(truth.TakeOff, up), r.timed(truth.Landing, down)}, err
}

// jumps returns the errors of the heights of jumps in centimetres: from the flight time, and from the hips
// with their true scale.
func jumps(r recording) ([]sample, error) {
	if r.truth.Pace.Height == 0 {
		return nil, nil
	}
	if !r.Space.Seen() {
		r.World.MetresPerPixel = r.typicalScale(r.truth.Scale)
	}
	found, err := jump.Analyze(r.Sequence)
	var times []float64 // of take-off
	for _, e := range r.truth.Events {
		if e.What == truth.TakeOff {
			times = append(times, e.Time)
		}
	}
	flight, rise := sample{what: "height from the flight time"}, sample{what: "height from the hips"}
	for _, j := range found {
		if _, ok := nearest(times, j.TakeOff.Time); ok {
			flight.errors = append(flight.errors, 100*(j.Height-r.truth.Pace.Height))
			rise.errors = append(rise.errors, 100*(j.Rise.X-r.truth.Pace.Height))
		}
	}
	return []sample{flight, rise}, err
}
