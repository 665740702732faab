package analyze_test

import (
	"math"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
)

// run returns the result of one rule.
func run(t testing.TB, seq keypoint.Sequence, rule analyze.Rule) analyze.Result {
	t.Helper()
	results, err := analyze.Run(seq, []analyze.Rule{rule})
	if err != nil {
		t.Fatal(err)
	}
	return results[0]
}

func rule(kind analyze.Type, parts ...keypoint.Part) analyze.Rule {
	return analyze.Rule{Type: kind, Points: keypoint.PartSelectors(parts...)}
}

var (
	kneeFlexion  = rule(analyze.JointFlexion, keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
	hipFlexion   = rule(analyze.JointFlexion, keypoint.LeftShoulder, keypoint.LeftHip, keypoint.LeftKnee)
	elbowFlexion = rule(analyze.JointFlexion, keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist)
	elbowAngle   = rule(analyze.VectorAngle, keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist)
	raisedArm    = rule(analyze.VectorAngle, keypoint.LeftHip, keypoint.LeftShoulder, keypoint.LeftElbow)
	ankles       = rule(analyze.EuclideanDistance, keypoint.LeftAnkle, keypoint.RightAnkle)
)

// TestRenderedRepetitions: on exact keypoints, all repetitions of the rendered movies are found, with
// their times.
func TestRenderedRepetitions(t *testing.T) {
	for name, x := range map[string]struct {
		rule      analyze.Rule
		direction analyze.Direction
	}{
		"squat_60": {kneeFlexion, ""}, "squat_90_slow": {kneeFlexion, ""}, "squat_0_shift": {kneeFlexion, ""},
		"squat_30_phone": {kneeFlexion, ""}, "sample": {kneeFlexion, ""}, "lunge_90": {kneeFlexion, ""},
		"hinge_90": {hipFlexion, ""}, "push_up_90": {elbowAngle, ""}, "curl_60": {elbowFlexion, ""},
		"sit_to_stand_90": {kneeFlexion, analyze.Falls}, "lateral_raise_0_mirrored": {raisedArm, analyze.Rises},
		"side_step_0": {ankles, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := rendered.Read(t, name)
			got, err := analyze.FindRepetitions(m.Seq, run(t, m.Seq, x.rule), analyze.RepetitionOptions{Direction: x.direction})
			if err != nil || len(got.List) != len(m.Reps) {
				t.Fatalf("%d repetitions (%v), want %d: %+v", len(got.List), err, len(m.Reps), got.List)
			}
			for k, want := range m.Reps {
				r := got.List[k]
				for what, d := range map[string]float64{
					"start": m.Seq.Times[r.Start] - want.Start, "turn": m.Seq.Times[r.Turn] - want.Turn, "end": m.Seq.Times[r.End] - want.End,
				} {
					if math.Abs(d) > 0.15 {
						t.Errorf("%d: %s is off by %.2f s", k, what, d)
					}
				}
				t.Logf("%d: %.2f %.2f %.2f; out %.2f hold %.2f back %.2f, want %.2f %.2f %.2f; depth %.1f complete %v", k, m.Seq.Times[r.Start]-want.Start, m.Seq.Times[r.Turn]-want.Turn, m.Seq.Times[r.End]-want.End,
					r.Out, r.Hold, r.Back, want.TurnFrom-want.Start, want.TurnTo-want.TurnFrom, want.End-want.TurnTo, r.Depth, r.Complete)
			}
		})
	}
}
