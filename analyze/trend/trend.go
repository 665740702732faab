// Package trend says how a measure of a person changes over recordings, and whether a change is real:
//
//	t := trend.Of(trend.Request{Measure: analyze.KneeFlexion, Side: analyze.RightSide}, sessions)
//	fmt.Println(t.Sentence) // Right knee flexion: 49° more than in the first session; a change counts from 12°.
//
// [Of] has the formula of the smallest change that counts.
//
// The package is pure: no I/O, no clock, no goroutine.
package trend

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// Recording is a recording of the person.
type Recording struct {
	KeypointID int64
	RecordedAt time.Time
	Undated    bool // RecordedAt is when the record was made: nothing says when it was filmed
	Summary    Summary
}

// Request says what a trend is of.
type Request struct {
	Measure   analyze.Type // "": of the leads of the recordings the one that most recordings show, of two such that of the newer one
	Side      analyze.Side // "", of a measure with sides: chosen like the measure, or without a lead the one with more values
	Statistic Statistic
}

// Trend is a measure over recordings. What is measured is never compared with what is estimated: changes are those of the kind with more
// values, of equally many those that are measured.
type Trend struct {
	Measure   analyze.Type `json:"measure"` // "" if nothing was asked for and no recording has a lead
	Side      analyze.Side `json:"side,omitempty"`
	Statistic Statistic    `json:"statistic"`
	Unit      string       `json:"unit"`
	Sessions  []Session    `json:"sessions"` // the oldest first

	SmallestChange analyze.Value `json:"smallestChange,omitzero"` // from the first to the last value; absent: unknown
	Change         *Change       `json:"change,omitempty"`        // nil: fewer than two values

	Sentence say.Text `json:"sentence"` // about the change, in all languages
}

// Session is a recording in a Trend. If it is withheld it has no numbers.
type Session struct {
	KeypointID  int64          `json:"keypointId"`
	RecordedAt  time.Time      `json:"recordedAt"`
	Undated     bool           `json:"undated,omitempty"`
	Value       analyze.Value  `json:"value"`
	Uncertainty analyze.Value  `json:"uncertainty"`    // one standard deviation
	Time        *float64       `json:"time,omitempty"` // as Number.Time
	Trust       quality.Trust  `json:"trust"`
	Why         []quality.Code `json:"why,omitempty"` // "unit": it is in another unit than the last one
	Kind        Kind           `json:"kind"`
	Estimated   bool           `json:"estimated,omitempty"` // of the kind depth
	View        *float64       `json:"view,omitempty"`      // degrees from the front; nil: unknown, or in space
	Facing      quality.Facing `json:"facing,omitzero"`     // the same with its name
	Repetitions int            `json:"repetitions"`
	Real        bool           `json:"real,omitempty"` // the change since the first value is

	number   Number
	constant float64
	varying  float64 // the uncertainty without constant
	unit     string
	facing   string
}

// Change is the change from the first value to the last one.
type Change struct {
	From   int64   `json:"from"` // keypoint records
	To     int64   `json:"to"`
	Amount float64 `json:"amount"`
	Real   bool    `json:"real"`
	Alike  bool    `json:"alike"` // both are of one kind, from one direction
}

// codeUnit is why a value is withheld that is in another unit than the last one.
const codeUnit quality.Code = "unit"

// factor is 1.96 √2, apart the angle between cameras in degrees from which recordings are not alike, and halved the share of
// a recording's bias that another one which is alike does not have.
const (
	factor = 2.77
	apart  = 15.0
	halved = 0.5
)

// Of returns the trend over recordings in any order.
//
// A change between two recordings is real if it is as large as the smallest real change, which errors alone exceed in one
// of twenty pairs (Bland and Altman, BMJ 313:744, 1996; Weir, J Strength Cond Res 19:231, 2005, MDC₉₅):
//
//	smallest = 1.96 √2 SEM = 2.77 SEM
//	SEM²     = the greater of s² and (u₁² + u₂²) / 2
//	s²       = Σ (nᵢ − 1) sᵢ² / Σ (nᵢ − 1)    over the recordings i with nᵢ ≥ 2 repetitions of variance sᵢ²
//	u²       = σ², and σ² − c² + (c/2)² if the two recordings are comparable
//
// s is the standard error of measurement between repetitions, σ the uncertainty of a value, and c the bias in it, which all values of a
// recording share (study.Measure.Constant). Two recordings are comparable if they are of one Kind and the cameras stand at most 15
// degrees apart, at the same side: about half of c is the same in both then, by rendered exercises (TestTrends of package
// exercise). If no recording has two repetitions, or c is unknown and they are not comparable, nothing is called real.
func Of(req Request, recordings []Recording) Trend {
	recordings = slices.Clone(recordings)
	slices.SortStableFunc(recordings, func(a, b Recording) int { return a.RecordedAt.Compare(b.RecordedAt) })
	t := Trend{Measure: req.Measure, Side: req.Side, Statistic: cmp.Or(req.Statistic, ofPeak), Sessions: []Session{}}
	t.choose(recordings)
	for _, r := range recordings {
		t.Sessions = append(t.Sessions, t.session(r))
	}
	if t.Unit == "" && t.Measure != "" {
		t.Unit = t.Measure.Unit() // of no values
	}
	t.oneUnit()
	t.judge()
	t.Sentence = t.sentence()
	return t
}

// choose sets the measure and the side that were not asked for.
func (t *Trend) choose(recordings []Recording) {
	shown := map[study.Lead]int{}
	for _, r := range recordings {
		for _, m := range r.Summary.Measures {
			if _, ok := m.Numbers[t.Statistic]; ok {
				shown[study.Lead{Type: m.Type, Side: m.Side}]++
			}
		}
	}
	asked, most := *t, -1
	for _, r := range slices.Backward(recordings) {
		lead := r.Summary.Lead
		if lead == nil || asked.Measure != "" && (asked.Measure != lead.Type || asked.Side != "") {
			continue
		}
		of := study.Lead{Type: lead.Type, Side: cmp.Or(asked.Side, lead.Side)}
		if n := shown[of]; n > most {
			t.Measure, t.Side, most = of.Type, of.Side, n
		}
	}
	switch left, right := (study.Lead{Type: t.Measure, Side: analyze.LeftSide}), (study.Lead{Type: t.Measure, Side: analyze.RightSide}); {
	case t.Measure == "" || !t.Measure.Sided():
		t.Side = ""
	case t.Side == "" && shown[right] > shown[left]:
		t.Side = right.Side
	case t.Side == "":
		t.Side = left.Side
	}
}

// session returns a recording as the trend shows it. What the view withholds may be estimated.
func (t *Trend) session(r Recording) Session {
	s := Session{
		KeypointID: r.KeypointID, RecordedAt: r.RecordedAt, Undated: r.Undated, Trust: quality.TrustWithheld,
		Kind: r.Summary.Kind, View: r.Summary.View, Repetitions: r.Summary.Repetitions, facing: r.Summary.Facing,
	}
	if s.View != nil {
		s.Facing = quality.FacingOf(*s.View)
	}
	for _, m := range r.Summary.Measures {
		if m.Type != t.Measure || m.Side != t.Side {
			continue
		}
		s.Why = append(s.Why, m.Why...)
		n, ok := m.Numbers[t.Statistic]
		if !ok {
			continue
		}
		s.number, s.constant, s.Trust, t.Unit = n, m.Constant, m.Trust, m.Unit
		s.Time = n.Time
		s.Value, s.Uncertainty = analyze.Value{X: n.Value, Present: true}, analyze.Value{X: n.Uncertainty, Present: true}
		if m.Estimated {
			s.Kind, s.Estimated, s.constant = byDepth, true, 0 // nothing in their uncertainty is known to be alike
		}
		if s.varying = n.Uncertainty; t.Statistic != ofRange {
			s.varying = math.Sqrt(max(square(n.Uncertainty)-square(s.constant), 0))
		}
		s.unit = m.Unit
		break
	}
	if !s.Value.Present && len(s.Why) == 0 {
		s.Why = []quality.Code{quality.CodeUncertain}
	}
	return s
}

// oneUnit withholds the values in another unit than that of the last one.
func (t *Trend) oneUnit() {
	for i := range t.Sessions {
		if s := &t.Sessions[i]; s.Value.Present && s.unit != t.Unit {
			s.Value, s.Uncertainty, s.Time, s.Trust, s.Why = analyze.Value{}, analyze.Value{}, nil, quality.TrustWithheld, []quality.Code{codeUnit}
		}
	}
}

// judge finds which changes since the first value are real.
func (t *Trend) judge() {
	var first, last *Session
	variance, free, guessed := 0.0, 0, 0
	for _, s := range t.Sessions {
		if s.Value.Present && s.Estimated {
			guessed++
		} else if s.Value.Present {
			guessed--
		}
	}
	counts := func(s *Session) bool { return s.Value.Present && s.Estimated == (guessed > 0) }
	for i := range t.Sessions {
		s := &t.Sessions[i]
		if !counts(s) {
			continue
		}
		if first == nil {
			first = s
		}
		last = s
		if n := s.number.Repetitions - 1; n > 0 {
			variance += float64(n) * s.number.Variance
			free += n
		}
	}
	if first == last {
		return
	}
	within := math.NaN() // nothing is as large
	if free > 0 {
		within = variance / float64(free)
	}
	for i := range t.Sessions {
		s := &t.Sessions[i]
		if counts(s) && s != first {
			s.Real = math.Abs(s.Value.X-first.Value.X) >= t.smallest(within, first, s)
		}
	}
	t.Change = &Change{From: first.KeypointID, To: last.KeypointID, Amount: last.Value.X - first.Value.X, Real: last.Real, Alike: alike(first, last)}
	if smallest := t.smallest(within, first, last); !math.IsNaN(smallest) {
		t.SmallestChange = analyze.Value{X: smallest, Present: true}
	}
}

// smallest returns the smallest real change between two sessions; NaN: unknown.
func (t *Trend) smallest(within float64, a, b *Session) float64 {
	u := (square(a.varying) + square(b.varying)) / 2
	for _, s := range []*Session{a, b} {
		switch {
		case alike(a, b):
			u += square(halved*s.constant) / 2
		case s.constant == 0 && !s.Estimated:
			return math.NaN()
		default:
			u += square(s.constant) / 2
		}
	}
	if math.IsNaN(within) {
		return within
	}
	return factor * math.Sqrt(max(within, u))
}

func square(v float64) float64 { return v * v }

// alike reports whether the values of two sessions are off by the same.
func alike(a, b *Session) bool {
	switch {
	case a.Kind != b.Kind:
		return false
	case a.Kind == inSpace:
		return true
	}
	return a.View != nil && b.View != nil && math.Abs(*a.View-*b.View) <= apart &&
		(a.facing == b.facing || min(*a.View, 180-*a.View) <= apart) // from the front and from behind it does not matter
}

// MarshalJSON writes the API's form, with numbers of at most four decimals.
func (t Trend) MarshalJSON() ([]byte, error) {
	type plain Trend
	type plainSession Session
	type session struct {
		plainSession
		RecordedAt string `json:"recordedAt"` // in microseconds, as in records
	}
	list := []session{}
	for _, s := range t.Sessions {
		list = append(list, session{plainSession(s), s.RecordedAt.UTC().Format("2006-01-02T15:04:05.000000Z")})
	}
	return jsonappend.Marshal(struct {
		plain
		Sessions []session `json:"sessions"`
	}{plain(t), list}, 4)
}

// WriteCSV writes trends of one measure as comma-separated values with a row for each session. The cell of an absent number is empty.
func WriteCSV(w io.Writer, trends ...Trend) error {
	out := csv.NewWriter(w)
	cell := func(v analyze.Value) string {
		if !v.Present {
			return ""
		}
		return strconv.FormatFloat(v.X, 'f', -1, 64)
	}
	for i, t := range trends {
		if i == 0 {
			in := ""
			if t.Unit != "" {
				in = " [" + strings.Replace(t.Unit, "°", "deg", 1) + "]"
			}
			name := say.Name(string(t.Measure)).String() + " " + string(t.Statistic) + in
			out.Write([]string{"recorded at", "undated", "keypoint record", "side", name, "uncertainty" + in, "trust", "why", "kind", "view [deg]", "repetitions", "real change"})
		}
		for _, s := range t.Sessions {
			why, view := strings.Trim(fmt.Sprint(s.Why), "[]"), analyze.Value{}
			if s.View != nil {
				view = analyze.Value{X: *s.View, Present: true}
			}
			out.Write([]string{
				s.RecordedAt.UTC().Format(time.RFC3339), strconv.FormatBool(s.Undated), strconv.FormatInt(s.KeypointID, 10), string(t.Side), cell(s.Value), cell(s.Uncertainty),
				string(s.Trust), why, string(s.Kind), cell(view), strconv.Itoa(s.Repetitions), strconv.FormatBool(s.Real),
			})
		}
	}
	out.Flush()
	return out.Error()
}
