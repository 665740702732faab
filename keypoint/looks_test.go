package keypoint_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/keypoint"
)

// glimpsed is a recording of seven frames of which four were looked at. From frame 4 on it is
// somebody else.
func glimpsed() keypoint.Sequence {
	seq := keypoint.Sequence{Looks: []int{0, 2, 4, 6}, PersonChanges: []int{4}}
	for i := range 7 {
		var f keypoint.Frame
		f.Set(keypoint.Nose, keypoint.Point{float64(i), 0}, 1)
		seq.Frames = append(seq.Frames, f)
		seq.Times = append(seq.Times, float64(i)/10)
	}
	return seq
}

// TestLookedAt: only the frames that were looked at remain, with their times and people.
func TestLookedAt(t *testing.T) {
	seq := glimpsed()
	got := seq.LookedAt()
	want := keypoint.Sequence{Times: []float64{0, 0.2, 0.4, 0.6}, PersonChanges: []int{2}}
	for _, i := range seq.Looks {
		want.Frames = append(want.Frames, seq.Frames[i])
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(keypoint.Frame{})); diff != "" {
		t.Error(diff)
	}
	seq.PersonChanges = []int{1, 3, 4, 6} // changes between two looks fall on the second one
	if got := seq.LookedAt(); got.Validate() != nil || !cmp.Equal(got.PersonChanges, []int{1, 2, 3}) {
		t.Errorf("people from %v (%v)", got.PersonChanges, got.Validate())
	}
	seq.Looks = nil
	if got := seq.LookedAt(); got.Len() != 7 || &got.Frames[0] != &seq.Frames[0] {
		t.Error("a recording of which all was looked at is not the same")
	}
	seq.Looks, seq.PersonChanges = []int{}, nil
	if got := seq.LookedAt(); got.Len() != 0 || got.Validate() != nil {
		t.Errorf("no look gives %d frames", got.Len())
	}
}

// TestLooks: slices and clones keep the looks, and JSON does.
func TestLooks(t *testing.T) {
	seq := glimpsed()
	for _, c := range []struct {
		first, last int
		want        []int
	}{{0, 6, []int{0, 2, 4, 6}}, {1, 4, []int{1, 3}}, {5, 5, []int{}}} {
		if diff := cmp.Diff(c.want, seq.Slice(c.first, c.last).Looks); diff != "" {
			t.Errorf("frames %d to %d: %s", c.first, c.last, diff)
		}
	}
	c := seq.Clone()
	c.Looks[0] = 1
	if seq.Looks[0] != 0 {
		t.Error("a clone shares its looks")
	}
	for _, looks := range [][]int{nil, {}, {3}, seq.Looks} {
		seq.Looks = looks
		b, err := json.Marshal(seq)
		if err != nil {
			t.Fatal(err)
		}
		var back keypoint.Sequence
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(seq.Looks, back.Looks); diff != "" {
			t.Errorf("%s: %s", b, diff)
		}
	}
	for _, wrong := range [][]int{{-1}, {7}, {2, 2}, {3, 1}} {
		seq.Looks = wrong
		if err := seq.Validate(); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("looks %v: %v", wrong, err)
		}
	}
}
