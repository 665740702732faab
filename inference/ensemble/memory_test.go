package ensemble_test

import (
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ensemble"
	"github.com/bodymotion/motion/keypoint"
)

// following follows somebody for n frames, of whom the members see these frames, and returns how often each was asked
// and the last answer.
func following(t *testing.T, n int, members ...keypoint.Frame) (asked []int, last keypoint.Frame) {
	t.Helper()
	regions := make([][]inference.Region, len(members))
	var networks []inference.Network
	for i, f := range members {
		networks = append(networks, look{frame: f, regions: &regions[i]})
	}
	e, err := ensemble.New(ensemble.Options{Finding: networks[:1], Following: networks})
	if err != nil {
		t.Fatal(err)
	}
	var known any
	for range n {
		r := inference.Expected(body(nil))
		r.Memory = &inference.Memory{Known: known}
		if last, err = e.Look(t.Context(), picture, r); err != nil {
			t.Fatal(err)
		}
		known = r.Memory.Learn(known)
	}
	for _, r := range regions {
		asked = append(asked, len(r))
	}
	return asked, last
}

// TestShare: the last member looks in a share of the frames in doubt, and the second one in those between whose doubt is
// grave; where the sides of a limb are exchanged, the last one looks in each.
func TestShare(t *testing.T) {
	wrist := func(d float64) keypoint.Frame {
		return body(map[keypoint.Part]keypoint.Point{keypoint.LeftWrist: {d, 0}})
	}
	covered := wrist(30)
	covered.SetVisibility(keypoint.LeftWrist, 0.1)
	legs := exchanged(body(nil), keypoint.LeftKnee, keypoint.LeftAnkle)
	for name, c := range map[string]struct {
		first        keypoint.Frame
		second, last int
	}{
		"no doubt":                   {body(nil), 0, 0},
		"a slight doubt":             {wrist(12), 0, 29}, // 3 saved looks and 0.27 a frame
		"a grave doubt":              {wrist(30), 71, 29},
		"of a part nobody sees":      {covered, 0, 29},
		"the legs have been crossed": {legs, 0, 100},
	} {
		asked, _ := following(t, 100, c.first, body(nil), body(nil))
		if asked[0] != 100 || asked[1] != c.second || asked[2] != c.last {
			t.Errorf("%s: %v looks, want 100, %d and %d", name, asked, c.second, c.last)
		}
	}
	if asked, _ := following(t, 10, wrist(30), body(nil)); asked[1] != 10 {
		t.Errorf("the only other member looked %d times of 10 in a grave doubt", asked[1])
	}
}

// TestOffset: where the last member does not look, the first one's parts lie as far from where it sees them as they have
// lately lain.
func TestOffset(t *testing.T) {
	first := body(map[keypoint.Part]keypoint.Point{keypoint.LeftWrist: {12, 0}, keypoint.RightKnee: {0, 4}})
	asked, f := following(t, 5, first, body(nil), body(nil))
	if asked[2] != 3 {
		t.Fatalf("the last member looked %d times of 5, want 3", asked[2])
	}
	near(t, "between", f, body(map[keypoint.Part]keypoint.Point{keypoint.LeftWrist: {6, 0}, keypoint.RightKnee: {0, 2}}))
}
