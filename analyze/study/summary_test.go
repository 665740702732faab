package study_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

// TestSummary: the summary names the lead, says by how much an oblique view misleads and what to do, and is in both languages; where
// nothing that moves can be measured, it names that. The tempo says whose it is.
func TestSummary(t *testing.T) {
	for name, want := range map[string]struct {
		title, limit, do string
		show             analyze.Type
		tempo            string
	}{
		"squat_60":                 {"With care: 3 squats, left knee flexion 104° ± ", "Filmed 60° from the front, left knee flexion is less sure", "Move the camera 30° to the side.", analyze.KneeFlexion, "knee down 0."},
		"squat_0_shift":            {"3 squats, counted by the height of the hips", "Filmed from the front, ", "Film from the side.", analyze.HipHeight, "hip height down "},
		"squat_90_slow":            {"Good: ", "", "", analyze.KneeFlexion, "knee down "},
		"lateral_raise_0_mirrored": {"With care: 3 raises of the arms, left shoulder abduction ", "Left shoulder abduction is less sure", "One camera cannot do better", analyze.ShoulderAbduction, "shoulder abduction up "},
		"curl_60":                  {" elbow flexion ", " elbow flexion is less sure", "Move the camera", analyze.ElbowFlexion, "elbow up "},
		"sit_to_stand_90":          {"Good: ", "", "", analyze.KneeFlexion, "knee up "},
		"side_step_0":              {"Good: 4 repetitions, left hip abduction ", "", "", analyze.HipAbduction, "hip abduction out "},
	} {
		s := studied(t, testkit.Rendered(t, name).Seq)
		en := say.English
		if !strings.Contains(s.Summary.Title[en], want.title) || !strings.Contains(s.Summary.Limit[en], want.limit) || !strings.Contains(s.Summary.Do[en], want.do) {
			t.Errorf("%s: %v %v %v", name, s.Summary.Title, s.Summary.Limit, s.Summary.Do)
		}
		if len(s.Summary.Title) != 2 || (s.Summary.Limit == nil) != (s.Summary.Do == nil) || !slices.Contains(s.Show, want.show) || !strings.HasPrefix(s.Summary.Tempo[en], want.tempo) {
			t.Errorf("%s: %v, show %v", name, s.Summary, s.Show)
		}
	}
	// The forearms of somebody who faces the camera are moved up and down.
	seq := testkit.Rendered(t, "stand_180").Seq.Clone()
	for i := range seq.Frames {
		for _, wrist := range []keypoint.Part{keypoint.LeftWrist, keypoint.RightWrist} {
			at, _ := seq.Frames[i].At(wrist)
			if i/20%2 == 1 {
				elbow, _ := seq.Frames[i].At(wrist - 2)
				at = keypoint.Point{at[0], 2*elbow[1] - at[1]}
			}
			seq.Frames[i].Set(wrist, at, 0.9)
		}
	}
	s := studied(t, seq)
	if s.Lead != nil || !slices.Contains(s.Show, analyze.ElbowFlexion) || s.Summary.Title[say.English] != "3 repetitions, elbow flexion: not visible from behind" || s.Summary.Do == nil {
		t.Errorf("curls from behind: %v, %v, show %v", s.Lead, s.Summary, s.Show)
	}
	if seq.Damage = "120 of its 300 frames can be decoded."; studied(t, seq).Summary.Limit[say.English] != "The movie is damaged or incomplete." {
		t.Errorf("half a movie: %v", studied(t, seq).Summary)
	}
}

// TestTitlesHold: a title that has an amount has its ±, and the truth lies within twice that.
func TestTitlesHold(t *testing.T) {
	keys := map[analyze.Type]string{
		analyze.KneeFlexion: "_knee", analyze.HipFlexion: "_hip", analyze.ElbowFlexion: "_elbow", analyze.ShoulderAbduction: "_shoulder_abduction",
		analyze.HipAbduction: "_hip_abduction",
	}
	told := 0
	for _, name := range []string{
		"hinge_90", "lateral_raise_0_mirrored", "lunge_90", "push_up_90", "side_step_0", "sit_to_stand_90", "squat_60", "squat_90_slow", "walk_across_90",
		"walk_treadmill_90", "run_treadmill_90", "jump_90_120fps",
	} {
		m := testkit.Rendered(t, name)
		s := studied(t, m.Seq)
		if title := s.Summary.Title[say.English]; !strings.Contains(title, " ± ") {
			t.Errorf("%s: %q has no ±", name, title)
		}
		if s.Lead == nil || s.Gait != nil || len(s.Jumps) > 0 {
			continue
		}
		var truth []float64
		for _, v := range m.Angles[string(s.Lead.Side)+keys[s.Lead.Type]] {
			if !math.IsNaN(v) {
				truth = append(truth, v)
			}
		}
		leads := func(m study.Measure) bool { return m.Type == s.Lead.Type && m.Side == s.Lead.Side }
		peak := s.Measures[slices.IndexFunc(s.Measures, leads)].Peak
		if len(truth) == 0 || math.Abs(peak.Value-slices.Max(truth)) > 2*peak.Uncertainty {
			t.Errorf("%s: %v %v is %.0f ± %.0f, of %d true values", name, s.Lead.Side, s.Lead.Type, peak.Value, peak.Uncertainty, len(truth))
		}
		told++
	}
	if told < 8 {
		t.Errorf("only %d titles were compared with the truth", told)
	}
}

// TestLeansForwards: a trunk that leans forwards leans to the side in an oblique picture; it is not told as a side lean that is good.
func TestLeansForwards(t *testing.T) {
	for _, name := range []string{"squat_30_phone", "squat_0_shift"} {
		m := testkit.Rendered(t, name)
		s := studied(t, m.Seq)
		lean := s.Measures[slices.IndexFunc(s.Measures, func(m study.Measure) bool { return m.Type == analyze.TrunkSideLean })]
		for i, v := range lean.Values {
			if sigma := lean.Uncertainty[i].X; v.Present && math.Abs(v.X-m.Angles["trunk_side"][i]) > 2*sigma {
				t.Errorf("%s, frame %d: %.0f ± %.0f, and it is %.0f", name, i, v.X, sigma, m.Angles["trunk_side"][i])
			}
		}
	}
}
