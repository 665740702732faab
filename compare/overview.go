package compare

import (
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// overview is what one of the recordings shows.
type overview struct {
	study.Study
	measures []measure
	cycles   []cycle // strides or jumps, or the repetitions of a rule; repeat fills in other repetitions
	facing   keypoint.Facing
}

// measure is a named angle.
type measure struct {
	Angle
	smooth      []analyze.Value // medians over a tenth of a second
	uncertainty []analyze.Value
}

// cycle is a repetition or a stride: moments, in seconds, that are laid on those of its twin.
type cycle struct {
	marks  []float64
	turn   int  // the frame; -1: a stride has none
	rested bool // between the one before and this one the person does nothing else

	noStart, noEnd bool // the recording lacks a part of the way out or back
}

func (c cycle) end() float64 { return c.marks[len(c.marks)-1] }

// span returns the frames from the start to the end.
func (c cycle) span(times []float64) keypoint.Span {
	return keypoint.Span{First: rank.Nearest(times, c.marks[0]), Last: rank.Nearest(times, c.end())}
}

// overviewOf studies a recording; its repetitions are those of a rule, if there is one.
func overviewOf(seq keypoint.Sequence, judged quality.Report, rule *analyze.Rule) (*overview, error) {
	s, err := study.Run(seq, judged)
	if err != nil {
		return nil, err
	}
	if !s.Facing.Known() { // nobody has judged it
		s.Facing = quality.NewUncertainty(seq).Views.Facing()
	}
	o := &overview{Study: s, facing: facing(seq)}
	for _, m := range s.Measures {
		if m.Unit == "°" {
			o.measures = append(o.measures, measure{Angle{m.Type, m.Side, m.Values}, smoothed(m.Values, seq.Times), m.Uncertainty})
		}
	}
	switch {
	case rule != nil && seq.Times != nil:
		found, err := analyze.RunRepetitions(seq, *rule)
		if err != nil {
			return nil, err
		}
		o.cycles = repetitionCycles(seq, found.List)
	case s.Gait != nil:
		o.cycles = strideCycles(s.Gait.Cycles)
	}
	for _, j := range s.Jumps {
		if rule == nil {
			o.cycles = append(o.cycles, cycle{marks: []float64{j.TakeOff.Time, j.Landing.Time}, turn: -1})
		}
	}
	return o, nil
}

// repeat finds the repetitions of both recordings in one measure, counted the same way: in what leads in one of them, that of
// which both have most. A recording that starts amid a repetition would count from there.
func (p *pair) repeat() error {
	most := 0
	for _, of := range []*overview{p.s.overview, p.t.overview} {
		if of.Lead == nil || of.Repetitions == nil || p.s.cycles != nil && most == 0 || p.t.cycles != nil && most == 0 {
			continue
		}
		var both [2][]cycle
		for k, x := range []side{p.s, p.t} {
			for _, m := range x.Measures {
				if m.Type != of.Lead.Type || m.Side != of.Lead.Side {
					continue
				}
				found, err := analyze.FindRepetitions(x.seq, analyze.Result{Type: m.Type, Side: m.Side, Unit: m.Unit, Values: m.Values},
					analyze.RepetitionOptions{Direction: of.Repetitions.Direction})
				if err != nil {
					return err
				}
				both[k] = repetitionCycles(x.seq, found.List)
			}
		}
		if n := len(both[0]) + len(both[1]); n > most && min(len(both[0]), len(both[1])) > 0 {
			most, p.s.cycles, p.t.cycles = n, both[0], both[1]
		}
	}
	return nil
}

// clipped is by how much of its depth a repetition may end elsewhere than it starts: one that does, and that the recording
// starts or ends with, lacks a part of its way.
const clipped = 0.15

// repetitionCycles returns the complete repetitions.
func repetitionCycles(seq keypoint.Sequence, list []analyze.Repetition) (cycles []cycle) {
	for k, r := range list {
		if !r.Complete {
			continue
		}
		c := cycle{[]float64{r.Start.Time, r.Start.Time + r.Out, r.End.Time - r.Back, r.End.Time}, r.Turn.Frame, k > 0 && list[k-1].Complete, false, false}
		if math.Abs(r.Start.Value-r.End.Value) > clipped*r.Depth {
			c.noStart = r.Start.Time-seq.Times[0] < 2*half
			c.noEnd = seq.Times[seq.Len()-1]-r.End.Time < 2*half
		}
		cycles = append(cycles, c)
	}
	return cycles
}

// strideCycles returns the strides of the left leg.
func strideCycles(list []gait.Cycle) (cycles []cycle) {
	for _, c := range list {
		if c.Side == analyze.LeftSide {
			cycles = append(cycles, cycle{marks: []float64{c.Start, c.ToeOff, c.End}, turn: -1})
		}
	}
	return cycles
}

// half is half the tenth of a second over which values are the median.
const half = 0.05 + onFrame

// smoothed returns the running median of values; those without times stay.
func smoothed(values []analyze.Value, times []float64) []analyze.Value {
	if times == nil {
		return values
	}
	out := make([]analyze.Value, len(values))
	first, end := 0, 0
	for i, v := range values {
		for ; times[first] < times[i]-half; first++ {
		}
		for ; end < len(times) && times[end] <= times[i]+half; end++ {
		}
		if v.Present {
			near := rank.Known(end-first, func(k int) (float64, bool) { return values[first+k].X, values[first+k].Present })
			out[i] = analyze.Value{X: rank.Median(near), Present: true}
		}
	}
	return out
}

const sureShare = 0.6 // of the frames in which a person must face one side to face it

// facing returns the side to which the person faces nearly always.
func facing(seq keypoint.Sequence) keypoint.Facing {
	var count [3]int
	for _, f := range space.View(seq).Sideways() {
		count[f]++
	}
	for f, n := range count {
		if float64(n) >= sureShare*float64(seq.Len()) {
			return keypoint.Facing(f)
		}
	}
	return keypoint.FacingUnknown
}

// Opposite reports whether two recordings show people who face opposite sides of the picture: Options.Mirror then lays
// the one on the other.
func Opposite(source, target keypoint.Sequence) bool {
	return opposite(facing(source), facing(target))
}

func opposite(a, b keypoint.Facing) bool {
	return a != b && a != keypoint.FacingUnknown && b != keypoint.FacingUnknown
}
