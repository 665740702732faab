// Package livejson is the JSON of live pictures, the same over HTTP and on the command line. Numbers have
// at most four decimals, but times have six.
package livejson

import (
	"image"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
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
	Values      []any                    `json:"values"` // number, [x, y] or null
	Repetitions []*Repetitions           `json:"repetitions"`
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
	}
	for _, part := range u.Keypoints.Present().List() {
		m.Scores[part] = Number(u.Keypoints.Confidence(part))
		if u.Changes[part]&clean.Filled != 0 {
			m.Filled = append(m.Filled, part)
		}
	}
	for i, v := range u.Values {
		switch {
		case v.Present && rules[i].Type.Pair():
			m.Values[i] = [2]Number{Number(v.X), Number(v.Y)}
		case v.Present:
			m.Values[i] = Number(v.X)
		}
	}
	return m
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
