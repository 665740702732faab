package study_test

import (
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/recorded"
	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// TestEstimates: with depth, the knees of squats from the front are estimated beside the measures, which stay as they are;
// from the side, and of elbows and feet, nothing is.
func TestEstimates(t *testing.T) {
	for name, want := range map[string]int{"squat_0_shift": 5, "squat_60": 0, "squat_90_slow": 0, "walk_treadmill_90": 0} {
		m := testkit.Rendered(t, name)
		plain, deep := unjudged(t, m.Seq, nil), unjudged(t, m.Guessed(), nil)
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
			if math.Abs(e.Peak.Value-highest) > 10 || !(e.Peak.Uncertainty >= 14 && e.Peak.Uncertainty < 16) || !e.Estimated || e.Trust != quality.TrustCare {
				t.Errorf("%s: %s %v, want %.0f", name, e.Name, e, highest)
			}
			if text := e.String(); !strings.Contains(text, "° ± 1") || !strings.HasSuffix(text, " (estimated)") {
				t.Errorf("it says %q", text)
			}
		}
	}
}

// TestEstimatesNeutral: estimates are against the neutral pose as measures are.
func TestEstimatesNeutral(t *testing.T) {
	m := testkit.Rendered(t, "squat_0_shift").Guessed()
	all, against := unjudged(t, m, nil), unjudged(t, m, &analyze.Neutral{})
	if len(against.Estimates) == 0 {
		t.Fatal("nothing is estimated against the neutral pose")
	}
	for k, e := range against.Estimates {
		if e.Type == analyze.KneeFlexion && !(e.Min.X < all.Estimates[k].Min.X-1) {
			t.Errorf("%s is %.0f at least, and %.0f against the neutral pose", e.Name, all.Estimates[k].Min.X, e.Min.X)
		}
	}
}

// guessed returns what a camera sees of a clip with the errors of networks in the picture and in depth, cleaned.
func guessed(t *testing.T, c *recorded.Clip, view float64) (keypoint.Sequence, quality.Report) {
	camera := c.Camera(view)
	seq := c.Seen(camera, true)
	c.Guess(seq, camera)
	return cleaned(t, seq)
}

// held counts the values of estimates, and those within two uncertainties of what the places tell.
func held(t *testing.T, c *recorded.Clip, list []study.Measure) (right, all float64) {
	for _, e := range list {
		want, err := analyze.Run(c.Places(), []analyze.Rule{e.Rule()})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want[0].Values {
			if !v.Present || !e.Values[i].Present {
				continue
			}
			if all++; math.Abs(math.Remainder(e.Values[i].X-v.X, 360)) <= 2*e.Uncertainty[i].X {
				right++
			}
		}
	}
	return right, all
}

// TestEstimatesRecorded: what is estimated of recorded people who squat, sit down and rise holds as surely as it says, and nothing under a
// title with an estimate says not to use it; of lunges nothing is estimated.
func TestEstimatesRecorded(t *testing.T) {
	for movement, views := range map[string][]float64{"deep_squat": {0, 170}, "sit_to_stand": {30}, "side_lunge": {30}} {
		right, all := 0.0, 0.0
		for _, c := range testkit.Recorded(t) {
			if c.Movement != movement {
				continue
			}
			for _, view := range views {
				c := c.Still(1.5)
				said, err := study.Run(guessed(t, c, view))
				if err != nil {
					t.Fatal(err)
				}
				if said.Movement == "lunge" && said.Estimates != nil {
					t.Errorf("%s from %v: %v is estimated of a lunge", c.Name, view, said.Estimates[0].Name)
				}
				title, limit := said.Summary.Title.String(), said.Summary.Limit.String()
				if strings.Contains(title, "(estimated)") && !strings.HasSuffix(limit, "estimated, not measured.") {
					t.Errorf("%s from %v: under %q it says %q", c.Name, view, title, limit)
				}
				r, n := held(t, c, said.Estimates)
				right, all = right+r, all+n
			}
		}
		t.Logf("%s: %.1f %% of %.0f values hold", movement, 100*right/all, all)
		if movement == "side_lunge" && all > 1000 { // one of five people bends both knees nearly alike
			t.Errorf("%s: %.0f values of a movement whose knees bend unalike are estimated", movement, all)
		}
		if movement != "side_lunge" && (all < 4000 || right < 0.9*all) {
			t.Errorf("%s: %.0f of %.0f values are within two uncertainties", movement, right, all)
		}
	}
}

// TestEstimatesJump: how knees bend before a jump and after it is estimated from the front.
func TestEstimatesJump(t *testing.T) {
	known, err := rendered.Read(testkit.Truth(t, "jump_90_120fps"))
	if err != nil {
		t.Fatal(err)
	}
	c := (&recorded.Clip{Name: "jump", Parts: known.Known, Times: known.Parts.Times, World: known.World}).Still(1.5)
	for i := range c.World { // it is recorded from the side
		for p, at := range c.World[i] {
			c.World[i][p] = keypoint.Position{-at[2], at[1], at[0]}
		}
	}
	said, err := study.Run(guessed(t, c, 10))
	if err != nil {
		t.Fatal(err)
	}
	right, all := held(t, c, said.Estimates)
	t.Logf("%s: %.1f %% of %.0f values hold", said.Movement, 100*right/all, all)
	if len(said.Jumps) != 1 || len(said.Estimates) < 4 || all < 1000 || right < 0.9*all {
		t.Errorf("%d jumps, %d estimates, %.0f of %.0f values are within two uncertainties", len(said.Jumps), len(said.Estimates), right, all)
	}
}
