package study_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/recorded"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// exchanged returns the sequence with left and right exchanged in some frames.
func exchanged(seq keypoint.Sequence, frames ...int) keypoint.Sequence {
	seq = seq.Clone()
	for _, i := range frames {
		for p := range keypoint.Part(keypoint.NumParts) {
			if p < p.Mirror() {
				seq.Frames[i].Exchange(p)
			}
		}
	}
	return seq
}

// TestLeadExchanged: push-ups lead with the elbow, also if left and right are exchanged in a frame.
func TestLeadExchanged(t *testing.T) {
	seq := testkit.Rendered(t, "push_up_90").Seq
	for i := 0; i < seq.Len(); i += 40 {
		s := studied(t, exchanged(seq, i))
		if s.Movement != "pushUp" || s.Lead == nil || s.Lead.Type != analyze.ElbowFlexion || len(s.Repetitions.List) != 3 {
			t.Errorf("exchanged in frame %d: %s, %v, %q", i, s.Movement, s.Lead, s.Summary.Title)
		}
	}
}

// TestUpright: of somebody who stands it is told how level shoulders and pelvis are, and how far the trunk leans aside, from behind and
// from the front.
func TestUpright(t *testing.T) {
	behind := testkit.Rendered(t, "stand_180").Seq
	all := make([]int, behind.Len())
	for i := range all {
		all[i] = i
	}
	for _, seq := range []keypoint.Sequence{behind, exchanged(behind, all...)} {
		s := studied(t, seq)
		if !slices.Equal(s.Show, []analyze.Type{analyze.ShoulderLevel, analyze.PelvicTilt, analyze.TrunkSideLean}) ||
			!strings.HasPrefix(s.Summary.Title[say.English], "Good: standing still, shoulder level ") || len(s.Summary.Tells) != 2 {
			t.Errorf("%v: %q, %q, %v", s.Facing, s.Summary.Title, s.Summary.Tells, s.Show)
		}
	}
}

// seenAs studies a clip as a camera without errors sees it.
func seenAs(t *testing.T, c *recorded.Clip, view float64) study.Study {
	t.Helper()
	seq, judged := from(t, view)(c)
	s, err := study.Run(seq, judged)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestArmsForward: from the front, squats with arms that point at the camera have no abduction, nor is one a fact of those with arms
// held elsewhere. Raises lead with it.
func TestArmsForward(t *testing.T) {
	squats, raises := 0, 0
	for _, c := range testkit.Recorded(t) {
		squat := strings.Contains(c.Name, "squat") || strings.Contains(c.Name, "sit")
		if !squat && !strings.Contains(c.Name, "scaption") && !strings.Contains(c.Name, "abduction") {
			continue
		}
		s := seenAs(t, c, 0)
		if !squat {
			if raises++; s.Movement == "raise" && s.Lead.Type != analyze.ShoulderAbduction || s.Movement != "raise" && s.Lead != nil && s.Lead.Type == analyze.ShoulderFlexion {
				t.Errorf("%s: %s, %v leads", c.Name, s.Movement, *s.Lead)
			}
			continue
		}
		squats++
		for _, told := range s.Summary.Tells {
			if strings.Contains(told[say.English], "abduction") {
				t.Errorf("%s: %q", c.Name, told)
			}
		}
		for i := range c.World {
			w := &c.World[i]
			for _, shoulder := range []keypoint.Part{keypoint.LeftShoulder, keypoint.RightShoulder} {
				for k := keypoint.Part(2); k <= 4; k += 2 { // elbow and wrist
					w[shoulder+k] = w[shoulder+k-2].Add(keypoint.Position{0, 0, w[shoulder+k].Sub(w[shoulder+k-2]).Len()})
				}
			}
		}
		for _, m := range seenAs(t, c, 0).Measures {
			if m.Type == analyze.ShoulderAbduction && m.Trust != quality.TrustWithheld {
				t.Errorf("%s: %s %v of an arm that points at the camera", c.Name, m.Name, m)
			}
		}
	}
	if squats < 4 || raises < 4 {
		t.Errorf("%d squats, %d raises", squats, raises)
	}
}

// TestVerdicts: the verdict is what the amount of the title is worth by its uncertainty, whatever the rate of the pictures.
func TestVerdicts(t *testing.T) {
	verdicts := map[quality.Trust]quality.Verdict{quality.TrustGood: quality.Good, quality.TrustCare: quality.Usable}
	for _, name := range []string{"hinge_90", "lunge_90", "push_up_90", "side_step_0", "sit_to_stand_90", "squat_60", "squat_90_slow"} {
		s := studied(t, testkit.Rendered(t, name).Seq)
		m := s.Measures[slices.IndexFunc(s.Measures, func(m study.Measure) bool { return m.Type == s.Lead.Type && m.Side == s.Lead.Side })]
		if want := verdicts[quality.TrustOf(m.Peak.Uncertainty)]; s.Verdict != want || m.Trust != quality.TrustOf(m.Peak.Uncertainty) {
			t.Errorf("%s: %s, %q", name, s.Verdict, s.Summary.Title)
		}
	}
	fast := testkit.Rendered(t, "jump_90_120fps").Seq
	slow := keypoint.Sequence{Size: fast.Size}
	for i := 0; i < fast.Len(); i += 2 {
		slow.Frames, slow.Times = append(slow.Frames, fast.Frames[i]), append(slow.Times, fast.Times[i])
	}
	for _, seq := range []keypoint.Sequence{fast, slow} {
		s := studied(t, seq)
		if best := s.Jumps[0]; s.Verdict != quality.Good || !(best.HeightUncertainty < 0.05) {
			t.Errorf("a jump in %d pictures: %s, %q", seq.Len(), s.Verdict, s.Summary.Title)
		}
	}
	if s := studied(t, testkit.Rendered(t, "walk_across_90").Seq); s.Verdict != quality.Good {
		t.Errorf("a walk is %s: %q", s.Verdict, s.Summary.Title)
	}
}
