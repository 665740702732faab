package live

import (
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/examine"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

const (
	gradedFrames  = 600 // the newest ones, in which repetitions are judged: 20 s at 30 per second
	gradeInterval = 1.0 // seconds between two looks
	ended         = 0.5 // seconds after which the end of a repetition is known, if no other one follows
)

// grader judges the repetitions of an exercise soon after they have ended.
type grader struct {
	exercise exercise.Definition
	clean    clean.Options
	looked   float64   // seconds
	starts   []float64 // of what was judged and is kept still, seconds
	grades
}

// grades are how an exercise has been done so far.
type grades struct {
	Count int    `json:"count"` // repetitions that count by the exercise
	Last  *grade `json:"last"`
}

// MarshalJSON writes numbers with at most four decimals.
func (g grades) MarshalJSON() ([]byte, error) {
	type plain grades
	return jsonappend.Marshal(plain(g), 4)
}

// grade is what became of a repetition, as in the result of an exercise.
type grade struct {
	Start    moment           `json:"start"`
	Turn     moment           `json:"turn"`
	End      moment           `json:"end"`
	Counted  bool             `json:"counted"`
	Outcome  exercise.Outcome `json:"outcome"`
	Sentence say.Text         `json:"sentence"`
}

type moment struct {
	Time  float64 `json:"time"`
	Value float64 `json:"value"`
}

// update is one with the grades, if there is an exercise.
type update struct {
	live.Message
	Exercise *grades `json:"exercise,omitempty"`
}

// end is the last message.
type end struct {
	live.End
	Exercise *grades `json:"exercise,omitempty"`
}

// graded returns the grades so far, nil without an exercise. From time to time it judges what has ended; seconds are +Inf when all is over.
func (c *connection) graded(seconds float64) *grades {
	if c.of == nil {
		return nil
	}
	if seconds-c.of.looked >= gradeInterval {
		c.of.looked = seconds
		if err := c.of.look(c.session.Sequence(), seconds); err != nil {
			c.log("judging repetitions failed", err)
		}
	}
	now := c.of.grades
	return &now
}

// look judges what has ended in the newest frames, from the start of a repetition on: from the middle of one, rest and turn would be
// exchanged. What turns before the last one has ended is part of it.
func (g *grader) look(seq keypoint.Sequence, seconds float64) error {
	if seq.Len() == 0 {
		return nil
	}
	for len(g.starts) > 0 && g.starts[0] < seq.Times[0] {
		g.starts = g.starts[1:]
	}
	if len(g.starts) > 0 {
		first, _ := slices.BinarySearch(seq.Times, g.starts[0])
		seq = seq.Slice(first, seq.Len()-1)
	}
	seq, changes, err := clean.Run(seq, g.clean)
	if err != nil {
		return err
	}
	judged, err := quality.Assess(quality.Input{Sequence: seq, Cleaning: changes})
	if err != nil {
		return err
	}
	found, err := examine.Request{Exercise: &g.exercise}.Run(seq, judged)
	if err != nil {
		return err
	}
	list := found.Exercise.Repetitions
	for i, r := range list {
		over := i < len(list)-1 || seconds-r.End.Time >= ended
		if !r.Complete || !over || g.Last != nil && r.Turn.Time <= g.Last.End.Time {
			continue
		}
		at := func(m analyze.Moment) moment { return moment{m.Time, m.Value} }
		g.starts = append(g.starts, r.Start.Time)
		g.Last = &grade{at(r.Start), at(r.Turn), at(r.End), r.Counted, r.Outcome, r.Sentence}
		if r.Counted {
			g.Count++
		}
	}
	return nil
}
