// Package livejson is the JSON of live pictures, the same over HTTP and on the command line. Numbers have
// at most four decimals, but times have six.
package livejson

import (
	"cmp"
	"image"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Update is what is known with a picture.
type Update struct {
	Type        string                   `json:"type"` // "update"
	Number      int                      `json:"number"`
	Time        float64                  `json:"time"` // seconds
	Size        [2]int                   `json:"size"`
	Keypoint    keypoint.Frame           `json:"keypoint"`
	Scores      map[keypoint.Part]Number `json:"scores"`
	Filled      []keypoint.Part          `json:"filled"`
	Changed     bool                     `json:"changed"`
	Values      []any                    `json:"values"`      // number, [x, y] or null
	Uncertainty []*Number                `json:"uncertainty"` // of values
	Why         []*quality.Code          `json:"why"`         // values are null; null for the others
	Repetitions []*Repetitions           `json:"repetitions"`
	Movement    study.Movement           `json:"movement,omitempty"`
	Lead        *int                     `json:"lead"` // the rule whose repetitions count
	Notes       []note                   `json:"notes"`
	Dropped     int                      `json:"dropped"`
	Took        *Number                  `json:"took,omitempty"` // seconds from when the picture was received
}

// Number is a number with at most four decimals.
type Number = jsonappend.Rounded

// Repetitions are those of a rule so far.
type Repetitions struct {
	Count    int         `json:"count"`
	Complete int         `json:"complete"`
	Settled  bool        `json:"settled"`
	Last     *repetition `json:"last"`
}

// repetition is the newest one, as the record of an analysis has it, without the numbers of frames.
type repetition struct {
	Complete bool   `json:"complete"`
	Shallow  bool   `json:"shallow"`
	Start    moment `json:"start"`
	Turn     moment `json:"turn"`
	End      moment `json:"end"`
	Depth    Number `json:"depth"`
	Share    Number `json:"depthShare"`
	Duration Number `json:"duration"`
	Out      Number `json:"out"`
	Hold     Number `json:"hold"`
	Back     Number `json:"back"`
}

type moment struct {
	Time  Number `json:"time"`
	Value Number `json:"value"`
}

// note is what hinders measuring.
type note struct {
	Code   quality.Code    `json:"code"`
	Detail string          `json:"detail"`
	Parts  []keypoint.Part `json:"parts"`
}

// End is what was seen in all.
type End struct {
	Type        string         `json:"type"` // "end"
	Pictures    int            `json:"pictures"`
	Dropped     int            `json:"dropped"`
	Repetitions []*Repetitions `json:"repetitions"`
}

// UpdateOf returns an update of a picture of that size.
func UpdateOf(u live.Update, size image.Point, rules []analyze.Rule) Update {
	m := Update{
		Type: "update", Number: u.Number, Time: u.Time, Size: [2]int{size.X, size.Y}, Keypoint: u.Keypoints,
		Scores: map[keypoint.Part]Number{}, Filled: []keypoint.Part{}, Changed: u.Changed,
		Values: make([]any, len(u.Values)), Repetitions: RepetitionsOf(u.Counts, rules), Dropped: u.Dropped,
		Uncertainty: make([]*Number, len(u.Values)), Why: make([]*quality.Code, len(u.Values)), Movement: u.Verdict.Movement, Notes: []note{},
	}
	if u.Verdict.Lead >= 0 {
		m.Lead = &u.Verdict.Lead
	}
	for _, w := range u.Verdict.Notes {
		m.Notes = append(m.Notes, note{w.Code, w.Detail, append([]keypoint.Part{}, w.Parts.List()...)})
	}
	for _, part := range u.Keypoints.Present().List() {
		m.Scores[part] = Number(u.Keypoints.Confidence(part))
		if u.Changes[part]&clean.Filled != 0 {
			m.Filled = append(m.Filled, part)
		}
	}
	for i := range u.Values {
		v, why := Shown(u, rules[i], i)
		switch {
		case !v.Present:
			m.Why[i] = &why
		case rules[i].Type.Pair():
			m.Values[i] = [2]Number{Number(v.X), Number(v.Y)}
		default:
			m.Values[i] = Number(v.X)
		}
		if sigma := u.Uncertainty[i]; v.Present && sigma.Present {
			m.Uncertainty[i] = new(Number(sigma.X))
		}
	}
	return m
}

// Shown returns the value of rule i, or why it is withheld.
func Shown(u live.Update, rule analyze.Rule, i int) (v analyze.Value, why quality.Code) {
	v, why = u.Values[i], u.Why[i]
	if sigma := u.Uncertainty[i]; v.Present && rule.Type.Unit() == "°" && (!sigma.Present || study.TrustOf(sigma.X) == study.Withheld) {
		return analyze.Value{}, cmp.Or(why, study.CodeUncertain)
	}
	return v, why
}

// RepetitionsOf returns the counts of rules, nil for a rule that does not ask for them.
func RepetitionsOf(counts []analyze.Count, rules []analyze.Rule) []*Repetitions {
	list := make([]*Repetitions, len(counts))
	for i, c := range counts {
		if rules[i].Repetitions == nil {
			continue
		}
		list[i] = &Repetitions{Count: c.Found, Complete: c.Complete, Settled: c.Settled}
		if c.Found > 0 {
			r := c.Last
			list[i].Last = &repetition{
				Complete: r.Complete, Shallow: r.Shallow,
				Start: moment{Number(r.Start.Time), Number(r.Start.Value)},
				Turn:  moment{Number(r.Turn.Time), Number(r.Turn.Value)},
				End:   moment{Number(r.End.Time), Number(r.End.Value)},
				Depth: Number(r.Depth), Share: Number(r.DepthShare), Duration: Number(r.Duration),
				Out: Number(r.Out), Hold: Number(r.Hold), Back: Number(r.Back),
			}
		}
	}
	return list
}
