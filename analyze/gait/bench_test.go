package gait_test

import (
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// BenchmarkAll analyses 1,800 frames: the flexion of both knees and hips, the repetitions and the mean stride of
// each, gait, and jumps.
func BenchmarkAll(b *testing.B) {
	walk := testkit.Rendered(b, "walk_treadmill_90").Seq
	var seq keypoint.Sequence
	for i := range 1800 {
		seq.Frames, seq.Times = append(seq.Frames, walk.Frames[i%walk.Len()]), append(seq.Times, float64(i)/30)
	}
	var rules []analyze.Rule
	for _, side := range []analyze.Side{analyze.LeftSide, analyze.RightSide} {
		rules = append(rules, analyze.Rule{Type: analyze.KneeFlexion, Side: side}, analyze.Rule{Type: analyze.HipFlexion, Side: side})
	}
	b.ReportAllocs()
	for b.Loop() {
		g, err := gait.Analyze(seq, gait.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := jump.Analyze(seq); err != nil {
			b.Fatal(err)
		}
		results, err := analyze.Run(seq, rules)
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range results {
			if _, err := analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{}); err != nil {
				b.Fatal(err)
			}
			gait.Band(&g, r.Side, seq.Times, r.Values)
		}
	}
}
