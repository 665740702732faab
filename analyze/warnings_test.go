package analyze_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// standing is a person who is seen from the front (width 1) or from the side (width 0).
func standing(width float64) keypoint.Sequence {
	seq := keypoint.Sequence{}
	for i := range 30 {
		var f keypoint.Frame
		for p, at := range map[keypoint.Part]keypoint.Point{
			keypoint.Nose: {0, -50}, keypoint.LeftEye: {8, -55}, keypoint.RightEye: {-8, -55},
			keypoint.LeftShoulder: {36, 0}, keypoint.LeftHip: {20, 100}, keypoint.LeftKnee: {20, 190}, keypoint.LeftAnkle: {20, 280},
			keypoint.RightShoulder: {-36, 0}, keypoint.RightHip: {-20, 100}, keypoint.RightKnee: {-20, 190}, keypoint.RightAnkle: {-20, 280},
		} {
			f.Set(p, keypoint.Point{300 + width*at[0], 100 + at[1]}, 0.9)
		}
		seq.Frames = append(seq.Frames, f)
		seq.Times = append(seq.Times, float64(i)/30)
	}
	return seq
}

// TestWarnings: an angle says where it is not seen from where it shows.
func TestWarnings(t *testing.T) {
	knee := analyze.Rule{Type: analyze.VectorAngle, Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)}
	distance := analyze.Rule{Type: analyze.EuclideanDistance, Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee)}
	for width, warned := range map[float64]bool{1: true, 0.02: false} {
		results, err := analyze.Run(standing(width), []analyze.Rule{knee, distance})
		if err != nil {
			t.Fatal(err)
		}
		got := results[0].Warnings
		if warned != (len(got) == 1) || warned && (got[0].Code != quality.CodeOutOfPlane || got[0].From != 0 || got[0].To != 29) {
			t.Errorf("at a width of %v: %+v", width, got)
		}
		if results[1].Warnings != nil {
			t.Errorf("a distance has warnings: %+v", results[1].Warnings)
		}
		b, err := json.Marshal(results[0])
		if err != nil {
			t.Fatal(err)
		}
		var back analyze.Result
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, back.Warnings); diff != "" {
			t.Error(diff)
		}
	}
}
