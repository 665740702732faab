package live

import (
	"cmp"
	"image"
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Message is an Update as JSON, the same over HTTP and on the command line. Numbers have at most four decimals, but times have six.
type Message struct {
	Type        string                   `json:"type"` // "update"
	Number      int                      `json:"number"`
	Time        float64                  `json:"time"` // seconds
	Size        [2]int                   `json:"size"`
	Keypoint    keypoint.Frame           `json:"keypoint"`
	Scores      map[keypoint.Part]number `json:"scores"`
	Filled      []keypoint.Part          `json:"filled"`
	Changed     bool                     `json:"changed"`
	Values      []any                    `json:"values"`          // number, [x, y] or null
	Uncertainty []*number                `json:"uncertainty"`     // of values
	Why         []*quality.Code          `json:"why"`             // values are null; null for the others
	Facing      quality.Facing           `json:"facing,omitzero"` // in whole degrees
	Repetitions []*repetitions           `json:"repetitions"`
	Movement    study.Movement           `json:"movement,omitempty"`
	Lead        *int                     `json:"lead"` // the rule whose repetitions count
	Notes       []note                   `json:"notes"`
	Dropped     int                      `json:"dropped"`
	Took        *number                  `json:"took,omitempty"` // seconds from when the picture was received
}

// number is a number with at most four decimals.
type number = jsonappend.Rounded

// repetitions are those of a rule so far.
type repetitions struct {
	Count    int         `json:"count"`
	Complete int         `json:"complete"`
	Settled  bool        `json:"settled"`
	Last     *repetition `json:"last"`
}

// MarshalJSON writes numbers with at most four decimals.
func (r repetitions) MarshalJSON() ([]byte, error) {
	type plain repetitions
	return jsonappend.Marshal(plain(r), 4)
}

// repetition is the newest one, as the record of an analysis has it, without the numbers of frames.
type repetition struct {
	analyze.Repetition
	Start moment `json:"start"`
	Turn  moment `json:"turn"`
	End   moment `json:"end"`
}

type moment struct {
	Time  float64 `json:"time"`
	Value float64 `json:"value"`
}

// note is what hinders measuring.
type note struct {
	Code   quality.Code    `json:"code"`
	Detail string          `json:"detail"`
	Parts  []keypoint.Part `json:"parts"`
}

// End is what was seen in all, as JSON.
type End struct {
	Type        string         `json:"type"` // "end"
	Pictures    int            `json:"pictures"`
	Dropped     int            `json:"dropped"`
	Repetitions []*repetitions `json:"repetitions"`
}

// Message returns the JSON of an update of a picture of that size, in pixels.
func (u Update) Message(size image.Point, rules []analyze.Rule) Message {
	m := Message{
		Type: "update", Number: u.Number, Time: u.Time, Size: [2]int{size.X, size.Y}, Keypoint: u.Keypoints,
		Scores: map[keypoint.Part]number{}, Filled: []keypoint.Part{}, Changed: u.Changed,
		Values: make([]any, len(u.Values)), Repetitions: repetitionsOf(u.Counts, rules), Dropped: u.Dropped,
		Uncertainty: make([]*number, len(u.Values)), Why: make([]*quality.Code, len(u.Values)), Movement: u.Verdict.Movement, Notes: []note{},
	}
	if m.Facing = u.Facing; m.Facing.Known() {
		m.Facing.View = math.Round(m.Facing.View)
	}
	if u.Verdict.Lead >= 0 {
		m.Lead = &u.Verdict.Lead
	}
	for _, w := range u.Verdict.Notes {
		m.Notes = append(m.Notes, note{w.Code, w.Detail, append([]keypoint.Part{}, w.Parts.List()...)})
	}
	for _, part := range u.Keypoints.Present().List() {
		m.Scores[part] = number(u.Keypoints.Confidence(part))
		if u.Changes[part]&clean.Filled != 0 {
			m.Filled = append(m.Filled, part)
		}
	}
	for i := range u.Values {
		v, why := u.Shown(rules[i], i)
		switch {
		case !v.Present:
			m.Why[i] = &why
		case rules[i].Type.Pair():
			m.Values[i] = [2]number{number(v.X), number(v.Y)}
		default:
			m.Values[i] = number(v.X)
		}
		if sigma := u.Uncertainty[i]; v.Present && sigma.Present {
			m.Uncertainty[i] = new(number(sigma.X))
		}
	}
	return m
}

// Shown returns the value of rule i, or why it is withheld.
func (u Update) Shown(rule analyze.Rule, i int) (v analyze.Value, why quality.Code) {
	v, why = u.Values[i], u.Why[i]
	if sigma := u.Uncertainty[i]; v.Present && rule.Type.Unit() == "°" && (!sigma.Present || quality.TrustOf(sigma.X) == quality.TrustWithheld) {
		return analyze.Value{}, cmp.Or(why, quality.CodeUncertain)
	}
	return v, why
}

// EndOf returns what was seen in so many pictures, with the counts of rules.
func EndOf(pictures, dropped int, counts []analyze.Count, rules []analyze.Rule) End {
	return End{"end", pictures, dropped, repetitionsOf(counts, rules)}
}

// repetitionsOf returns the counts of rules, nil for a rule that does not ask for them.
func repetitionsOf(counts []analyze.Count, rules []analyze.Rule) []*repetitions {
	list := make([]*repetitions, len(counts))
	for i, c := range counts {
		if rules[i].Repetitions == nil {
			continue
		}
		list[i] = &repetitions{Count: c.Found, Complete: c.Complete, Settled: c.Settled}
		if r := c.Last; c.Found > 0 {
			at := func(m analyze.Moment) moment { return moment{m.Time, m.Value} }
			list[i].Last = &repetition{r, at(r.Start), at(r.Turn), at(r.End)}
		}
	}
	return list
}
