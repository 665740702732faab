package exercise

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/space"
)

// Judge judges an exercise. shown is what study.Run says of the sequence. A wrong definition is keypoint.FieldErrors,
// and an invalid sequence, or a study of another one, a keypoint.ErrInvalid.
func Judge(d Definition, seq keypoint.Sequence, shown study.Study) (Result, error) {
	if err := d.Check(); err != nil {
		return Result{}, err
	}
	view, err := space.Seen(seq)
	if err != nil {
		return Result{}, err
	}
	for _, m := range shown.Measures {
		if len(m.Values) != seq.Len() || len(m.Uncertainty) != seq.Len() {
			return Result{}, fmt.Errorf("%w study: %s has %d values for %d frames", keypoint.ErrInvalid, m.Name, len(m.Values), seq.Len())
		}
	}
	r := Result{Exercise: d}
	found, lead, err := d.repetitions(seq, view, &shown)
	if err != nil {
		return Result{}, err
	}
	views := quality.NewUncertainty(seq).Views
	for k := range found {
		one := d.judge(&found[k], lead, seq, &shown)
		for i := range one.Targets {
			v := &one.Targets[i]
			if view, ok := views.View(v.Frame); ok {
				v.facing = quality.FacingOf(view)
			}
		}
		r.Repetitions = append(r.Repetitions, one)
	}
	r.Numbers = d.numbers(seq, view, &shown, r.Repetitions)
	r.say(&d, &shown)
	return r, nil
}

// repetitions returns those of the definition's lead with the measure, or those of the study if it shows the movement, or there is
// no lead, and finds more. Of some tests they are stances or jumps.
func (d *Definition) repetitions(seq, view keypoint.Sequence, shown *study.Study) (list []analyze.Repetition, lead *study.Measure, err error) {
	switch d.Test {
	case singleLegStance:
		for _, one := range stances(view) {
			list = append(list, one.Repetition)
		}
		return list, nil, nil
	case countermovementJump:
		return jumps(view, shown), nil, nil
	}
	var studied, own analyze.Repetitions
	var of *study.Measure
	switch {
	case shown.Repetitions == nil:
	case shown.Lead == nil && (d.Lead == nil || slices.Index(shown.Show, d.Lead.Type) == 0):
		return shown.Repetitions.List, &study.Measure{Values: make([]analyze.Value, seq.Len())}, nil // its tempo is bent too
	case shown.Lead != nil && (d.Lead == nil || d.Movement == shown.Movement):
		studied, of = *shown.Repetitions, surest(shown, *shown.Lead)
	}
	if d.Lead != nil && (of == nil || of.Type != d.Lead.Type) {
		lead = surest(shown, *d.Lead)
	}
	if lead != nil && lead.Range.Present && seq.Times != nil {
		own, err = analyze.FindRepetitions(seq, analyze.Result{Type: lead.Type, Side: lead.Side, Unit: lead.Unit, Values: lead.Values}, analyze.RepetitionOptions{})
	}
	if len(own.List) == 0 || own.Complete < studied.Complete {
		return studied.List, of, err
	}
	return own.List, lead, err
}

// surest returns the measure of a lead. If the lead has no side, it returns the side whose range is largest in proportion to its
// uncertainty. It returns nil if there is no such measure.
func surest(shown *study.Study, lead study.Lead) (best *study.Measure) {
	moves := func(m *study.Measure) float64 {
		if !m.Range.Present {
			return 0
		}
		return m.Range.X / m.RangeUncertainty.X
	}
	for k := range shown.Measures {
		m := &shown.Measures[k]
		if m.Type == lead.Type && (lead.Side == "" || m.Side == lead.Side) && (best == nil || moves(m) > moves(best)) {
			best = m
		}
	}
	return best
}

// judge judges a repetition.
func (d *Definition) judge(one *analyze.Repetition, lead *study.Measure, seq keypoint.Sequence, shown *study.Study) Repetition {
	r := Repetition{Start: one.Start, Turn: one.Turn, End: one.End, Complete: one.Complete, Shallow: one.Shallow, Outcome: Withheld, Targets: []Verdict{}, Out: one.Out, Hold: one.Hold, Back: one.Back, TimeUncertainty: one.TimeUncertainty}
	idle := d.idle(one, shown)
	turns := lead == nil || 1-missing(lead, one.Start.Frame, one.End.Frame) >= leadSeen && seenAround(lead, one, seq)
	for k := range d.Targets {
		t := &d.Targets[k]
		if slices.Contains(tempos, t.Measure) {
			v := t.tempo(one)
			if !turns {
				v = withhold(one, "s", quality.CodeLowCoverage)
			}
			v.Target = k
			r.Targets = append(r.Targets, v)
			continue
		}
		for _, m := range t.measures(shown) {
			if t.Side == "" && m.Side != "" && m.Side == idle {
				continue
			}
			v := t.judge(m, one, seq)
			if turn := t.At == "" || t.At == atTurn; turn && v.Outcome != Withheld && !(turns && seenAround(m, one, seq)) {
				v = withhold(one, m.Unit, quality.CodeLowCoverage)
			}
			v.Target, v.Side = k, m.Side
			r.Targets = append(r.Targets, v)
		}
	}
	for _, v := range r.Targets {
		if slices.Index(worst, v.Outcome) < slices.Index(worst, r.Outcome) {
			r.Outcome = v.Outcome
		}
	}
	r.Counted = d.Counts.takes(&r)
	return r
}

// idle returns the side that takes no part in a repetition, such as an arm that hangs while the other one curls: what leads goes less
// than half as far there. "" if both sides move, or one is not seen.
func (d *Definition) idle(one *analyze.Repetition, shown *study.Study) analyze.Side {
	lead := cmp.Or(d.Lead, shown.Lead)
	extents := map[analyze.Side]float64{}
	for _, m := range shown.Measures {
		if lead == nil || m.Type != lead.Type || m.Side == "" {
			continue
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range m.Values[one.Start.Frame : one.End.Frame+1] {
			if v.Present {
				low, high = min(low, v.X), max(high, v.X)
			}
		}
		if high >= low {
			extents[m.Side] = high - low
		}
	}
	left, right := extents[analyze.LeftSide], extents[analyze.RightSide]
	switch {
	case len(extents) == 2 && 2*left < right:
		return analyze.LeftSide
	case len(extents) == 2 && 2*right < left:
		return analyze.RightSide
	}
	return ""
}

// worst are the outcomes, the worst first.
var worst = []Outcome{Missed, Near, Met, Withheld}

// measures returns those that the target is about. What is withheld is estimated, if it can be.
func (t *Target) measures(shown *study.Study) (list []*study.Measure) {
	for k := range shown.Measures {
		m := &shown.Measures[k]
		if m.Type != t.Measure || t.Side != "" && m.Side != t.Side {
			continue
		}
		for e := range shown.Estimates {
			if o := &shown.Estimates[e]; m.Trust == quality.TrustWithheld && o.Type == m.Type && o.Side == m.Side {
				m = o
			}
		}
		list = append(list, m)
	}
	return list
}

func (t *Target) tempo(one *analyze.Repetition) Verdict {
	if !one.Complete {
		return withhold(one, "s", codeIncomplete)
	}
	seconds := map[analyze.Type]float64{outTime: one.Out, holdTime: one.Hold, backTime: one.Back, duration: one.Duration}[t.Measure]
	v := Verdict{Unit: "s", Trust: quality.TrustGood, Frame: one.Turn.Frame, Time: one.Turn.Time}
	v.decide(t, seconds, one.TimeUncertainty)
	return v
}

// withhold returns a verdict without numbers.
func withhold(one *analyze.Repetition, unit string, why ...quality.Code) Verdict {
	return Verdict{Outcome: Withheld, Unit: unit, Trust: quality.TrustWithheld, Frame: one.Turn.Frame, Time: one.Turn.Time, Why: why}
}

// codeIncomplete is why a target of a repetition is withheld that does not come back: its turn may be another one.
const codeIncomplete quality.Code = "incomplete"

// The shares of the frames of a repetition that must show a measure of which a target is met throughout, and the lead. The time
// around the turn in which no frame may lack one is in seconds.
const (
	leastSeen = 0.95
	leadSeen  = 0.6
	around    = 0.1
)

// missing returns the share of the frames without a value.
func missing(m *study.Measure, first, last int) float64 {
	n := 0
	for i := first; i <= last; i++ {
		if !m.Values[i].Present {
			n++
		}
	}
	return float64(n) / float64(last-first+1)
}

// seenAround reports whether the turn is seen with the time around it.
func seenAround(m *study.Measure, one *analyze.Repetition, seq keypoint.Sequence) bool {
	first, last := one.Turn.Frame, one.Turn.Frame
	for first > one.Start.Frame && one.Turn.Time-seq.Times[first-1] <= around+1e-6 {
		first--
	}
	for last < one.End.Frame && seq.Times[last+1]-one.Turn.Time <= around+1e-6 {
		last++
	}
	return missing(m, first, last) == 0
}

// judge judges a target by a measure.
func (t *Target) judge(m *study.Measure, one *analyze.Repetition, seq keypoint.Sequence) (v Verdict) {
	first, last := one.Turn.Frame, one.Turn.Frame
	switch t.At {
	case atStart:
		first, last = one.Start.Frame, one.Start.Frame
	case throughout:
		first, last = one.Start.Frame, one.End.Frame
	}
	seen := 0
	for i := first; i <= last && i < len(m.Values); i++ {
		if !m.Values[i].Present || !m.Uncertainty[i].Present {
			continue
		}
		seen++
		of := Verdict{Unit: m.Unit, Trust: m.Trust, Estimated: m.Estimated, Frame: i}
		if m.Unit == "°" && !m.Estimated {
			of.Trust = quality.TrustOf(m.Uncertainty[i].X)
		}
		if seq.Times != nil {
			of.Time = seq.Times[i]
		}
		if of.decide(t, m.Values[i].X, m.Uncertainty[i].X); seen == 1 || of.By.X > v.By.X {
			v = of
		}
	}
	switch turns := !one.Complete && t.At != atStart; {
	case seen == 0 || 1-missing(m, first, last) < leastSeen && v.Outcome != Missed:
		return withhold(one, m.Unit, m.Why...)
	case turns && (t.At != throughout || v.Outcome != Missed):
		return withhold(one, m.Unit, codeIncomplete)
	}
	return v
}

// decide sets what becomes of a target with a value.
func (v *Verdict) decide(t *Target, x, sigma float64) {
	by := math.Inf(-1)
	if t.Min.Present {
		by = max(by, t.Min.X-x)
	}
	if t.Max.Present {
		by = max(by, x-t.Max.X)
	}
	switch v.Outcome = Near; {
	case by-t.Tolerance > sigma:
		v.Outcome = Missed
	case by-t.Tolerance < -sigma:
		v.Outcome = Met
	}
	v.Value, v.Uncertainty, v.By = value(x), value(sigma), value(by)
}

func value(x float64) analyze.Value { return analyze.Value{X: x, Present: true} }
