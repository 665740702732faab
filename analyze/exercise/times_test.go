package exercise_test

import (
	"slices"
	"testing"

	lab "github.com/bodymotion/motion/internal/testkit/rendered"
)

// mistaken are the movies in which repetitions are lost or invented: lunges whose legs are exchanged while they are deep.
var mistaken = []string{"lunge_near_lean_m90", "lunge_short_90"}

// TestTimes: the study of a movie has its repetitions by their times, each once, but for the known mistakes.
func TestTimes(t *testing.T) {
	for _, f := range rendered(t) {
		var reps []lab.Rep
		for _, r := range f.Reps {
			reps = append(reps, lab.Rep(r))
		}
		var turns []float64
		for _, j := range f.shown.Jumps {
			turns = append(turns, j.TakeOff.Time)
		}
		if r := f.shown.Repetitions; r != nil {
			for _, one := range r.List {
				turns = append(turns, one.Turn.Time)
			}
		}
		if right, lost, invented := lab.Matched(reps, turns); (lost+invented > 0) != slices.Contains(mistaken, f.Name) {
			t.Errorf("%s, %s: %d repetitions right, %d lost, %d invented", f.Name, f.Motion.Kind, right, lost, invented)
		}
	}
}
