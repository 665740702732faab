package study_test

import (
	"math"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// TestInSpace studies people whom several cameras see: whatever the first picture shows, knees and hips are good, and
// movements and repetitions are told as from the side.
func TestInSpace(t *testing.T) {
	for name, want := range map[string]study.Movement{
		"squat_0_shift": "squat", "squat_60": "squat", "sit_to_stand_90": "sitToStand", "hinge_90": "hinge", "lunge_90": "lunge",
		"push_up_90": "pushUp", "curl_60": "curl", "lateral_raise_0_mirrored": "raise", "jump_90_120fps": "jump",
		"stand_180": "still", "walk_across_90": "walking", "run_treadmill_90": "running",
	} {
		movie := testkit.Rendered(t, name)
		s := studied(t, movie.InSpace())
		if s.Movement != want || s.Verdict == quality.Poor || len(s.Notes) > 0 {
			t.Errorf("%s: %s, %s, %v", name, s.Movement, s.Verdict, s.Notes)
		}
		for _, m := range s.Measures {
			if leg := m.Type == analyze.KneeFlexion || m.Type == analyze.HipFlexion; leg && m.Trust == quality.TrustWithheld {
				t.Errorf("%s: %s is %s: %v", name, m.Name, m.Trust, m.Why)
			}
		}
		if s.Gait == nil && s.Jumps == nil && s.Movement != "still" && (s.Repetitions == nil || s.Repetitions.Complete != len(movie.Reps)) {
			t.Errorf("%s: repetitions %+v, want %d", name, s.Repetitions, len(movie.Reps))
		}
	}
}

// TestUnseenInSpace: an elbow that no camera sees is hidden, and an arm whose place is unsure is withheld.
func TestUnseenInSpace(t *testing.T) {
	seq := testkit.Rendered(t, "curl_60").InSpace()
	for i := range seq.Frames {
		places := *seq.Frames[i].Positions()
		if i > 10 {
			places.Set(keypoint.LeftElbow, keypoint.Position{math.NaN()}, 0) // unknown
		}
		at, _ := places.At(keypoint.RightElbow)
		places.Set(keypoint.RightElbow, at, 0.2)
		seq.Frames[i].SetPositions(&places)
	}
	s := studied(t, seq)
	for side, why := range map[analyze.Side]quality.Code{analyze.LeftSide: quality.CodeHidden, analyze.RightSide: quality.CodeUncertain} {
		if m := of(t, s, analyze.ElbowFlexion, side); m.Trust != quality.TrustWithheld || len(m.Why) == 0 || m.Why[0] != why {
			t.Errorf("%s: %s %v", m.Name, m.Trust, m.Why)
		}
	}
}
