package analyze

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/keypoint"
)

// FindRepetitions finds the repetitions in the values of a result of Run over the same sequence, such
// as the squats in the flexion of a knee, and measures their tempo and depth.
//
// It smooths the values by a running median over 0.1 s. A repetition is an excursion from rest by the prominence, and back. Two are
// apart if the values between them come back by a third, so that a pause does not divide a repetition. Nor does a passage through
// rest that the body makes elsewhere: the trunk leans twice in a rise from a chair and back, and is upright in between while the
// hips are high. An excursion amid which the recording starts or ends is a repetition that is not complete.
//
// The way out and the way back are taken for least-jerk movements (Flash and Hogan, J Neurosci 5:1688,
// 1985, doi:10.1523/JNEUROSCI.05-07-01688.1985), which are sure from 10 % to 90 % of their way:
//
//	s(x) = 10x³ − 15x⁴ + 6x⁵    share of the way at the share x of the duration
//	s(0.2466) = 0.1    s(0.7534) = 0.9    duration = (t₉₀ − t₁₀) / 0.5068
//
// Strides do not count: the feet pass each other, and in a longer excursion at least once a second, or the person becomes
// larger or smaller by more than 15 %, while the hips stay as high as they were. Walking lunges, in which the hips sink, count. Without
// that, what ends with both feet elsewhere does not count.
//
// Values that start again after 360 degrees (Type.Cyclic) count on instead, so that those of a repetition may lie
// beyond. No repetition reaches from one person to another. A recording without times has none. Points, options out
// of range and a result of another sequence are a keypoint.ErrInvalid.
func FindRepetitions(seq keypoint.Sequence, r Result, opt RepetitionOptions) (Repetitions, error) {
	if err := seq.Validate(); err != nil {
		return Repetitions{}, err
	}
	switch {
	case len(r.Values) != seq.Len():
		return Repetitions{}, fmt.Errorf("%w result: %d values for %d frames", keypoint.ErrInvalid, len(r.Values), seq.Len())
	case r.Type.Pair():
		return Repetitions{}, fmt.Errorf("%w result: repetitions need numbers, not the points of a %s", keypoint.ErrInvalid, r.Type)
	}
	if errs := rulejson.CheckOne(&opt, (*RepetitionOptions).check); errs != nil {
		return Repetitions{}, fmt.Errorf("%w repetition options: %w", keypoint.ErrInvalid, errs)
	}
	return newSeries(seq, r).find(opt), nil
}

func (s *series) find(opt RepetitionOptions) Repetitions {
	opt.MinDuration = cmp.Or(opt.MinDuration, leastDuration)
	least := s.least(opt)
	if !(least > 0) {
		return Repetitions{Direction: cmp.Or(opt.Direction, falls)}
	}
	var people []excursions
	longest := excursions{rises: true}
	for _, frames := range s.people {
		e := s.excursions(frames, least)
		if people = append(people, e); len(e.frames) > len(longest.frames) {
			longest = e
		}
	}
	if opt.Direction == "" {
		if opt.Direction = falls; longest.rises {
			opt.Direction = rises
		}
	}
	found := Repetitions{Direction: opt.Direction}
	for k := range people {
		people[k].away(opt.Direction, least)
		if n := len(people[k].y); n > 0 {
			s.deepest = max(s.deepest, slices.Max(people[k].y))
		}
	}
	if opt.Prominence == 0 {
		least = max(least, leastShare*s.deepest)
	}
	for k := range people {
		found.List = append(found.List, people[k].repetitions(least, opt)...)
	}
	found.summarize(s.result.Values)
	return found
}

// summarize marks shallow repetitions and fills in the statistics.
func (r *Repetitions) summarize(values []Value) {
	depths := func(all bool) []float64 {
		return rank.Known(len(r.List), func(i int) (float64, bool) { return r.List[i].Depth, all || r.List[i].Complete })
	}
	r.Complete = len(depths(false))
	usual := rank.Upper(depths(r.Complete == 0))
	var duration, out, hold, back, inside []float64
	var curves []Curve
	for k := range r.List {
		one := &r.List[k]
		one.DepthShare = one.Depth / usual
		one.Shallow = one.DepthShare < completeness
		if !one.Complete || one.Shallow {
			continue
		}
		duration, out = append(duration, one.Duration), append(out, one.Out)
		hold, back = append(hold, one.Hold), append(back, one.Back)
		curves = append(curves, one.Curve)
		inside = append(inside, present(values[one.Start.Frame:one.End.Frame+1])...)
	}
	lasting := func(seconds []float64) Spread { return SpreadOf(seconds).WithUncertainty(timeVaries, timeBias) }
	r.Depth, r.Duration = SpreadOf(r.depths()), lasting(duration)
	r.Out, r.Hold, r.Back = lasting(out), lasting(hold), lasting(back)
	if len(curves) > 0 {
		band := MeanCurve(curves)
		r.Curve, r.Low, r.High = &band, number(slices.Min(inside)), number(slices.Max(inside))
	}
}

// The errors of the times of a repetition in seconds, which differ and which all share: internal/lab/README.md has how they were found.
const timeVaries, timeBias = 0.12, 0.05
