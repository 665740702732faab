package examine_test

import (
	"testing"

	"github.com/bodymotion/motion/analyze/examine"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint/quality"
)

// TestExercise: an exercise alone, in a part of a recording: repetitions outside do not count.
func TestExercise(t *testing.T) {
	squat, _ := exercise.Shipped("squat")
	seq := testkit.Rendered(t, "squat_60").Seq
	judged, err := quality.Assess(quality.Input{Sequence: seq})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := examine.Request{Exercise: &squat}.Run(seq, judged)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Overview != nil || whole.Exercise == nil || len(whole.Exercise.Repetitions) != 3 {
		t.Fatalf("%+v", whole.Exercise)
	}
	second := whole.Exercise.Repetitions[1]
	part, err := examine.Request{Exercise: &squat, Overview: true, From: second.Start.Time - 0.2, To: second.End.Time + 0.2}.Run(seq, judged)
	if err != nil {
		t.Fatal(err)
	}
	if list := part.Exercise.Repetitions; part.Overview == nil || len(list) != 1 || list[0].Turn.Frame != second.Turn.Frame {
		t.Errorf("%+v", list)
	}
}
