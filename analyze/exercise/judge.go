package exercise

import (
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Judge judges an exercise. shown is what study.Run says of the sequence. A wrong definition is keypoint.FieldErrors,
// and an invalid sequence, or a study of another one, a keypoint.ErrInvalid.
func Judge(d Definition, seq keypoint.Sequence, shown study.Study) (Result, error) {
	if err := d.Check(); err != nil {
		return Result{}, err
	}
	r := Result{Exercise: d}
	found, err := repetitions(&d, seq, &shown)
	if err != nil {
		return Result{}, err
	}
	for _, one := range found {
		if d.Counts == CountsFull && (!one.Complete || one.Shallow) {
			continue
		}
		r.Repetitions = append(r.Repetitions, d.judge(&one, seq, &shown))
	}
	r.say()
	return r, nil
}

// repetitions returns those of the study if it shows the movement, else those of the lead.
func repetitions(d *Definition, seq keypoint.Sequence, shown *study.Study) ([]analyze.Repetition, error) {
	if shown.Repetitions != nil && (d.Lead == nil || d.Movement == shown.Movement) {
		return shown.Repetitions.List, nil
	}
	var best *study.Measure
	for k := range shown.Measures {
		m := &shown.Measures[k]
		if d.Lead == nil || m.Type != d.Lead.Type || d.Lead.Side != "" && m.Side != d.Lead.Side || !m.Range.Present {
			continue
		}
		if best == nil || m.Range.X/m.RangeUncertainty.X > best.Range.X/best.RangeUncertainty.X {
			best = m
		}
	}
	if best == nil || seq.Times == nil {
		return nil, nil
	}
	found, err := analyze.FindRepetitions(seq, analyze.Result{Type: best.Type, Side: best.Side, Unit: best.Unit, Values: best.Values}, analyze.RepetitionOptions{})
	return found.List, err
}

// judge judges a repetition.
func (d *Definition) judge(one *analyze.Repetition, seq keypoint.Sequence, shown *study.Study) Repetition {
	r := Repetition{Start: one.Start, Turn: one.Turn, End: one.End, Complete: one.Complete, Shallow: one.Shallow, Outcome: Withheld, Targets: []Verdict{}}
	for k := range d.Targets {
		t := &d.Targets[k]
		if slices.Contains(tempos, t.Measure) {
			v := t.tempo(one)
			v.Target = k
			r.Targets = append(r.Targets, v)
			continue
		}
		for _, m := range t.measures(shown) {
			v := t.limit(m, one, seq)
			v.Target, v.Side = k, m.Side
			r.Targets = append(r.Targets, v)
		}
	}
	for _, v := range r.Targets {
		if slices.Index(worst, v.Outcome) < slices.Index(worst, r.Outcome) {
			r.Outcome = v.Outcome
		}
	}
	return r
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
			if o := &shown.Estimates[e]; m.Trust == study.Withheld && o.Type == m.Type && o.Side == m.Side {
				m = o
			}
		}
		list = append(list, m)
	}
	return list
}

// tempoUncertainty is one standard deviation of the duration of a phase, in seconds, besides half a frame at both ends.
const tempoUncertainty = 0.1

// tempo judges a target of tempo.
func (t *Target) tempo(one *analyze.Repetition) Verdict {
	v := Verdict{Unit: "s", Frame: one.Turn.Frame, Time: one.Turn.Time}
	if !one.Complete {
		v.Outcome, v.Why = Withheld, []quality.Code{CodeIncomplete}
		return v
	}
	seconds := map[analyze.Type]float64{OutTime: one.Out, HoldTime: one.Hold, BackTime: one.Back, Duration: one.Duration}[t.Measure]
	v.decide(t, seconds, tempoUncertainty)
	return v
}

// CodeIncomplete is why the tempo of a repetition is withheld that does not come back.
const CodeIncomplete quality.Code = "incomplete"

// leastSeen is the share of the frames of a repetition that must show a measure of which a target is met throughout.
const leastSeen = 0.95

// limit judges a target by a measure.
func (t *Target) limit(m *study.Measure, one *analyze.Repetition, seq keypoint.Sequence) (v Verdict) {
	first, last := one.Turn.Frame, one.Turn.Frame
	switch t.At {
	case AtStart:
		first, last = one.Start.Frame, one.Start.Frame
	case Throughout:
		first, last = one.Start.Frame, one.End.Frame
	}
	seen := 0
	for i := first; i <= last; i++ {
		if i >= len(m.Values) || !m.Values[i].Present || !m.Uncertainty[i].Present {
			continue
		}
		seen++
		of := Verdict{Unit: m.Unit, Estimated: m.Estimated, Frame: i}
		if seq.Times != nil {
			of.Time = seq.Times[i]
		}
		of.decide(t, m.Values[i].X, math.Hypot(m.Uncertainty[i].X, m.Constant))
		if seen == 1 || of.By.X > v.By.X {
			v = of
		}
	}
	if float64(seen) < leastSeen*float64(last-first+1) && v.Outcome != Missed {
		return Verdict{Outcome: Withheld, Unit: m.Unit, Frame: one.Turn.Frame, Time: one.Turn.Time, Why: m.Why}
	}
	return v
}

// decide sets what becomes of a target with a value.
func (v *Verdict) decide(t *Target, x, sigma float64) {
	by := math.Inf(-1)
	if t.Min.Present {
		by = max(by, t.Min.X-t.Tolerance-x)
	}
	if t.Max.Present {
		by = max(by, x-t.Max.X-t.Tolerance)
	}
	switch v.Outcome = Near; {
	case by > sure*sigma:
		v.Outcome = Missed
	case by < -sure*sigma:
		v.Outcome = Met
	}
	v.Value, v.Uncertainty, v.By = value(x), value(sigma), value(by)
}

// sure is how many standard deviations a value is from its limit that is surely beyond or within it.
const sure = 1.0

func value(x float64) analyze.Value { return analyze.Value{X: x, Present: true} }

// say writes the sentences.
func (r *Result) say() {}
