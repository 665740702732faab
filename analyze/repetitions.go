package analyze

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/bodymotion/motion/analyze/internal/zigzag"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/keypoint"
)

// Direction says which way the values of a repetition go first.
type Direction string

// The directions. The zero value fits the type: a VectorAngle falls, for a joint that bends; JointFlexion and
// the named angles rise, but for AnkleDorsiflexion and PelvicTilt. Values of other types go the way that gives more complete repetitions,
// or else more repetitions; they fall if both give the same.
const (
	Falls Direction = "falls" // they fall and rise, such as the vectorAngle of the knee in a squat
	Rises Direction = "rises" // they rise and fall, such as a flexion, or the vectorAngle of a raised arm
)

var directions = []Direction{Falls, Rises}

// RepetitionOptions say what counts as a repetition. The zero value selects the defaults. Their JSON is true
// for the defaults, else an object.
type RepetitionOptions struct {
	Direction Direction `json:"direction,omitempty"`
	// Prominence is the least depth of a repetition in the unit of the values, out and back. 0 means a
	// third of the distance between the lowest and the highest value, but at least 10 degrees for
	// angles and 0.1 torso lengths for pixels and metres.
	Prominence float64 `json:"prominence,omitempty"`
	// MinDuration is the least duration of a repetition in seconds; 0 means 0.3.
	MinDuration float64 `json:"minDuration,omitempty"`
}

// leastDuration is the default least duration of a repetition in seconds.
const leastDuration = 0.3

// Repetition is one repetition: from rest over the turning point back to rest.
type Repetition struct {
	Complete bool    `json:"complete"` // the ways out and back are at least two thirds of the usual depth
	Start    Moment  `json:"start"`
	Turn     Moment  `json:"turn"` // the middle of the hold, with the farthest value
	End      Moment  `json:"end"`
	Depth    float64 `json:"depth"`    // from the turn to the mean of start and end, 0 or more, in the unit of the values
	Duration float64 `json:"duration"` // seconds from the start to the end

	// Out, Hold and Back are the tempo in seconds: to the turning point, there, and back. Out is the
	// eccentric phase of a squat and the concentric phase of a curl.
	Out  float64 `json:"out"`
	Hold float64 `json:"hold"`
	Back float64 `json:"back"`

	// At has the values of other measures at the turn; only package study sets it.
	At []Reading `json:"at,omitempty"`

	// Curve is the values with time normalised, to compare it with another repetition by Curve.Difference. JSON does
	// not have it.
	Curve Curve `json:"-"`
}

// Reading is the value of a measure at a moment.
type Reading struct {
	Type        Type    `json:"analysisType"`
	Side        Side    `json:"side,omitempty"`
	Value       float64 `json:"value"`
	Uncertainty float64 `json:"uncertainty"` // one standard deviation
}

// Moment is a moment of a Repetition.
type Moment struct {
	Frame int     `json:"frame"` // the nearest one
	Time  float64 `json:"time"`  // seconds, between frames too
	Value float64 `json:"value"` // smoothed
}

// Repetitions are the repetitions in a series, in their order. The statistics are those of the complete ones.
type Repetitions struct {
	Complete  int          `json:"complete"`  // how many are complete
	Direction Direction    `json:"direction"` // which way the values go first
	Low       Value        `json:"low"`       // the lowest value in them; absent without any
	High      Value        `json:"high"`      // the highest
	Depth     Spread       `json:"depth"`     // in the unit of the values
	Duration  Spread       `json:"duration"`  // seconds, as the next three
	Out       Spread       `json:"out"`
	Hold      Spread       `json:"hold"`
	Back      Spread       `json:"back"`
	List      []Repetition `json:"list"`  // of all
	Curve     *Band        `json:"curve"` // mean ± deviation over 0 to 100 %; nil without any
}

// FindRepetitions finds the repetitions in the values of a result of Run over the same sequence, such
// as the squats in the flexion of a knee, and measures their tempo and depth.
//
// It smooths the values by a running median over 0.1 s, to find the turning points; these are the
// alternating extremes of a zigzag line that differ by the prominence. A pause therefore does not divide a
// repetition, and movements that are not deep enough do not count. Neither do twitches: those whose depth times
// duration at half depth is less than a fifth of the median of the deep ones, which are at least two thirds as deep as
// the deepest.
//
// The way out and the way back are taken for least-jerk movements (Flash and Hogan, J Neurosci 5:1688,
// 1985, doi:10.1523/JNEUROSCI.05-07-01688.1985), which are sure from 10 % to 90 % of their way:
//
//	s(x) = 10x³ − 15x⁴ + 6x⁵    share of the way at the share x of the duration
//	s(0.2466) = 0.1    s(0.7534) = 0.9    duration = (t₉₀ − t₁₀) / 0.5068
//
// Repetitions before the first and after the last one in place do not count if the person travels by
// more than 0.6 torso lengths, or becomes larger or smaller by more than 15 %: those are the strides of a walk to
// the place and back. If all of them travel, as in walking lunges, all count.
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

// RunRepetitions runs a rule for its repetitions: those that it asks for, or else those by default options. Errors
// are those of Run.
func RunRepetitions(seq keypoint.Sequence, rule Rule) (Repetitions, error) {
	if rule.Repetitions == nil {
		rule.Repetitions = &RepetitionOptions{}
	}
	results, err := Run(seq, []Rule{rule})
	if err != nil {
		return Repetitions{}, err
	}
	return *results[0].Repetitions, nil
}

// check notes each option out of range.
func (opt *RepetitionOptions) check(note rulejson.Note) {
	note(opt.Direction != "" && !slices.Contains(directions, opt.Direction), "/direction", "is %q, want one of %v", opt.Direction, directions)
	note(!(opt.Prominence >= 0), "/prominence", "is %v, want 0 or more", opt.Prominence)
	note(!(opt.MinDuration >= 0), "/minDuration", "is %v, want 0 or more", opt.MinDuration)
}

// find finds those of the direction asked for, or else of that of the type or the values.
func (s *series) find(opt RepetitionOptions) Repetitions {
	if opt.Direction == "" {
		opt.Direction = s.result.Type.definition().direction
	}
	if opt.Direction != "" {
		return s.repetitions(opt)
	}
	opt.Direction = Falls
	falling := s.repetitions(opt)
	opt.Direction = Rises
	rising := s.repetitions(opt)
	if rising.Complete > falling.Complete || rising.Complete == falling.Complete && len(rising.List) > len(falling.List) {
		return rising
	}
	return falling
}

const (
	leastDegrees = 10.0 // the least default prominence of angles
	leastTorsos  = 0.1  // and of pixels, in torso lengths
	completeness = 2.0 / 3
	leastArea    = 0.2  // of the usual depth × duration
	halfMedian   = 0.05 // seconds: half the width of the running median
)

// series is a result by frames that have a value.
type series struct {
	seq    keypoint.Sequence
	result Result
	torso  float64   // median in pixels, 0 if unknown
	people [][]int   // the frames of each person that have a value
	x      []float64 // per frame, smoothed
}

func newSeries(seq keypoint.Sequence, r Result) *series {
	s := &series{seq: seq, result: r, x: make([]float64, seq.Len())}
	if len(seq.Times) != seq.Len() {
		return s
	}
	var torsos []float64
	for i := range seq.Frames {
		if t, ok := seq.Frames[i].TorsoLength(); ok {
			torsos = append(torsos, t)
		}
	}
	s.torso = rank.Median(torsos)
	if r.Type.Cyclic() {
		s.result.Values = slices.Clone(r.Values)
	}
	for _, span := range seq.People() {
		if r.Type.Cyclic() {
			unwrap(s.result.Values[span.First:span.Last+1], seq.Slice(span.First, span.Last).Times, r.Type.definition().middle)
		}
		var frames []int
		for i := span.First; i <= span.Last; i++ {
			if s.result.Values[i].Present {
				frames = append(frames, i)
			}
		}
		s.people = append(s.people, frames)
		s.smooth(frames)
	}
	return s
}

// smooth fills x at the frames: a running median, over fewer frames at the ends.
func (s *series) smooth(frames []int) {
	var window []float64 // sorted
	first, end := 0, 0
	value := func(k int) float64 { return s.result.Values[frames[k]].X }
	for k, i := range frames {
		half := min(halfMedian, s.seq.Times[i]-s.seq.Times[frames[0]], s.seq.Times[frames[len(frames)-1]]-s.seq.Times[i]) + 1e-6
		for ; end < len(frames) && s.seq.Times[frames[end]]-s.seq.Times[i] <= half; end++ {
			at, _ := slices.BinarySearch(window, value(end))
			window = slices.Insert(window, at, value(end))
		}
		for ; first < k && s.seq.Times[i]-s.seq.Times[frames[first]] > half; first++ {
			at, _ := slices.BinarySearch(window, value(first))
			window = slices.Delete(window, at, at+1)
		}
		s.x[i] = rank.Median(window)
	}
}

// prominence returns the default one.
func (s *series) prominence() float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, frames := range s.people {
		for _, i := range frames {
			low, high = min(low, s.x[i]), max(high, s.x[i])
		}
	}
	least := 0.0
	switch cmp.Or(s.result.Unit, s.result.Type.Unit()) {
	case "°":
		least = leastDegrees
	case "px":
		least = leastTorsos * s.torso
	case "m":
		least = leastTorsos * s.torso * s.seq.World.MetresPerPixel
	}
	return max(least, (high-low)/3)
}

// repetitions finds those of one direction.
func (s *series) repetitions(opt RepetitionOptions) Repetitions {
	found := Repetitions{Direction: opt.Direction}
	if opt.Prominence == 0 {
		opt.Prominence = s.prominence()
	}
	if opt.MinDuration == 0 {
		opt.MinDuration = leastDuration
	}
	if !(opt.Prominence > 0) {
		return found
	}
	for _, frames := range s.people {
		found.List = append(found.List, s.ofPerson(frames, opt)...)
	}
	found.List = s.inPlace(found.List)
	found.summarize(s.result.Values)
	return found
}

// ofPerson finds the repetitions in the frames of one person.
func (s *series) ofPerson(frames []int, opt RepetitionOptions) (list []Repetition) {
	sign := 1.0
	if opt.Direction == Rises {
		sign = -1
	}
	times, x := make([]float64, len(frames)), make([]float64, len(frames))
	for k, i := range frames {
		times[k], x[k] = s.seq.Times[i], sign*s.x[i]
	}
	if len(x) < 3 {
		return nil
	}
	var all []bend
	turns := zigzag.Turns(x, opt.Prominence)
	for k := 1; k+1 < len(turns); k++ {
		if a, b, c := turns[k-1], turns[k], turns[k+1]; a < b && b < c && x[b] < min(x[a], x[c]) {
			all = append(all, newBend(times, x, a, b, c))
		}
	}
	separate(all)
	least := leastArea * usualArea(all)
	for _, p := range all {
		if p.end-p.start < opt.MinDuration || p.area < least {
			continue
		}
		middle := (p.arrive + p.depart) / 2
		start, turn, end := rank.Nearest(times, p.start), rank.Nearest(times, middle), rank.Nearest(times, p.end)
		list = append(list, Repetition{
			Start: Moment{frames[start], p.start, sign * x[start]}, End: Moment{frames[end], p.end, sign * x[end]},
			Turn:  Moment{frames[turn], middle, sign * p.bottom},
			Depth: math.Abs(p.bottom - (x[start]+x[end])/2), Duration: p.end - p.start,
			Out: p.arrive - p.start, Hold: p.depart - p.arrive, Back: p.end - p.depart,
			Curve: Normalize(s.seq.Times, s.result.Values, p.start, p.end),
		})
	}
	return list
}

// depths returns those of the complete repetitions.
func (r *Repetitions) depths() (list []float64) {
	for _, one := range r.List {
		if one.Complete {
			list = append(list, one.Depth)
		}
	}
	return list
}

// summarize marks incomplete repetitions and fills in the statistics.
func (r *Repetitions) summarize(values []Value) {
	var depths []float64
	for _, one := range r.List {
		depths = append(depths, one.Depth)
	}
	usual := completeness * rank.Upper(depths)
	var depth, duration, out, hold, back, all []float64
	var curves []Curve
	for k := range r.List {
		one := &r.List[k]
		one.Complete = min(math.Abs(one.Turn.Value-one.Start.Value), math.Abs(one.Turn.Value-one.End.Value)) >= usual
		if !one.Complete {
			continue
		}
		depth, duration = append(depth, one.Depth), append(duration, one.Duration)
		out, hold, back = append(out, one.Out), append(hold, one.Hold), append(back, one.Back)
		curves = append(curves, one.Curve)
		for _, v := range values[one.Start.Frame : one.End.Frame+1] {
			if v.Present {
				all = append(all, v.X)
			}
		}
	}
	r.Complete = len(depth)
	r.Depth, r.Duration = SpreadOf(depth), SpreadOf(duration)
	r.Out, r.Hold, r.Back = SpreadOf(out), SpreadOf(hold), SpreadOf(back)
	if r.Complete > 0 {
		band := MeanCurve(curves)
		r.Curve, r.Low, r.High = &band, number(floats.Min(all)), number(floats.Max(all))
	}
}

const (
	travelTorsos = 0.6  // how far the person travels in a stride at least, in torso lengths
	travelSize   = 0.15 // or by which share the person becomes larger or smaller
)

// inPlace removes the repetitions before the first and after the last one in place. If none is in place,
// all are kept.
func (s *series) inPlace(list []Repetition) []Repetition {
	stays := func(c Repetition) bool { return !s.travels(&c) }
	first, end := slices.IndexFunc(list, stays), len(list)
	if first < 0 {
		return list
	}
	for s.travels(&list[end-1]) {
		end--
	}
	return list[first:end]
}

// travels reports whether the person is elsewhere at the end of a repetition.
func (s *series) travels(c *Repetition) bool {
	f, g := &s.seq.Frames[c.Start.Frame], &s.seq.Frames[c.End.Frame]
	hips := keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip)
	a, okA := f.Centroid(hips)
	b, okB := g.Centroid(hips)
	if okA && okB && b.Sub(a).Len() > travelTorsos*s.torso {
		return true
	}
	from, okA := f.BodyHeight()
	to, okB := g.BodyHeight()
	return okA && okB && math.Abs(to/from-1) > travelSize
}
