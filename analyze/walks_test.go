package analyze_test

import (
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

// TestWalksOn: what bends while somebody walks away from the camera, so that both feet are elsewhere afterwards, is no repetition; the
// same on the spot, with side steps, and while the hips sink, is one.
func TestWalksOn(t *testing.T) {
	// step goes from 0 to 1 in a third of a second.
	step := func(t, start float64) float64 { return min(max((t-start)*3, 0), 1) }
	for name, c := range map[string]struct {
		across, away, sink float64 // pixels
		want               int
	}{"on the spot": {want: 1}, "away": {away: 40, want: 0}, "side steps": {across: 40, want: 1}, "while the hips sink": {away: 40, sink: 80, want: 1}} {
		seq, r := result(analyze.ElbowFlexion, 3, func(t float64) float64 { return 90 * bends(t, 1, 0.5, 0, 0.5, 1) })
		for i, at := range seq.Times {
			f := &seq.Frames[i]
			hips := 300 + c.sink*bends(at, 1, 0.5, 0, 0.5, 1)
			for p, pt := range map[keypoint.Part]keypoint.Point{
				keypoint.LeftShoulder: {320, hips - 100}, keypoint.RightShoulder: {280, hips - 100}, keypoint.LeftHip: {310, hips}, keypoint.RightHip: {290, hips},
			} {
				f.Set(p, pt, 1)
			}
			left, right := step(at, 1.1), 1.5*step(at, 1.5)
			f.Set(keypoint.LeftAnkle, keypoint.Point{312 + c.across*left, 500 - c.away*left}, 1)
			f.Set(keypoint.RightAnkle, keypoint.Point{288 + c.across*right/1.5, 500 - c.away*right}, 1)
		}
		got, err := analyze.FindRepetitions(seq, r, analyze.RepetitionOptions{})
		if err != nil || len(got.List) != c.want {
			t.Errorf("%s: %d repetitions, want %d (%v)", name, len(got.List), c.want, err)
		}
	}
}
