package analyze_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// TestNeutral: against quiet standing angles are 0 where the person stands, and everything that follows from them moves
// along; lengths and points stay.
func TestNeutral(t *testing.T) {
	for _, name := range []string{"squat_90_slow", "hinge_90", "squat_0_shift"} {
		seq := testkit.Rendered(t, name).Seq
		rules := []analyze.Rule{
			{Type: analyze.KneeFlexion, Symmetry: true, Statistics: true}, {Type: analyze.TrunkLean}, {Type: analyze.HipHeight},
			{Type: analyze.JointFlexion, Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)},
		}
		if name == "squat_0_shift" {
			rules[0].Type, rules[1].Type = analyze.HipAbduction, analyze.TrunkSideLean
		}
		used, err := analyze.Neutral{}.Find(seq)
		if err != nil || used.To-used.From < 0.5 {
			t.Fatalf("%s: %+v (%v)", name, used, err)
		}
		plain := runRules(t, seq, rules...)
		neutral, err := analyze.RunWith(seq, rules, analyze.Options{Neutral: &used})
		if err != nil {
			t.Fatal(err)
		}
		for k, r := range neutral {
			moved := plain[k].Values[0].X - r.Values[0].X
			if k >= 2 && moved != 0 {
				t.Errorf("%s: %s moved by %v", name, r.Name, moved)
			}
			for i, v := range r.Values {
				if at := seq.Times[i]; k < 2 && at >= used.From && at <= used.To && math.Abs(v.X) > 2 {
					t.Errorf("%s: %s is %.1f at %.2f s", name, r.Name, v.X, at)
				}
			}
		}
		low, was := neutral[0].Statistics[analyze.Min].X, plain[0].Statistics[analyze.Min].X
		if moved := plain[0].Values[0].X - neutral[0].Values[0].X; math.Abs(was-low-moved) > 1e-9 {
			t.Errorf("%s: the minimum %.2f, was %.2f, values moved by %.2f", name, low, was, moved)
		}
		if other := neutral[0].Symmetry.OtherSide.Values[0]; math.Abs(other.X) > 2 {
			t.Errorf("%s: the other side is %.1f at rest", name, other.X)
		}
	}
}

// TestNoNeutral: those who walk, run or sit do not stand still.
func TestNoNeutral(t *testing.T) {
	rules := []analyze.Rule{{Type: analyze.TrunkLean}}
	for _, name := range []string{"walk_across_90", "walk_treadmill_90", "run_treadmill_90", "push_up_90"} {
		seq := testkit.Rendered(t, name).Seq
		if used, err := (analyze.Neutral{}).Find(seq); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %+v (%v)", name, used, err)
		}
		if used, err := (analyze.Neutral{From: 0.5, To: 1}).Find(seq); err != nil || used.From < 0.49 || used.To > 1.01 {
			t.Errorf("%s: %+v (%v)", name, used, err)
		}
	}
	if _, err := analyze.RunWith(keypoint.Sequence{}, rules, analyze.Options{Neutral: &analyze.Neutral{}}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("nothing: %v", err)
	}
}

func TestParseNeutral(t *testing.T) {
	for text, want := range map[string]*analyze.Neutral{`"auto"`: {}, `{"from": 0.5, "to": 1.5}`: {From: 0.5, To: 1.5}, `{"to": 1}`: {To: 1}, `false`: nil, `null`: nil} {
		if n, err := analyze.ParseNeutral([]byte(text)); err != nil || (n == nil) != (want == nil) || n != nil && *n != *want {
			t.Errorf("%s: %+v (%v)", text, n, err)
		}
	}
	for text, want := range map[string]string{`true`: "object", `"some"`: "auto", `{"from": 1}`: "/to", `{"from": 2, "to": 1}`: "more seconds than from", `{"from": -1, "to": 1}`: "0 or more", `{"at": 1}`: "/at", `3`: "object"} {
		if _, err := analyze.ParseNeutral([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
