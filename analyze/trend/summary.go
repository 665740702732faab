package trend

import (
	_ "embed"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// Statistic is the number of a recording that a trend follows. "" means "peak".
//
//	peak   study.Peak: of the best repetition
//	turn   the mean at the turns of the repetitions
//	min    the least value
//	range  from the least to the greatest value
type Statistic string

const (
	ofPeak  Statistic = "peak"
	ofTurn  Statistic = "turn"
	ofMin   Statistic = "min"
	ofRange Statistic = "range"
)

// Statistics returns all statistics.
func Statistics() []Statistic { return []Statistic{ofPeak, ofTurn, ofMin, ofRange} }

// Kind says what values are made of: "picture", as one camera sees it, "space", of several cameras, or "depth", estimated from
// the depth that a network guesses. Those of different kinds are off by different amounts.
type Kind string

const (
	inPicture Kind = "picture"
	inSpace   Kind = "space"
	byDepth   Kind = "depth"
)

// Summary is what a trend needs of a recording.
type Summary struct {
	Kind        Kind        `json:"kind"`             // of measures that are not estimated
	View        *float64    `json:"view,omitempty"`   // the median in degrees, as quality.Views; nil: unknown, or in space
	Facing      string      `json:"facing,omitempty"` // the side of the picture that the person faces, mostly; "" if that is unknown
	Lead        *study.Lead `json:"lead,omitempty"`
	Repetitions int         `json:"repetitions,omitempty"` // complete and not shallow
	Measures    []Measure   `json:"measures,omitempty"`
}

// Measure is what a Summary has of a study.Measure.
type Measure struct {
	Type      analyze.Type   `json:"analysisType"`
	Side      analyze.Side   `json:"side,omitempty"`
	Unit      string         `json:"unit"`
	Estimated bool           `json:"estimated,omitempty"`
	Trust     quality.Trust  `json:"trust"`
	Why       []quality.Code `json:"why,omitempty"`
	Constant  float64        `json:"constant,omitempty"` // as study.Measure

	Numbers map[Statistic]Number `json:"numbers,omitempty"` // absent ones are withheld
}

// Number is a statistic of a recording.
type Number struct {
	Value       float64 `json:"value"`
	Uncertainty float64 `json:"uncertainty"`           // one standard deviation
	Repetitions int     `json:"repetitions,omitempty"` // in how many of them the same statistic is known
	Variance    float64 `json:"variance,omitempty"`    // of a sample, between these; 0 below two
	// Time is when it is seen, in seconds; nil of what has no one moment.
	Time *float64 `json:"time,omitempty"`
}

// Summarize returns what a trend needs of a recording and its study. What is of other frames than those of the recording is left out.
func Summarize(seq keypoint.Sequence, s study.Study, views quality.Views) Summary {
	sum := Summary{Kind: inPicture, Lead: s.Lead}
	if seq.Space.Seen() {
		sum.Kind = inSpace
	} else if from := views.Facing(); from.Known() {
		sum.View, sum.Facing = new(math.Round(from.View)), facing(seq)
	}
	var spans []keypoint.Span
	if s.Repetitions != nil {
		for _, r := range s.Repetitions.List {
			if r.Complete && !r.Shallow && r.Start.Frame >= 0 && r.Start.Frame <= r.End.Frame && r.End.Frame < seq.Len() {
				spans = append(spans, keypoint.Span{First: r.Start.Frame, Last: r.End.Frame})
			}
		}
	}
	sum.Repetitions = len(spans)
	for _, m := range slices.Concat(s.Measures, s.Estimates) {
		short := Measure{Type: m.Type, Side: m.Side, Unit: m.Unit, Estimated: m.Estimated, Trust: m.Trust, Constant: round(m.Constant)}
		short.Why = m.Why[:min(len(m.Why), 2)]
		if n := seq.Len(); m.Trust != quality.TrustWithheld && m.Peak != nil && len(m.Values) == n && len(m.Uncertainty) == n {
			short.Numbers = numbers(m, seq.Times, s.Repetitions, spans)
		}
		sum.Measures = append(sum.Measures, short)
	}
	return sum
}

// facing returns the side of the picture that the person faces in most frames.
func facing(seq keypoint.Sequence) string {
	count := map[keypoint.Facing]int{}
	for _, f := range seq.Sideways() {
		count[f]++
	}
	for _, f := range []keypoint.Facing{keypoint.FacingLeft, keypoint.FacingRight} {
		if 2*count[f] > seq.Len() {
			return f.String()
		}
	}
	return ""
}

// numbers returns the statistics of a measure that the recording shows.
func numbers(m study.Measure, times []float64, found *analyze.Repetitions, spans []keypoint.Span) map[Statistic]Number {
	all := map[Statistic]Number{}
	low := m.Peak.Value < 0 && m.Min.Present && m.Peak.Value == m.Min.X // it tilts to the other side
	add := func(s Statistic, at int, value, uncertainty float64, of func(least, most float64) float64) {
		each := rank.Known(len(spans), func(i int) (float64, bool) {
			least, most, ok := extremes(m.Values, spans[i])
			return of(least, most), ok
		})
		n := number(value, uncertainty, each)
		if at >= 0 && at < len(times) {
			n.Time = new(round(times[at]))
		}
		all[s] = n
	}
	add(ofPeak, m.Peak.Frame, m.Peak.Value, m.Peak.Uncertainty, func(least, most float64) float64 {
		if low {
			return least
		}
		return most
	})
	if at := slices.Index(m.Values, m.Min); m.Min.Present && at >= 0 {
		add(ofMin, at, m.Min.X, m.Uncertainty[at].X, func(least, _ float64) float64 { return least })
	}
	if m.Range.Present {
		add(ofRange, -1, m.Range.X, m.RangeUncertainty.X, func(least, most float64) float64 { return most - least })
	}
	var turns, sigmas []float64
	for i := range spans {
		k := slices.IndexFunc(found.List, func(r analyze.Repetition) bool {
			return r.Complete && r.Start.Frame == spans[i].First && r.End.Frame == spans[i].Last
		})
		if at := found.List[k].Turn.Frame; at >= 0 && at < len(m.Values) && m.Values[at].Present {
			turns, sigmas = append(turns, m.Values[at].X), append(sigmas, m.Uncertainty[at].X)
		}
	}
	if len(turns) > 0 {
		all[ofTurn] = number(rank.Mean(turns), rank.Mean(sigmas), turns) // neighbouring frames err alike
	}
	return all
}

// number rounds, so that a summary is short.
func number(value, uncertainty float64, each []float64) Number {
	n := Number{Value: round(value), Uncertainty: round(uncertainty), Repetitions: len(each)}
	if len(each) > 1 {
		deviation := rank.Deviation(each)
		n.Variance = round(deviation * deviation)
	}
	return n
}

func round(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// extremes returns the least and the greatest value in a span. ok is false if half of them are withheld.
func extremes(values []analyze.Value, span keypoint.Span) (least, most float64, ok bool) {
	least, most = math.Inf(1), math.Inf(-1)
	n := 0
	for _, v := range values[span.First : span.Last+1] {
		if v.Present {
			least, most = min(least, v.X), max(most, v.X)
			n++
		}
	}
	return least, most, 2*n > span.Last+1-span.First
}

//go:embed texts.json
var textsFile []byte

var texts = say.Open(textsFile)

func (t *Trend) sentence() say.Text {
	switch {
	case !slices.ContainsFunc(t.Sessions, func(s Session) bool { return s.Value.Present }):
		return texts.Say("none")
	case t.Change == nil:
		return texts.Say("one")
	}
	name, changed, counts := say.Of(string(t.Side), string(t.Measure)).Title(), t.changed(), texts.Say("alike")
	if !t.Change.Alike {
		counts = texts.Say("differently")
	}
	switch {
	case !t.SmallestChange.Present:
		return texts.Say("unknown", name, changed)
	case t.Change.Real:
		return texts.Say("real", name, changed, counts, t.CountsFrom())
	}
	return texts.Say("notReal", name, changed, counts, t.CountsFrom())
}

func (t *Trend) amount(v float64) say.Amount { return say.Measured(string(t.Measure), v, 0, t.Unit) }

// CountsFrom is SmallestChange as it is written: rounded so that it stays on its side of the change.
func (t *Trend) CountsFrom() say.Amount {
	step := t.amount(0).Step()
	if t.Change != nil && t.Change.Real {
		return t.amount(math.Floor(t.SmallestChange.X/step+1e-9) * step)
	}
	return t.amount(math.Ceil(t.SmallestChange.X/step-1e-9) * step)
}

// changed says by how much the last value differs from the first.
func (t *Trend) changed() say.Text {
	step := t.amount(0).Step()
	size := math.Round(math.Abs(t.Change.Amount)/step) * step
	if !t.Change.Real && t.SmallestChange.Present {
		size = min(size, t.CountsFrom().Value-step)
	}
	switch {
	case size <= 0:
		return texts.Say("same")
	case t.Change.Amount < 0:
		return texts.Say("less", t.amount(size))
	}
	return texts.Say("more", t.amount(size))
}
