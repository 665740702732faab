package study_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

// TestSummary: the summary names the lead, says by how much an oblique view misleads and what to do, and is in both languages; where
// nothing that moves can be measured, it names that.
func TestSummary(t *testing.T) {
	for name, want := range map[string]struct {
		title, limit, do string
		show             analyze.Type
		ways             []string
	}{
		"squat_60":        {"With care: 3 squats, left knee flexion 104° ± ", "Filmed 58° from the front, left knee flexion is less sure", "Move the camera 30° to the side.", analyze.KneeFlexion, []string{"down", "up"}},
		"squat_0_shift":   {"3 squats, counted by the height of the hips", "Filmed from the front, ", "Film from the side.", analyze.HipHeight, []string{"down", "up"}},
		"squat_90_slow":   {"Good: ", "", "", analyze.KneeFlexion, []string{"down", "up"}},
		"curl_60":         {" elbow flexion ", " elbow flexion is less sure", "Move the camera", analyze.ElbowFlexion, []string{"up", "down"}},
		"sit_to_stand_90": {"Good: ", "", "", analyze.KneeFlexion, []string{"up", "down"}},
		"side_step_0":     {"Good: ", "", "", analyze.HipAbduction, []string{"out", "back"}},
	} {
		s := studied(t, testkit.Rendered(t, name).Seq)
		en := say.English
		if !strings.Contains(s.Summary.Title[en], want.title) || !strings.Contains(s.Summary.Limit[en], want.limit) || !strings.Contains(s.Summary.Do[en], want.do) {
			t.Errorf("%s: %v %v %v", name, s.Summary.Title, s.Summary.Limit, s.Summary.Do)
		}
		if len(s.Summary.Title) != 2 || (s.Summary.Limit == nil) != (s.Summary.Do == nil) || !slices.Contains(s.Show, want.show) || !slices.Equal(s.Ways, want.ways) {
			t.Errorf("%s: %v, show %v, ways %v", name, s.Summary, s.Show, s.Ways)
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
	if s.Lead != nil || !slices.Contains(s.Show, analyze.ElbowFlexion) || s.Summary.Title[say.English] != "Elbow flexion: not visible from behind" || s.Summary.Do == nil {
		t.Errorf("curls from behind: %v, %v, show %v", s.Lead, s.Summary, s.Show)
	}
}
