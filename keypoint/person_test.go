package keypoint_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/keypoint"
)

// walkers has somebody in frames 0 to 2 at x = 0, 10, 20, and somebody else in frames 3 to 6
// at x = 500, 501, 502; frame 6 is empty. The frames are a second apart.
func walkers() keypoint.Sequence {
	seq := keypoint.Sequence{PersonChanges: []int{3}}
	for i, x := range []float64{0, 10, 20, 500, 501, 502, -1} {
		var f keypoint.Frame
		if x >= 0 {
			f.Set(keypoint.Nose, keypoint.Point{x, 0}, 1)
			f.Set(keypoint.LeftEye, keypoint.Point{x, 10}, 1)
			f.Set(keypoint.RightEye, keypoint.Point{2 * x, 10}, 1)
		}
		seq.Frames = append(seq.Frames, f)
		seq.Times = append(seq.Times, float64(i))
	}
	return seq
}

// TestPersonChanges: nothing is computed from the frames of two people.
func TestPersonChanges(t *testing.T) {
	seq := walkers()
	if diff := cmp.Diff([]keypoint.Span{{First: 0, Last: 2}, {First: 3, Last: 6}}, seq.People()); diff != "" {
		t.Error(diff)
	}
	if main := seq.MainPerson(); main != (keypoint.Span{Last: 2}) {
		t.Errorf("of people in three frames each, the main one is in %v, want the first", main)
	}
	if main := (keypoint.Sequence{}).MainPerson(); main != (keypoint.Span{Last: -1}) {
		t.Errorf("without frames, the main person is in %v", main)
	}
	if diff := cmp.Diff([]int{1}, seq.Slice(2, 4).PersonChanges); diff != "" {
		t.Error(diff)
	}
	if got := seq.Slice(3, 6).PersonChanges; got != nil {
		t.Errorf("frames of one person have changes %v", got)
	}
	c := seq.Clone()
	c.PersonChanges[0] = 1
	if seq.PersonChanges[0] != 3 {
		t.Error("a clone shares its person changes")
	}
}

// TestPersonChangesForm holds their form in JSON and what is refused.
func TestPersonChangesForm(t *testing.T) {
	seq := walkers()
	b, err := json.Marshal(seq)
	if err != nil {
		t.Fatal(err)
	}
	var back keypoint.Sequence
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(seq.PersonChanges, back.PersonChanges); diff != "" {
		t.Error(diff)
	}
	for _, wrong := range [][]int{{0}, {-1}, {7}, {2, 2}, {3, 1}} {
		seq.PersonChanges = wrong
		if err := seq.Validate(); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("changes %v: %v", wrong, err)
		}
	}
}
