package keypoint_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/bodymotion/motion/keypoint"
)

func TestClamp(t *testing.T) {
	var f keypoint.Frame
	f.Set(keypoint.Nose, keypoint.Point{-3.4, 20}, 0.5)
	f.Set(keypoint.LeftEye, keypoint.Point{7, 51}, 0.6)
	f.Set(keypoint.RightEye, keypoint.Point{101, -1}, 0.7)
	f.Set(keypoint.LeftEar, keypoint.Point{0, 50}, 0.8)
	f.Clamp(keypoint.Point{0, 0}, keypoint.Point{100, 50})
	for p, want := range map[keypoint.Part]keypoint.Point{
		keypoint.Nose: {0, 20}, keypoint.LeftEye: {7, 50}, keypoint.RightEye: {100, 0}, keypoint.LeftEar: {0, 50},
	} {
		if at, ok := f.At(p); !ok || at != want {
			t.Errorf("%v is at %v (%v), want %v", p, at, ok, want)
		}
	}
	var want keypoint.Frame
	want.Set(keypoint.Nose, keypoint.Point{0, 20}, 0.5)
	want.Set(keypoint.LeftEye, keypoint.Point{7, 50}, 0.6)
	want.Set(keypoint.RightEye, keypoint.Point{100, 0}, 0.7)
	want.Set(keypoint.LeftEar, keypoint.Point{0, 50}, 0.8)
	if f != want {
		t.Errorf("%v, want %v: absent parts stay absent, and confidences as they are", f, want)
	}
}

// TestVisibility: it stays with its part, is unknown unless set, and moves with the part when sides are exchanged.
func TestVisibility(t *testing.T) {
	var f keypoint.Frame
	f.SetVisibility(keypoint.LeftKnee, 1)
	if _, ok := f.Visibility(keypoint.LeftKnee); ok || f != (keypoint.Frame{}) {
		t.Error("an absent part has a visibility")
	}
	f.Set(keypoint.LeftKnee, keypoint.Point{1, 2}, 0.9)
	if _, ok := f.Visibility(keypoint.LeftKnee); ok {
		t.Error("it is known before it is set")
	}
	f.SetVisibility(keypoint.LeftKnee, 0.034)
	f.Set(keypoint.LeftKnee, keypoint.Point{3, 4}, 0.8)
	if v, ok := f.Visibility(keypoint.LeftKnee); !ok || v != 0.03 {
		t.Errorf("%v (%v), want 0.03: it is rounded, and moving the part keeps it", v, ok)
	}
	before := f
	f.Exchange(keypoint.RightKnee)
	at, ok := f.At(keypoint.RightKnee)
	v, known := f.Visibility(keypoint.RightKnee)
	if !ok || at != (keypoint.Point{3, 4}) || f.Confidence(keypoint.RightKnee) != 0.8 || !known || v != 0.03 || f.Has(keypoint.LeftKnee) {
		t.Errorf("%v at %v with visibility %v (%v), want the left knee's", f.Present().List(), at, v, known)
	}
	if f.Exchange(keypoint.LeftKnee); f != before {
		t.Error("exchanging twice changes the frame")
	}
	if f.SetVisibility(keypoint.LeftKnee, math.NaN()); f == before {
		t.Error("NaN does not make it unknown")
	}
	f.SetVisibility(keypoint.LeftKnee, 7)
	if v, _ := f.Visibility(keypoint.LeftKnee); v != 1 {
		t.Errorf("7 becomes %v, want 1", v)
	}
	f.Unset(keypoint.LeftKnee)
	if f != (keypoint.Frame{}) {
		t.Error("an absent part keeps its visibility")
	}
}

// TestVisibilityJSON: a sequence keeps it, and has no word of it where none is known.
func TestVisibilityJSON(t *testing.T) {
	var f keypoint.Frame
	f.Set(keypoint.Nose, keypoint.Point{1, 2}, 1)
	f.Set(keypoint.LeftKnee, keypoint.Point{3, 4}, 1)
	for _, c := range []struct {
		share float64
		want  string
	}{
		{math.NaN(), `{"keypoint":[{"nose":[1,2],"leftKnee":[3,4]},{}],"scores":[{"nose":1,"leftKnee":1},{}]}`},
		{0.25, `{"keypoint":[{"nose":[1,2],"leftKnee":[3,4]},{}],"scores":[{"nose":1,"leftKnee":1},{}],"visibility":[{"leftKnee":0.25},{}]}`},
	} {
		f.SetVisibility(keypoint.LeftKnee, c.share)
		seq := keypoint.Sequence{Frames: []keypoint.Frame{f, {}}}
		text, err := json.Marshal(seq)
		if err != nil || string(text) != c.want {
			t.Errorf("%s (%v), want %s", text, err, c.want)
		}
		var back keypoint.Sequence
		if err := json.Unmarshal(text, &back); err != nil || back.Frames[0] != f {
			t.Errorf("read back: %v (%v)", back, err)
		}
	}
	for _, text := range []string{
		`{"keypoint":[{}],"visibility":[]}`, `{"keypoint":[{}],"visibility":[{"nose":1}]}`, `{"keypoint":[{"nose":[1,2]}],"visibility":[{"nose":null}]}`,
	} {
		var seq keypoint.Sequence
		if err := json.Unmarshal([]byte(text), &seq); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v, want an ErrInvalid", text, err)
		}
	}
}
