package analyze_test

import (
	"math"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
)

// frontalRules are the measures that show from the front.
func frontalRules() (rules []analyze.Rule) {
	for _, t := range []analyze.Type{analyze.KneeValgus, analyze.HipAbduction, analyze.HandHeight} {
		rules = append(rules, analyze.Rule{Type: t, Side: analyze.LeftSide}, analyze.Rule{Type: t, Side: analyze.RightSide})
	}
	for _, t := range []analyze.Type{analyze.TrunkSideLean, analyze.ShoulderLevel, analyze.StepWidth, analyze.KneeSeparation, analyze.HipHeight} {
		rules = append(rules, analyze.Rule{Type: t})
	}
	return rules
}

// TestFrontal: from the front and from behind, on exact keypoints, measures of the frontal plane are the truth within
// 7 degrees and 0.1 torso lengths, heights within a sixth, since cameras look down; and within 2.5 times their uncertainty.
func TestFrontal(t *testing.T) {
	for _, name := range []string{"squat_0_shift", "side_step_0", "lateral_raise_0_mirrored", "stand_180"} {
		m := testkit.Rendered(t, name)
		results, err := analyze.Run(m.Seq, frontalRules())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			worst, want := 0.0, m.Wanted(string(r.Type), string(r.Side))
			for i, v := range r.Values {
				if !v.Present {
					t.Fatalf("%s: %s is absent in frame %d", name, r.Name, i)
				}
				off, limit := math.Abs(v.X-want[i]), 7.0
				switch {
				case r.Type == analyze.HandHeight || r.Type == analyze.HipHeight:
					limit = want[i] / 6
				case r.Unit != "°":
					limit = 0.1
				}
				if off > limit || off > 2.5*r.Uncertainty[i].X {
					worst = max(worst, off)
				}
			}
			if worst > 0 {
				t.Errorf("%s: %s is off by %.2f%s", name, r.Name, worst, r.Unit)
			}
		}
	}
}

// TestFrontalObliquely: beyond 35 degrees a knee that bends looks like one that falls in, so that there is no value but a
// reason; heights stay.
func TestFrontalObliquely(t *testing.T) {
	for _, name := range []string{"squat_60", "squat_90_slow"} {
		results, err := analyze.Run(testkit.Rendered(t, name).Seq, frontalRules())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			height := r.Type == analyze.HandHeight || r.Type == analyze.HipHeight
			if height != (r.Coverage > 0.9) || height == (len(r.Warnings) > 0) {
				t.Errorf("%s: %s in %.0f %% of the frames, %v", name, r.Name, 100*r.Coverage, r.Warnings)
			}
		}
	}
}

// TestLengthsInMetres: with a scale lengths are metres.
func TestLengthsInMetres(t *testing.T) {
	m := testkit.Rendered(t, "squat_0_shift")
	m.Seq.World.MetresPerPixel = m.AtHips
	results, err := analyze.Run(m.Seq, frontalRules())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if want := m.Torso() * m.Wanted(string(r.Type), string(r.Side))[0]; r.Unit == "m" && math.Abs(r.Values[0].X-want) > 0.02+0.08*want {
			t.Errorf("%s %.3f m, want %.3f", r.Name, r.Values[0].X, want)
		}
	}
}
