package analyze

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/keypoint"
)

// Direction says which way the values of a repetition go first.
type Direction string

// The directions. The zero value means away from rest, which is where the recording starts and ends: the flexion of a knee
// rises in squats, and falls in rises from a chair.
const (
	Falls Direction = "falls" // they fall and rise, such as the vectorAngle of the knee in a squat
	Rises Direction = "rises" // they rise and fall, such as a flexion, or the vectorAngle of a raised arm
)

var directions = []Direction{Falls, Rises}

// RepetitionOptions say what counts as a repetition. The zero value selects the defaults. Their JSON is true
// for the defaults, else an object.
type RepetitionOptions struct {
	Direction Direction `json:"direction,omitempty"`
	// Prominence is the least depth of a repetition in the unit of the values, out and back. 0 means 0.15 of the
	// deepest one, but at least 10 degrees for angles and 0.1 torso lengths for pixels and metres, and for speeds
	// a third of the distance between the lowest and the highest value.
	Prominence float64 `json:"prominence,omitempty"`
	// MinDuration is the least duration of a repetition in seconds; 0 means 0.25.
	MinDuration float64 `json:"minDuration,omitempty"`
}

// Repetition is one repetition: from rest over the turning point back to rest.
type Repetition struct {
	Complete bool   `json:"complete"` // it goes out and comes back: the one way is at least two thirds of the other
	Shallow  bool   `json:"shallow"`  // DepthShare is less than two thirds
	Start    Moment `json:"start"`
	Turn     Moment `json:"turn"` // the middle of the hold, with the farthest value
	End      Moment `json:"end"`
	// Depth is from the turn to the mean of start and end, or if it is not complete to the farther one; 0 or more, in
	// the unit of the values. DepthShare is that by the median of the complete ones, or of all if none is.
	Depth      float64 `json:"depth"`
	DepthShare float64 `json:"depthShare"`
	Duration   float64 `json:"duration"` // seconds from the start to the end

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
	Trust       string  `json:"trust"`       // "good" or "care", as a study.Trust
}

// Moment is a moment of a Repetition.
type Moment struct {
	Frame int     `json:"frame"` // the nearest one
	Time  float64 `json:"time"`  // seconds, between frames too
	Value float64 `json:"value"` // smoothed
}

// Repetitions are the repetitions in a series, in their order. The statistics are those of the complete ones that are not
// shallow.
type Repetitions struct {
	Complete  int          `json:"complete"`  // how many are complete
	Direction Direction    `json:"direction"` // which way the values go first
	Low       Value        `json:"low"`       // the lowest value in those; absent without any
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
// It smooths the values by a running median over 0.1 s. A repetition is an excursion from rest by the
// prominence, and back. Two are apart if the values between them come back by a third, so that a pause does not
// divide a repetition. Nor does a passage through rest that the body makes elsewhere: the trunk leans twice in a rise from a
// chair and back, and is upright in between while the hips are high. An excursion amid which the recording starts or
// ends is a repetition that is not complete.
//
// The way out and the way back are taken for least-jerk movements (Flash and Hogan, J Neurosci 5:1688,
// 1985, doi:10.1523/JNEUROSCI.05-07-01688.1985), which are sure from 10 % to 90 % of their way:
//
//	s(x) = 10x³ − 15x⁴ + 6x⁵    share of the way at the share x of the duration
//	s(0.2466) = 0.1    s(0.7534) = 0.9    duration = (t₉₀ − t₁₀) / 0.5068
//
// Strides do not count: the feet pass each other, in what takes longer at least once a second, or the person becomes
// larger or smaller by more than 15 %, while the hips stay as high as they were. Walking lunges count.
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

const (
	leastDegrees  = 10.0 // the least depth of angles
	leastTorsos   = 0.1  // and of lengths, in torso lengths
	leastShare    = 0.15 // and by the deepest one
	leastDuration = 0.25 // seconds
	completeness  = 2.0 / 3
	comesBack     = 1.0 / 3 // of the shallower one of two repetitions, between them
	halfMedian    = 0.05    // seconds: half the width of the running median
	restSeconds   = 0.2     // at the start and at the end
	settleSeconds = 0.25    // at rest, until a repetition can no longer change
)

// series is a result by frames that have a value.
type series struct {
	seq    keypoint.Sequence
	result Result
	torso  float64   // median in pixels, 0 if unknown
	apart  float64   // how far the feet are apart, nearly at most, in pixels
	people [][]int   // the frames of each person that have a value
	x      []float64 // per frame, smoothed

	goesOn  bool    // the last frame is not where the recording ends
	deepest float64 // the farthest value from rest so far
	settled bool    // the newest repetition can no longer change
}

func newSeries(seq keypoint.Sequence, r Result) *series {
	s := &series{seq: seq, result: r, x: make([]float64, seq.Len())}
	if len(seq.Times) != seq.Len() {
		return s
	}
	var torsos, apart []float64
	for i := range seq.Frames {
		f := &seq.Frames[i]
		if t, ok := f.TorsoLength(); ok {
			torsos = append(torsos, t)
		}
		if l, okL := f.At(keypoint.LeftAnkle); okL {
			if r, okR := f.At(keypoint.RightAnkle); okR {
				apart = append(apart, math.Abs(l[0]-r[0]))
			}
		}
	}
	s.torso, s.apart = rank.Median(torsos), rank.Percentile(apart, 0.95)
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

// least returns the least depth of a repetition.
func (s *series) least(opt RepetitionOptions) float64 {
	least := opt.Prominence
	switch unit := cmp.Or(s.result.Unit, s.result.Type.Unit()); {
	case least > 0:
	case unit == "°":
		least = leastDegrees
	case unit == "px":
		least = leastTorsos * s.torso
	case unit == "m":
		least = leastTorsos * s.torso * s.seq.World.MetresPerPixel
	}
	if least > 0 {
		return least
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, frames := range s.people {
		for _, i := range frames {
			low, high = min(low, s.x[i]), max(high, s.x[i])
		}
	}
	return max(0, (high-low)/3)
}

// find finds the repetitions.
func (s *series) find(opt RepetitionOptions) Repetitions {
	opt.MinDuration = cmp.Or(opt.MinDuration, leastDuration)
	least := s.least(opt)
	if !(least > 0) {
		return Repetitions{Direction: cmp.Or(opt.Direction, Falls)}
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
		if opt.Direction = Falls; longest.rises {
			opt.Direction = Rises
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

// depths returns those that the statistics hold.
func (r *Repetitions) depths() (list []float64) {
	for _, one := range r.List {
		if one.Complete && !one.Shallow {
			list = append(list, one.Depth)
		}
	}
	return list
}

// summarize marks shallow repetitions and fills in the statistics.
func (r *Repetitions) summarize(values []Value) {
	var all, complete []float64
	for _, one := range r.List {
		if all = append(all, one.Depth); one.Complete {
			complete = append(complete, one.Depth)
		}
	}
	if r.Complete = len(complete); r.Complete > 0 {
		all = complete
	}
	usual := rank.Upper(all)
	var duration, out, hold, back, inside []float64
	var curves []Curve
	for k := range r.List {
		one := &r.List[k]
		if one.DepthShare = one.Depth / usual; one.DepthShare < completeness {
			one.Shallow = true
		}
		if !one.Complete || one.Shallow {
			continue
		}
		duration, out = append(duration, one.Duration), append(out, one.Out)
		hold, back = append(hold, one.Hold), append(back, one.Back)
		curves = append(curves, one.Curve)
		for _, v := range values[one.Start.Frame : one.End.Frame+1] {
			if v.Present {
				inside = append(inside, v.X)
			}
		}
	}
	r.Depth, r.Duration = SpreadOf(r.depths()), SpreadOf(duration)
	r.Out, r.Hold, r.Back = SpreadOf(out), SpreadOf(hold), SpreadOf(back)
	if len(curves) > 0 {
		band := MeanCurve(curves)
		r.Curve, r.Low, r.High = &band, number(slices.Min(inside)), number(slices.Max(inside))
	}
}
