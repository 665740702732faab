package study_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// TestAnythingInSpace: whatever the places are, a study has numbers or none.
func TestAnythingInSpace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seq := keypoint.Sequence{Space: &keypoint.Space{Unit: rapid.SampledFrom([]string{keypoint.Metres, keypoint.Torso}).Draw(t, "unit"), Cameras: make([]keypoint.Camera, 2)}}
		number := rapid.OneOf(rapid.Float64Range(-1, 2), rapid.SampledFrom([]float64{0, 1e-300, 1e300, -1e300, math.MaxFloat64}))
		for i := range rapid.IntRange(0, 12).Draw(t, "frames") {
			var places keypoint.Positions
			for _, p := range rapid.SliceOfN(rapid.Uint8Range(0, keypoint.NumParts-1), 0, 30).Draw(t, "parts") {
				at := keypoint.Position{number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z")}
				places.Set(keypoint.Part(p), at, math.Abs(number.Draw(t, "sigma")))
			}
			var f keypoint.Frame
			f.SetPositions(&places)
			seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(i)/30)
		}
		judged, err := quality.Assess(quality.Input{Sequence: seq})
		if err != nil {
			t.Fatal(err)
		}
		s, err := study.Run(seq, judged)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range s.Measures {
			for i, v := range m.Values {
				if v.Present && !(math.Abs(v.X) < math.Inf(1) && m.Uncertainty[i].X >= 0) {
					t.Fatalf("%s is %v ± %v", m.Name, v, m.Uncertainty[i])
				}
			}
		}
	})
}
