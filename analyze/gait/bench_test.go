package gait_test

import (
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
)

// BenchmarkAll analyses 1,800 frames: two rules for both sides, the repetitions of each, gait, the bands of
// the stride, and jumps.
func BenchmarkAll(b *testing.B) {
	walk := rendered.Read(b, "walk_treadmill_90").Seq
	var seq keypoint.Sequence
	for i := range 1800 {
		seq.Frames, seq.Times = append(seq.Frames, walk.Frames[i%walk.Len()]), append(seq.Times, float64(i)/30)
	}
	rules := []analyze.Rule{
		{Type: analyze.JointFlexion, Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)},
		{Type: analyze.JointFlexion, Points: keypoint.PartSelectors(keypoint.LeftShoulder, keypoint.LeftHip, keypoint.LeftKnee)},
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
		for _, rule := range rules {
			s, err := analyze.RunSides(seq, rule)
			if err != nil {
				b.Fatal(err)
			}
			for side, r := range map[analyze.Side]analyze.Result{analyze.LeftSide: s.Left, analyze.RightSide: s.Right} {
				if _, err := analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{}); err != nil {
					b.Fatal(err)
				}
				g.Band(side, seq.Times, r.Values)
			}
		}
	}
}
