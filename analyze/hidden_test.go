package analyze_test

import (
	"slices"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// invented returns a movie with what a network says of a limb that it cannot see: the other side's limb, a little beside,
// from a frame on.
func invented(t *testing.T, name string, from int, parts ...keypoint.Part) keypoint.Sequence {
	t.Helper()
	seq := testkit.Rendered(t, name).Seq.Clone()
	for i := range seq.Frames {
		f := &seq.Frames[i]
		for _, p := range parts {
			at, _ := f.At(p.Mirror())
			f.SetVisibility(p.Mirror(), 0.98)
			f.Set(p, at.Add(keypoint.Point{8, 3}), 0.7)
			if f.SetVisibility(p, 0.97); i >= from {
				f.SetVisibility(p, 0.05)
			}
		}
	}
	return seq
}

// TestHidden: the angles of an arm or a leg that the body hides are absent, with the reason, in just those frames, unless
// the rule keeps them; those of the other side are not touched.
func TestHidden(t *testing.T) {
	for _, c := range []struct {
		movie string // a curl whose far arm hangs still, and a hinge
		kind  analyze.Type
		side  analyze.Side // hidden
		other analyze.Side
		parts []keypoint.Part
	}{
		{"curl_60", analyze.ElbowFlexion, analyze.RightSide, analyze.LeftSide, []keypoint.Part{keypoint.RightElbow, keypoint.RightWrist}},
		{"hinge_90", analyze.KneeFlexion, analyze.RightSide, analyze.LeftSide, []keypoint.Part{keypoint.RightKnee, keypoint.RightAnkle}},
	} {
		t.Run(c.movie, func(t *testing.T) {
			const from = 60
			seq := invented(t, c.movie, from, c.parts...)
			results, err := analyze.Run(seq, []analyze.Rule{{Type: c.kind, Side: c.side}, {Type: c.kind, Side: c.other}, {Type: c.kind, Side: c.side, Hidden: true}, {Type: analyze.TrunkLean}})
			if err != nil {
				t.Fatal(err)
			}
			coverage := func(k int) (n int) {
				for _, v := range results[k].Values[from:] {
					if v.Present {
						n++
					}
				}
				return n
			}
			if n := coverage(0); n != 0 || !results[0].Values[from-10].Present {
				t.Errorf("%d frames of the hidden joint have a value, and the one seen before: %v", n, results[0].Values[from-10])
			}
			for _, k := range []int{1, 2, 3} {
				if coverage(k) != seq.Len()-from {
					t.Errorf("%s %s has %d values, want %d", results[k].Side, results[k].Type, coverage(k), seq.Len()-from)
				}
				if slices.ContainsFunc(results[k].Warnings, func(w quality.Warning) bool { return w.Code == quality.CodeHiddenSide }) {
					t.Errorf("%s %s: %+v, though nothing is withheld", results[k].Side, results[k].Type, results[k].Warnings)
				}
			}
			hidden := slices.DeleteFunc(results[0].Warnings, func(w quality.Warning) bool { return w.Code != quality.CodeHiddenSide })
			if len(hidden) != 1 || hidden[0].From != from || hidden[0].To != seq.Len()-1 || hidden[0].Parts != keypoint.PartsOf(c.parts...) {
				t.Errorf("%+v, want the frames from %d on and %v", hidden, from, c.parts)
			}
			report, err := quality.Assess(quality.Input{Sequence: seq})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range report.Warnings {
				if w.Code == quality.CodeHiddenSide && (w.Parts != keypoint.PartsOf(c.parts...) || w.From != from) {
					t.Errorf("the recording: %+v", w)
				}
			}
			s, err := analyze.NewStream([]analyze.Rule{{Type: c.kind, Side: c.side}, {Type: c.kind, Side: c.side, Hidden: true}}, keypoint.World{})
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range seq.Frames[:from+20] {
				if err := s.Next(f, seq.Times[i], false); err != nil {
					t.Fatal(err)
				}
			}
			if v := s.Values(); v[0].Present || !v[1].Present {
				t.Errorf("live: %v, want a value only if it is kept", v)
			}
		})
	}
}

// TestHiddenRules: rules with points of their own are never withheld, and cannot ask for it.
func TestHiddenRules(t *testing.T) {
	seq := invented(t, "hinge_90", 0, keypoint.RightKnee, keypoint.RightAnkle)
	points := keypoint.PartSelectors(keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)
	results, err := analyze.Run(seq, []analyze.Rule{{Type: analyze.VectorAngle, Points: points}})
	if err != nil || results[0].Coverage != 1 {
		t.Errorf("%v of the frames (%v), want all", results[0].Coverage, err)
	}
	if err := analyze.Check([]analyze.Rule{{Type: analyze.VectorAngle, Points: points, Hidden: true}}, true); err == nil {
		t.Error("an angle of three points takes hidden")
	}
	rules, err := analyze.ParseRules([]byte(`{"analysisType": "kneeFlexion", "side": "left", "hidden": true}`))
	if err != nil || !rules[0].Hidden {
		t.Errorf("%+v (%v)", rules, err)
	}
}
