// Package jump measures vertical jumps from the keypoints of a recording: take-off, landing, flight time and height.
//
//	jumps, err := jump.Analyze(seq)
//	if err != nil {
//		return err
//	}
//	for _, j := range jumps {
//		fmt.Printf("%.2f m ± %.2f\n", j.Height, j.HeightUncertainty)
//	}
//
// The height, g · t² / 8 of the flight time t, supposes that the person lands as stretched as at take-off. Drop tells whether: if it is
// more than a few centimetres, trust Rise, which needs a scale. docs/how/formulas.md has sources and the rest.
// The package is pure: no I/O, no clock, no goroutine, and no function changes its arguments.
package jump

import (
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/space"
)

// Jump is one jump.
type Jump struct {
	TakeOff    Contact       `json:"takeOff"`
	Landing    Contact       `json:"landing"`
	FlightTime float64       `json:"flightTime"` // seconds
	Height     float64       `json:"height"`     // metres, from the flight time
	Rise       analyze.Value `json:"rise"`       // metres: how far the hips rise after take-off; absent without a scale
	Drop       analyze.Value `json:"drop"`       // metres: how much lower the hips are at landing than at take-off

	// One standard deviation of each against the truth; RiseUncertainty is that of Drop too.
	FlightTimeUncertainty float64       `json:"flightTimeUncertainty"`
	HeightUncertainty     float64       `json:"heightUncertainty"`
	RiseUncertainty       analyze.Value `json:"riseUncertainty"`
}

// Contact is when the feet leave or touch the ground.
type Contact struct {
	Frame int     `json:"frame"` // the nearest one
	Time  float64 `json:"time"`  // seconds, between frames too
}

const (
	gravity = 9.80665 // m/s²

	flightTime = 0.02 // seconds: the uncertainty of a flight time, besides a frame
	riseLength = 0.02 // metres: that of a rise

	// In shares of the body height:
	leastRise = 0.04  // of the feet in the air: about 7 cm
	heelRise  = 0.055 // of ankles at take-off
	onGround  = 0.03  // of feet on the ground above the lowest place
	strides   = 0.12  // by which one foot rises above the other from the take-off to the landing of a step

	leastFall  = 1.8 // body heights per second squared, half the acceleration at least
	leastTime  = 0.3 // seconds from the rise of the feet to their fall
	groundTime = 1.5 // seconds from the top of a jump in which the level of the ground is measured
)

// Highest returns the highest of some jumps; of none the zero Jump.
func Highest(jumps []Jump) (best Jump) {
	for _, j := range jumps {
		if j.Height > best.Height {
			best = j
		}
	}
	return best
}

// Analyze returns the jumps of the MainPerson in their order. Rise and Drop need a scale in Sequence.World, whose floor is the
// horizontal. An invalid sequence, and one of several frames without times, are a keypoint.ErrInvalid.
func Analyze(seq keypoint.Sequence) ([]Jump, error) {
	seq, err := space.Seen(seq)
	if err != nil {
		return nil, err
	}
	if seq.Times == nil && seq.Len() > 1 {
		return nil, fmt.Errorf("%w sequence: jumps need the times of its frames", keypoint.ErrInvalid)
	}
	if seq.Times == nil {
		return nil, nil
	}
	main := seq.MainPerson()
	r := newRecording(seq.Slice(main.First, main.Last))
	if r.height == 0 {
		return nil, nil
	}
	var jumps []Jump
	for _, l := range r.leaps() {
		if j, ok := r.jump(l); ok {
			j.TakeOff.Frame, j.Landing.Frame = j.TakeOff.Frame+main.First, j.Landing.Frame+main.First
			jumps = append(jumps, j)
		}
	}
	return jumps, nil
}

// recording has heights in pixels, upwards.
type recording struct {
	keypoint.Sequence
	height     float64         // of the body, 0 if unknown
	feet, hips []analyze.Value // the lower foot, and the middle of the hips
	toes       bool            // feet are toes, else ankles
}

func newRecording(seq keypoint.Sequence) *recording {
	r := &recording{Sequence: seq}
	toes := lower(seq, keypoint.LeftBigToe)
	r.feet = lower(seq, keypoint.LeftAnkle)
	if r.toes = 10*count(toes) >= 8*count(r.feet) && count(toes) > 0; r.toes {
		r.feet = toes
	}
	r.hips = make([]analyze.Value, seq.Len())
	hips := keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip)
	for i := range seq.Frames {
		if pt, ok := hips.At(&seq.Frames[i]); ok {
			r.hips[i] = analyze.Value{X: up(seq, pt), Present: true}
		}
	}
	r.height = rank.Upper(rank.Known(seq.Len(), func(i int) (float64, bool) { return seq.Frames[i].BodyHeight() }))
	return r
}

// up returns the height of a point in pixels above the floor, or above another horizontal line.
func up(seq keypoint.Sequence, pt keypoint.Point) float64 {
	return -keypoint.World{Floor: seq.World.Floor}.Point(pt)[1]
}

// lower returns the height of the lower one of a part and its mirror part, where both are known.
func lower(seq keypoint.Sequence, left keypoint.Part) []analyze.Value {
	values := make([]analyze.Value, seq.Len())
	for i := range seq.Frames {
		a, okA := seq.Frames[i].At(left)
		b, okB := seq.Frames[i].At(left.Mirror())
		if okA && okB {
			values[i] = analyze.Value{X: min(up(seq, a), up(seq, b)), Present: true}
		}
	}
	return values
}

func count(values []analyze.Value) (n int) {
	for _, v := range values {
		if v.Present {
			n++
		}
	}
	return n
}

// leap is a rise and fall of the feet, in frames.
type leap struct{ start, top, end int }

// leaps returns those that are as high and as long as a jump.
func (r *recording) leaps() (list []leap) {
	at := rank.Where(0, len(r.feet), func(i int) bool { return r.feet[i].Present })
	x := rank.Known(len(r.feet), func(i int) (float64, bool) { return r.feet[i].X, r.feet[i].Present })
	turns := rank.Turns(x, r.threshold()+leastRise*r.height)
	for k := 1; k+1 < len(turns); k++ {
		l := leap{at[turns[k-1]], at[turns[k]], at[turns[k+1]]}
		if x[turns[k]] > x[turns[k-1]] && r.Times[l.end]-r.Times[l.start] >= leastTime {
			list = append(list, l)
		}
	}
	return list
}

func (r *recording) jump(l leap) (j Jump, ok bool) {
	before, after := r.ground(l.top, -1, r.feet[l.start].X), r.ground(l.top, 1, r.feet[l.end].X)
	first, last := r.upper(l, max(before, after))
	feet, okFeet := r.parabola(r.feet, first, last)
	hips, okHips := r.parabola(r.hips, first, last)
	if !okFeet || !okHips {
		return j, false
	}
	off, on := feet.at(before+r.threshold(), -1), feet.at(after+r.threshold(), 1)
	if min(hips.fall, feet.fall) < leastFall*r.height || math.Abs(r.apart(on)-r.apart(off)) > strides*r.height {
		return j, false
	}
	j.TakeOff, j.Landing, j.FlightTime = Contact{rank.Nearest(r.Times, off), off}, Contact{rank.Nearest(r.Times, on), on}, on-off
	j.Height = gravity * j.FlightTime * j.FlightTime / 8
	step, _ := rank.Step(r.Times)
	j.FlightTimeUncertainty = math.Hypot(flightTime, step)
	j.HeightUncertainty = gravity * j.FlightTime / 4 * j.FlightTimeUncertainty
	start, okStart := r.hipsAt(off)
	end, okEnd := r.hipsAt(on)
	if metres := r.World.MetresPerPixel; metres > 0 {
		j.Rise, j.RiseUncertainty = analyze.Value{X: (hips.top - start) * metres, Present: okStart}, analyze.Value{X: riseLength, Present: okStart}
		j.Drop = analyze.Value{X: (start - end) * metres, Present: okStart && okEnd}
	}
	return j, true
}

// apart returns how much higher the left ankle is than the right one, 0 if it is unknown. Who runs lands on the other foot.
func (r *recording) apart(t float64) float64 {
	f := &r.Frames[rank.Nearest(r.Times, t)]
	a, okA := f.At(keypoint.LeftAnkle)
	b, okB := f.At(keypoint.RightAnkle)
	if !okA || !okB {
		return 0
	}
	return up(r.Sequence, a) - up(r.Sequence, b)
}

// threshold is the rise above the ground from which on the feet are in the air, in pixels.
func (r *recording) threshold() float64 {
	if r.toes {
		return 0
	}
	return heelRise * r.height
}

// flight is the path of a point in the air: height = top − fall · (t − apex)².
type flight struct{ apex, top, fall float64 }

// parabola fits the path to the frames first to last, by least squares.
func (r *recording) parabola(heights []analyze.Value, first, last int) (f flight, ok bool) {
	var times, y []float64
	middle, level := r.Times[(first+last)/2], heights[(first+last)/2].X
	for i := first; i <= last; i++ {
		if heights[i].Present {
			times, y = append(times, r.Times[i]-middle), append(y, heights[i].X-level)
		}
	}
	if len(y) < 4 {
		return f, false
	}
	// With u = t − mean, the polynomials 1, u and u² − skew·u − spread are orthogonal over the times.
	mean, n := rank.Mean(times), float64(len(y))
	var squares, cubes, linear, weight, square float64
	for i, t := range times {
		u := t - mean
		squares, cubes, linear = squares+u*u, cubes+u*u*u, linear+u*y[i]
	}
	skew, spread := cubes/squares, squares/n
	for i, t := range times {
		u := t - mean
		p := u*u - skew*u - spread
		weight, square = weight+p*p, square+p*y[i]
	}
	f.fall = -square / weight
	if !(f.fall > 0) || math.IsInf(f.fall, 0) {
		return f, false
	}
	slope := linear/squares + f.fall*skew
	apex := slope / (2 * f.fall)
	f.apex, f.top = middle+mean+apex, level+rank.Mean(y)+f.fall*(spread+apex*apex)
	return f, true
}

// upper returns the frames of the upper half of a jump. They lie clear of the ground, so that neither the push
// nor smoothing bends the path.
func (r *recording) upper(l leap, level float64) (first, last int) {
	above := func(i int) bool {
		return i > l.start && i < l.end && (!r.feet[i].Present || r.feet[i].X >= (level+r.feet[l.top].X)/2)
	}
	first, last = l.top, l.top
	for above(first - 1) {
		first--
	}
	for above(last + 1) {
		last++
	}
	return first, last
}

// at returns when the feet are at a height, on the way up for −1 and on the way down for 1.
func (f flight) at(height, way float64) float64 {
	return f.apex + way*math.Sqrt(max(0, f.top-height)/f.fall)
}

// ground returns the level of the feet on the ground before a jump, or after it: the median over groundTime
// of the heights that are near the lowest one.
func (r *recording) ground(top, step int, lowest float64) float64 {
	var heights []float64
	for i := top; i >= 0 && i < len(r.feet) && math.Abs(r.Times[i]-r.Times[top]) <= groundTime; i += step {
		if v := r.feet[i]; v.Present && v.X < lowest+onGround*r.height {
			heights = append(heights, v.X)
		}
	}
	if len(heights) == 0 {
		return lowest
	}
	return rank.Upper(heights)
}

// hipsAt returns the height of the hips, between frames too.
func (r *recording) hipsAt(t float64) (height float64, ok bool) {
	i, _ := slices.BinarySearch(r.Times, t)
	if i == 0 || i == len(r.Times) || !r.hips[i-1].Present || !r.hips[i].Present {
		return 0, false
	}
	share := (t - r.Times[i-1]) / (r.Times[i] - r.Times[i-1])
	return r.hips[i-1].X*(1-share) + r.hips[i].X*share, true
}

// MarshalJSON writes the API's form: times in seconds, lengths in metres, and null for what is absent.
func (j Jump) MarshalJSON() ([]byte, error) {
	type plain Jump
	return jsonappend.Marshal(plain(j), 4)
}
