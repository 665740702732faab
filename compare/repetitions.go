package compare

import (
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// Repetition is a repetition of the target, or a stride, and its twin, that of the source of the same number.
type Repetition struct {
	Source keypoint.Span `json:"source"`
	Target keypoint.Span `json:"target"`
	Score  *Score        `json:"score"` // nil if no part could be compared
	// At has the differences of the angles at the turning points; nil of strides and without Options.Angles.
	At []AngleDifference `json:"at,omitzero"`
}

// twins returns the cycles that are laid on each other: the first on the first. A repetition has no twin among strides.
func twins(source, target []cycle) (pairs [][2]cycle) {
	for k := range min(len(source), len(target)) {
		if len(source[k].marks) != len(target[k].marks) {
			return nil
		}
		pairs = append(pairs, [2]cycle{source[k], target[k]})
	}
	return pairs
}

// uneven is how many times faster or slower than on the whole a way or a rest may be to be laid on its twin: otherwise it
// is not known well where it starts or ends.
const uneven = 1.5

// lay aligns twins by their moments: where they start, turn and end. The rest between repetitions that follow each other
// is stretched over that of the other recording. Other frames have no counterpart.
func (p *pair) lay() alignment {
	a := alignment{positions: make([]position, p.s.seq.Len())}
	for i := range a.positions {
		a.positions[i].outside = true
	}
	var long [2]float64
	for _, twin := range p.twins {
		for k, c := range twin {
			long[k] += c.end() - c.marks[0]
		}
	}
	stretch := func(s0, s1, t0, t1 float64, hold bool) {
		pace := (t1 - t0) / (s1 - s0) * long[0] / long[1]
		if !(s0 < s1) || !hold && !(pace >= 1/uneven && pace <= uneven) {
			return
		}
		first, _ := slices.BinarySearch(p.s.seq.Times, s0)
		for i := first; i < len(a.positions) && p.s.seq.Times[i] <= s1; i++ {
			a.positions[i] = atTime(p.t.seq.Times, t0+(t1-t0)*(p.s.seq.Times[i]-s0)/(s1-s0))
		}
	}
	for k, twin := range p.twins {
		s, t := twin[0].marks, twin[1].marks
		for m := 1; m < len(s); m++ {
			if m == 1 && (twin[0].noStart || twin[1].noStart) || m == len(s)-1 && (twin[0].noEnd || twin[1].noEnd) {
				continue
			}
			stretch(s[m-1], s[m], t[m-1], t[m], m == 2 && len(s) == 4)
		}
		if k > 0 && twin[0].rested && twin[1].rested {
			before := p.twins[k-1]
			stretch(before[0].end(), s[0], before[1].end(), t[0], false)
		}
	}
	return a
}

// repetitions compares the twins with each other.
func (p *pair) repetitions(frames []Frame) []Repetition {
	list := make([]Repetition, len(p.twins))
	for k, twin := range p.twins {
		r := &list[k]
		r.Source, r.Target = twin[0].span(p.s.seq.Times), twin[1].span(p.t.seq.Times)
		r.Score = p.compare(r.Source.First, r.Source.Last, frames)
	}
	return list
}
