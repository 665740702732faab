package keypoint_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/bodymotion/motion/keypoint"
)

// mirrored faces the other way.
func mirrored(f keypoint.Frame) keypoint.Frame {
	return moved(f, func(p keypoint.Point) keypoint.Point { return keypoint.Point{-p[0], p[1]} })
}

// TestSideways: each of the cues tells the side, a turn of the body changes it, and a turn of the head does not.
func TestSideways(t *testing.T) {
	right := upright(20)
	only := func(parts ...keypoint.Part) keypoint.Frame {
		return *without(right, (keypoint.All &^ keypoint.PartsOf(append(parts, keypoint.LeftShoulder, keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)...)).List()...)
	}
	straight := func(f keypoint.Frame) keypoint.Frame { // without the cue of the knees
		f.Set(keypoint.LeftKnee, keypoint.Point{0, -270}, 1)
		f.Set(keypoint.LeftHip, keypoint.Point{0, -500}, 1)
		f.Set(keypoint.LeftAnkle, keypoint.Point{0, -39}, 1)
		f.Set(keypoint.LeftShoulder, keypoint.Point{0, -788}, 1)
		return f
	}
	for name, f := range map[string]keypoint.Frame{
		"all": right, "knees": only(), "face": straight(only(keypoint.Nose, keypoint.LeftEar)),
		"face without ears": straight(only(keypoint.Nose)), "toes": straight(only(keypoint.LeftBigToe, keypoint.LeftHeel)),
		"toes without heels": straight(only(keypoint.LeftBigToe)),
		"lying on the front": moved(right, func(p keypoint.Point) keypoint.Point { return keypoint.Point{-p[1], p[0]} }),
	} {
		if got := (keypoint.Sequence{Frames: []keypoint.Frame{f, mirrored(f)}[:1]}).Sideways()[0]; got != keypoint.FacingRight {
			t.Errorf("%s: %v, want right", name, got)
		}
		if got := (keypoint.Sequence{Frames: []keypoint.Frame{mirrored(f)}}).Sideways()[0]; got != keypoint.FacingLeft {
			t.Errorf("%s, mirrored: %v, want left", name, got)
		}
	}

	var seq keypoint.Sequence
	for i := range 120 {
		f := right
		if i >= 20 && i < 50 { // looks back
			f.Set(keypoint.Nose, keypoint.Point{-75, -950}, 1)
		}
		if i >= 60 {
			f = mirrored(f)
		}
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, float64(i)/30)
	}
	for i, got := range seq.Sideways() {
		if want := map[bool]keypoint.Facing{false: keypoint.FacingRight, true: keypoint.FacingLeft}[i >= 60]; got != want {
			t.Errorf("frame %d: %v, want %v", i, got, want)
		}
	}
	seq.PersonChanges = []int{60}
	seq.Frames[60] = keypoint.Frame{}
	if got := seq.Sideways(); got[59] != keypoint.FacingRight || got[61] != keypoint.FacingLeft {
		t.Errorf("two people: %v and %v", got[59], got[61])
	}
	front := moved(right, func(p keypoint.Point) keypoint.Point { return keypoint.Point{0, p[1]} })
	if got := (keypoint.Sequence{Frames: []keypoint.Frame{front, {}}}).Sideways(); got[0] != keypoint.FacingUnknown || got[1] != keypoint.FacingUnknown {
		t.Errorf("from the front and nobody: %v", got)
	}
	if got := (keypoint.Sequence{}).Sideways(); len(got) != 0 {
		t.Errorf("no frames: %v", got)
	}
	huge := moved(right, func(p keypoint.Point) keypoint.Point { return p.Mul(math.MaxFloat64 / 2000) })
	if _, ok := huge.Across(); ok {
		if v, _ := huge.Across(); math.IsNaN(v[0]) || math.IsInf(v[0], 0) {
			t.Errorf("across is %v", v)
		}
	}
}

func ExampleSequence_Sideways() {
	var f keypoint.Frame
	f.Set(keypoint.Nose, keypoint.Point{160, 100}, 0.9) // to the left of the ear
	f.Set(keypoint.LeftEar, keypoint.Point{190, 95}, 0.9)
	f.Set(keypoint.LeftShoulder, keypoint.Point{195, 150}, 0.9)
	f.Set(keypoint.LeftHip, keypoint.Point{195, 280}, 0.9)
	fmt.Println(keypoint.Sequence{Frames: []keypoint.Frame{f}}.Sideways())
	// Output:
	// [left]
}

func ExampleSequence_CapturedAt() {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 3), Times: []float64{0, 0.04, 0.08}} // played at 25 a second
	slow, err := seq.CapturedAt(250)
	fmt.Println(slow.Times, err)
	// Output:
	// [0 0.004 0.008] <nil>
}
