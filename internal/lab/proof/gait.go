package main

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
)

// typicalScale returns the median of the scales of the frames in which the person is seen.
func (r recording) typicalScale(scales []float64) float64 {
	var seen []float64
	for i, v := range scales {
		if r.truth.Inside[i] > 0.9 {
			seen = append(seen, v)
		}
	}
	if len(seen) == 0 {
		return 0
	}
	slices.Sort(seen)
	return seen[len(seen)/2]
}

// gaitOf measures the gait of a movie of somebody who walks or runs, with the true scale of the floor.
func gaitOf(r recording) (gait.Gait, bool, error) {
	if r.truth.Pace.Cadence == 0 {
		return gait.Gait{}, false, nil
	}
	r.World.MetresPerPixel = r.typicalScale(r.truth.FloorScale)
	g, err := gait.Analyze(r.Sequence, gait.Options{})
	return g, err == nil, err
}

// events returns the errors of heel strikes and toe offs in frames, and how many events are missing and
// how many are none. Events in the first and last 0.1 s, and while the person is not whole in the
// picture, need not be found.
func events(r recording) ([]sample, error) {
	g, ok, err := gaitOf(r)
	if !ok {
		return nil, err
	}
	fps, _ := r.FrameRate()
	strike, lift := sample{what: "heel strike"}, sample{what: "toe off"}
	missing, matched := 0.0, 0
	for _, e := range r.truth.Events {
		kind, s := gait.HeelStrike, &strike
		if e.What == "toe off" {
			kind, s = gait.ToeOff, &lift
		}
		var times []float64
		for _, x := range g.Events {
			if x.Kind == kind && string(x.Side) == e.Side {
				times = append(times, x.Time)
			}
		}
		frame, _ := slices.BinarySearch(r.truth.Parts.Times, e.Time)
		frame = min(frame, r.truth.Parts.Len()-1)
		if d, ok := nearest(times, e.Time); ok {
			s.errors = append(s.errors, d*fps)
			matched++
		} else if r.truth.Inside[frame] > 0.99 && e.Time > 0.1 && e.Time < r.Times[len(r.Times)-1]-0.1 {
			missing++
		}
	}
	return []sample{strike, lift, {"missing events", []float64{missing}}, {"wrong events", []float64{float64(len(g.Events) - matched)}}}, nil
}

// pace returns the errors of cadence, lengths and speed in per cent, lengths with the true scale of the floor.
// They are those along the picture: of somebody who walks obliquely the part that the picture shows.
func pace(r recording) ([]sample, error) {
	g, ok, err := gaitOf(r)
	if !ok {
		return nil, err
	}
	percent := func(what string, got, want float64) sample { return sample{what, []float64{100 * (got/want - 1)}} }
	p, shown := r.truth.Pace, 1.0
	if g.Surface == gait.Treadmill {
		shown = r.obliquely()
	}
	samples := []sample{percent("cadence", g.Cadence.X, p.Cadence), percent("stance share", g.StanceShare.Both.Mean, p.Stance)}
	if g.StrideLength.Both.Count == 0 {
		return append(samples, sample{"without lengths", []float64{100}}), nil
	}
	return append(samples, percent("stride length", g.StrideLength.Both.Mean, shown*p.Stride),
		percent("step length", g.StepLength.Both.Mean, shown*p.Stride/2), percent("speed", g.Speed.X, shown*p.Speed)), nil
}

// obliquely returns the share of lengths forwards that the picture shows: the sine of the view.
func (r recording) obliquely() float64 {
	views := slices.Clone(r.truth.View)
	slices.Sort(views)
	return math.Abs(math.Sin(views[len(views)/2] * math.Pi / 180))
}

// jumps returns the errors of the heights of jumps in centimetres: from the flight time, and from the hips
// with their true scale; and by how many jumps the number is off.
func jumps(r recording) ([]sample, error) {
	r.World.MetresPerPixel = r.typicalScale(r.truth.Scale)
	found, err := jump.Analyze(r.Sequence)
	if err != nil {
		return nil, err
	}
	var times []float64 // of take-off
	for _, e := range r.truth.Events {
		if e.What == "take-off" {
			times = append(times, e.Time)
		}
	}
	count := sample{"jumps", []float64{float64(len(found) - len(times))}}
	flight, rise := sample{what: "height from the flight time"}, sample{what: "height from the hips"}
	for _, j := range found {
		if _, ok := nearest(times, j.TakeOff.Time); ok {
			flight.errors = append(flight.errors, 100*(j.Height-r.truth.Pace.Height))
			rise.errors = append(rise.errors, 100*(j.Rise.X-r.truth.Pace.Height))
		}
	}
	return []sample{count, flight, rise}, nil
}
