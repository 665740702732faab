package study_test

import (
	"math"
	"slices"
	"testing"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/recorded"
	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// turns returns when the repetitions and jumps that are told turn.
func turns(s study.Study) (list []float64) {
	for _, j := range s.Jumps {
		list = append(list, j.TakeOff.Time)
	}
	if s.Repetitions != nil {
		for _, r := range s.Repetitions.List {
			list = append(list, r.Turn.Time)
		}
	}
	return list
}

// misses are the clips of which repetitions are lost or invented, by what sees them.
var misses = map[string][]string{
	"45°": {"ui_s07_hurdle_step", "ui_s10_hurdle_step"},
}

// TestRecorded: the repetitions of recorded people are found by their times, each once, in space and as cameras without errors see
// them, but for the known misses.
func TestRecorded(t *testing.T) {
	for name, sees := range map[string]func(c *recorded.Clip) (keypoint.Sequence, quality.Report){
		"in space": func(c *recorded.Clip) (keypoint.Sequence, quality.Report) { return c.Places(), quality.Report{} },
		"45°":      from(t, 45), "side": from(t, 90),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, c := range testkit.Recorded(t) {
				seq, judged := sees(c)
				s, err := study.Run(seq, judged)
				if err != nil {
					t.Fatal(err)
				}
				if r := s.Repetitions; r != nil && s.Lead == nil && (r.Low.Present || r.Hold.Count > 0 || math.Abs(r.Depth.Mean-1) > 0.2) {
					t.Errorf("%s: what is withheld has a depth of %v", c.Name, r.Depth)
				}
				for _, m := range s.Measures {
					if m.Unit == "°" && m.Peak != nil && (m.Peak.Value > 220 || m.Range.X >= 360) {
						t.Errorf("%s: the %s is %v, over %.0f°", c.Name, m.Name, m, m.Range.X)
					}
				}
				right, lost, invented := rendered.Matched(c.Reps, turns(s))
				if (lost+invented > 0) != slices.Contains(misses[name], c.Name) {
					t.Errorf("%s, %s: %d repetitions right, %d lost, %d invented", c.Name, s.Movement, right, lost, invented)
				}
			}
		})
	}
}

// from returns what a camera sees, cleaned.
func from(t *testing.T, view float64) func(c *recorded.Clip) (keypoint.Sequence, quality.Report) {
	return func(c *recorded.Clip) (keypoint.Sequence, quality.Report) {
		return cleaned(t, c.Seen(c.Camera(view), false))
	}
}

// cleaned returns a sequence cleaned and judged.
func cleaned(t *testing.T, raw keypoint.Sequence) (keypoint.Sequence, quality.Report) {
	t.Helper()
	seq, report, err := clean.Run(raw, clean.Default())
	if err != nil {
		t.Fatal(err)
	}
	judged, err := quality.Assess(quality.Input{Sequence: seq, Cleaning: report})
	if err != nil {
		t.Fatal(err)
	}
	return seq, judged
}
