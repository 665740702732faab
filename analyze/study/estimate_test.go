package study_test

import (
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// TestEstimates: with depth, the knees of squats from the front are estimated beside the measures, which stay as they are;
// from the side, and of elbows and feet, nothing is.
func TestEstimates(t *testing.T) {
	for name, want := range map[string]int{"squat_0_shift": 5, "squat_60": 0, "squat_90_slow": 0, "walk_treadmill_90": 0} {
		m := testkit.Rendered(t, name)
		plain, err := study.Run(m.Seq, quality.Report{})
		if err != nil {
			t.Fatal(err)
		}
		deep, err := study.Run(m.Guessed(), quality.Report{})
		if err != nil {
			t.Fatal(err)
		}
		if plain.Estimates != nil || len(deep.Estimates) != want {
			t.Errorf("%s: %d estimates without depth, and %d with it, want %d", name, len(plain.Estimates), len(deep.Estimates), want)
		}
		list := deep.Estimates
		for k, m := range deep.Measures { // depth tells from where it is seen, and so how sure a value is
			for i, v := range m.Values {
				if was := plain.Measures[k].Values[i]; v.Present && was.Present && v != was {
					t.Fatalf("%s, frame %d: %s is %v with depth, and %v without", name, i, m.Name, v, was)
				}
			}
		}
		for _, e := range list {
			for _, shown := range plain.Measures {
				if shown.Name == e.Name && shown.Trust != quality.TrustWithheld {
					t.Errorf("%s: %s is estimated, and shown", name, e.Name)
				}
			}
			if e.Type != analyze.KneeFlexion {
				continue
			}
			highest := 0.0
			for _, v := range m.Angles[string(e.Side)+"_knee"] {
				highest = max(highest, v)
			}
			if math.Abs(e.Peak.Value-highest) > 10 || e.Peak.Uncertainty != 8 || !e.Estimated || e.Trust != quality.TrustCare {
				t.Errorf("%s: %s %v, want %.0f", name, e.Name, e, highest)
			}
			if !strings.HasSuffix(e.String(), "± 8 (estimated)") {
				t.Errorf("it says %q", e)
			}
		}
	}
}

// TestEstimatesNeutral: estimates are against the neutral pose as measures are.
func TestEstimatesNeutral(t *testing.T) {
	m := testkit.Rendered(t, "squat_0_shift").Guessed()
	all, err := study.Run(m, quality.Report{})
	if err != nil {
		t.Fatal(err)
	}
	against, err := study.RunPart(m, quality.Report{}, keypoint.Span{Last: m.Len() - 1}, &analyze.Neutral{})
	if err != nil {
		t.Fatal(err)
	}
	if len(against.Estimates) == 0 {
		t.Fatal("nothing is estimated against the neutral pose")
	}
	for k, e := range against.Estimates {
		if e.Type == analyze.KneeFlexion && !(e.Min.X < all.Estimates[k].Min.X-1) {
			t.Errorf("%s is %.0f at least, and %.0f against the neutral pose", e.Name, all.Estimates[k].Min.X, e.Min.X)
		}
	}
}
