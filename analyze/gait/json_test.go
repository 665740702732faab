package gait_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

// TestCurves: the angles of the legs over the strides of their side, each once, are those of Band.
func TestCurves(t *testing.T) {
	m := testkit.Rendered(t, "walk_treadmill_90")
	shin := analyze.Rule{Type: analyze.SegmentAngle, Points: keypoint.PartSelectors(keypoint.LeftKnee, keypoint.LeftAnkle)}
	thigh := analyze.Rule{Type: analyze.EuclideanDistance, Points: keypoint.PartSelectors(keypoint.RightHip, keypoint.RightKnee)}
	knee := analyze.Rule{Type: analyze.KneeFlexion, Side: analyze.RightSide}
	g := analyzeGait(t, m.Seq, gait.Options{Curves: append(gait.LegAngles(), knee, thigh, shin, analyze.Rule{Type: analyze.TrunkLean})})
	var names []string
	for _, c := range g.Curves {
		names = append(names, c.Name)
	}
	want := []string{
		"left hip flexion", "right hip flexion", "left knee flexion", "right knee flexion", "left ankle dorsiflexion", "right ankle dorsiflexion",
		"euclidean distance right hip - right knee",
	}
	if d := cmp.Diff(want, names); d != "" {
		t.Fatal(d)
	}
	results, err := analyze.Run(m.Seq, []analyze.Rule{knee})
	if err != nil {
		t.Fatal(err)
	}
	band := gait.Band(&g, analyze.RightSide, m.Seq.Times, results[0].Values)
	if d := cmp.Diff(gait.Curve{Type: analyze.KneeFlexion, Name: "right knee flexion", Side: analyze.RightSide, Unit: "°", Band: band}, g.Curves[3]); d != "" {
		t.Error(d)
	}

	// What is written is read back.
	b, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	var back gait.Gait
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(g, back, cmpopts.EquateApprox(0, 1e-4)); d != "" {
		t.Error(d)
	}
	if _, err := gait.Analyze(m.Seq, gait.Options{Curves: []analyze.Rule{{Type: "none"}}}); err == nil {
		t.Error("a wrong rule gives no error")
	}
}

func TestParseOptions(t *testing.T) {
	for text, want := range map[string]*gait.Options{
		`true`: {}, `{}`: {}, `false`: nil, `null`: nil,
		`{"mode":"running","surface":"treadmill"}`: {Mode: "running", Surface: "treadmill"},
		`{"mode":null,"surface":"overground"}`:     {Surface: "overground"},
	} {
		got, err := gait.ParseOptions([]byte(text))
		if d := cmp.Diff(want, got, cmpopts.IgnoreFields(gait.Options{}, "Quality")); d != "" || err != nil {
			t.Errorf("%s: %v %s", text, err, d)
		}
		if got == nil {
			continue
		}
		b, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := gait.ParseOptions(b); err != nil || !cmp.Equal(want, again, cmpopts.IgnoreFields(gait.Options{}, "Quality")) {
			t.Errorf("%s became %s (%v)", text, b, err)
		}
	}
	for _, bad := range []string{``, `1`, `[]`, `{"mode":"hopping"}`, `{"surface":1}`, `{"speed":1}`} {
		var mistakes keypoint.FieldErrors
		if got, err := gait.ParseOptions([]byte(bad)); got != nil || err == nil || bad != `` && !errors.As(err, &mistakes) {
			t.Errorf("%s: %v, %v", bad, got, err)
		}
	}
}
