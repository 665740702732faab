package correct_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/correct"
)

const ankle, knee = keypoint.LeftAnkle, keypoint.LeftKnee

func at(x, y float64) *keypoint.Point { return &keypoint.Point{x, y} }

// walk is a recording of 10 frames a second in which the ankle moves by 10 pixels a frame, and is absent
// in the given frames.
func walk(frames int, absent ...int) (s keypoint.Sequence) {
	s.Size = image.Pt(1000, 500)
	for i := range frames {
		var f keypoint.Frame
		f.Set(knee, keypoint.Point{10 * float64(i), 200}, 0.7)
		if !slices.Contains(absent, i) {
			f.Set(ankle, keypoint.Point{10 * float64(i), 300}, 0.6)
		}
		s.Frames, s.Times = append(s.Frames, f), append(s.Times, float64(i)/10)
	}
	return s
}

// list is the corrections of the ankle, put to a point in a frame.
func list(edits ...correct.Edit) (l correct.List) {
	for _, e := range edits {
		e.Part = ankle
		l = append(l, correct.Correction{Edit: e})
	}
	return l
}

func ExampleApply() {
	seq := walk(6)
	list, err := correct.List(nil).With([]correct.Edit{
		{Frame: 1, Part: ankle, Point: at(10, 308)},
		{Frame: 3, Part: ankle, Point: at(34, 300)},
		{Frame: 5, Part: ankle},
	}, time.Now(), "me")
	if err != nil {
		fmt.Println(err)
		return
	}
	corrected, marks, err := correct.Apply(seq, list)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, f := range corrected.Frames {
		pt, ok := f.At(ankle)
		fmt.Printf("%d %v %t %q\n", i, pt, ok, marks[i][ankle])
	}
	// Output:
	// 0 [0 300] true ""
	// 1 [10 308] true "corrected"
	// 2 [22 304] true "interpolated"
	// 3 [34 300] true "corrected"
	// 4 [40 300] true ""
	// 5 [0 0] false "corrected"
}

// TestPath: what is between two corrections follows them.
func TestPath(t *testing.T) {
	for name, c := range map[string]struct {
		seq  keypoint.Sequence
		list correct.List
		want [6]*keypoint.Point // of the ankle in the first frames
	}{
		"displaced": {walk(6), list(correct.Edit{Frame: 1, Point: at(10, 310)}, correct.Edit{Frame: 4, Point: at(40, 340)}),
			[6]*keypoint.Point{at(0, 300), at(10, 310), at(20, 320), at(30, 330), at(40, 340), at(50, 300)}},
		"half a second": {walk(6), list(correct.Edit{Frame: 5, Point: at(50, 310)}, correct.Edit{Frame: 0, Point: at(0, 310)}),
			[6]*keypoint.Point{at(0, 310), at(10, 310), at(20, 310), at(30, 310), at(40, 310), at(50, 310)}},
		"longer": {walk(7), list(correct.Edit{Frame: 0, Point: at(0, 310)}, correct.Edit{Frame: 6, Point: at(50, 310)}),
			[6]*keypoint.Point{at(0, 310), at(10, 300), at(20, 300), at(30, 300), at(40, 300), at(50, 300)}},
		"absent": {walk(6, 1, 2, 3, 4), list(correct.Edit{Frame: 1, Point: at(100, 100)}, correct.Edit{Frame: 4, Point: at(130, 160)}),
			[6]*keypoint.Point{at(0, 300), at(100, 100), at(110, 120), at(120, 140), at(130, 160), at(50, 300)}},
		"absent between": {walk(6, 2, 3), list(correct.Edit{Frame: 1, Point: at(10, 310)}, correct.Edit{Frame: 5, Point: at(50, 310)}),
			[6]*keypoint.Point{at(0, 300), at(10, 310), at(20, 310), at(30, 310), at(40, 310), at(50, 310)}},
		"absent in the first": {walk(6, 0, 1), list(correct.Edit{Frame: 0, Point: at(0, 320)}, correct.Edit{Frame: 4, Point: at(40, 320)}),
			[6]*keypoint.Point{at(0, 320), at(10, 320), at(20, 320), at(30, 320), at(40, 320), at(50, 300)}},
		"absent in the last": {walk(6, 4), list(correct.Edit{Frame: 2, Point: at(20, 320)}, correct.Edit{Frame: 4, Point: at(40, 330)}),
			[6]*keypoint.Point{at(0, 300), at(10, 300), at(20, 320), at(30, 320), at(40, 330), at(50, 300)}},
		"absent in both": {walk(6, 1, 4), list(correct.Edit{Frame: 1, Point: at(10, 320)}, correct.Edit{Frame: 4, Point: at(40, 320)}),
			[6]*keypoint.Point{at(0, 300), at(10, 320), at(20, 300), at(30, 300), at(40, 320), at(50, 300)}},
		"removed between": {walk(6), list(correct.Edit{Frame: 0, Point: at(0, 310)}, correct.Edit{Frame: 2}, correct.Edit{Frame: 4, Point: at(40, 310)}),
			[6]*keypoint.Point{at(0, 310), at(10, 300), nil, at(30, 300), at(40, 310), at(50, 300)}},
		"kept inside": {walk(6), list(correct.Edit{Frame: 0, Point: at(0, 500)}, correct.Edit{Frame: 2, Point: at(0, 500)}),
			[6]*keypoint.Point{at(0, 500), at(0, 500), at(0, 500), at(30, 300), at(40, 300), at(50, 300)}},
		"somebody else": {func() keypoint.Sequence { s := walk(6); s.PersonChanges = []int{2}; return s }(),
			list(correct.Edit{Frame: 1, Point: at(10, 310)}, correct.Edit{Frame: 3, Point: at(30, 310)}),
			[6]*keypoint.Point{at(0, 300), at(10, 310), at(20, 300), at(30, 310), at(40, 300), at(50, 300)}},
		"no times": {func() keypoint.Sequence { s := walk(6); s.Times = nil; return s }(),
			list(correct.Edit{Frame: 1, Point: at(10, 310)}, correct.Edit{Frame: 3, Point: at(30, 310)}),
			[6]*keypoint.Point{at(0, 300), at(10, 310), at(20, 300), at(30, 310), at(40, 300), at(50, 300)}},
	} {
		before := c.seq.Clone()
		got, _, err := correct.Apply(c.seq, c.list)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(before, c.seq, cmp.AllowUnexported(keypoint.Frame{})); diff != "" {
			t.Errorf("%s: the argument is changed: %s", name, diff)
		}
		for i, want := range c.want {
			pt, ok := got.Frames[i].At(ankle)
			if ok != (want != nil) || ok && !cmp.Equal(pt, *want, cmpopts.EquateApprox(0, 1e-9)) {
				t.Errorf("%s: frame %d has %v %v, want %v", name, i, pt, ok, want)
			}
		}
	}
}

// TestApply: on any recording, corrected parts are where they were put, and nothing else is touched but
// the frames between.
func TestApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seq := walk(30, rapid.SliceOf(rapid.IntRange(0, 29)).Draw(t, "absent")...)
		frames := rapid.SliceOfNDistinct(rapid.IntRange(0, 29), 0, 8, rapid.ID).Draw(t, "frames")
		var l correct.List
		for _, frame := range frames {
			e := correct.Edit{Frame: frame}
			if rapid.Bool().Draw(t, "there") {
				e.Point = at(rapid.Float64Range(0, 1000).Draw(t, "x"), rapid.Float64Range(0, 500).Draw(t, "y"))
			}
			l = append(l, list(e)...)
		}
		got, marks, err := correct.Apply(seq, l)
		if err != nil || got.Validate() != nil {
			t.Fatal(err, got.Validate())
		}
		for _, c := range l {
			pt, ok := got.Frames[c.Frame].At(ankle)
			if ok != (c.Point != nil) || ok && (pt != *c.Point || got.Frames[c.Frame].Confidence(ankle) != 1) || marks[c.Frame][ankle] != correct.Corrected {
				t.Fatalf("frame %d has %v %v, want %v", c.Frame, pt, ok, c.Point)
			}
		}
		for i := range got.Frames {
			f, before := got.Frames[i], seq.Frames[i]
			switch marks[i][ankle] {
			case correct.Corrected:
			case correct.Interpolated:
				if pt, ok := f.At(ankle); !ok || pt[0] < 0 || pt[0] > 1000 || pt[1] < 0 || pt[1] > 500 {
					t.Fatalf("frame %d on the path: %v %v", i, pt, ok)
				}
			default:
				if f != before {
					t.Fatalf("frame %d is changed", i)
				}
			}
			if f.Unset(ankle); f != before.Only(keypoint.PartsOf(knee)) {
				t.Fatalf("the knee of frame %d is changed", i)
			}
		}
	})
}

// TestApplyRefuses what does not fit together.
func TestApplyRefuses(t *testing.T) {
	bad := walk(3)
	bad.Times[2] = 0
	for name, err := range map[string]error{
		"an invalid sequence":  second(correct.Apply(bad, nil)),
		"another recording":    second(correct.Apply(walk(3), list(correct.Edit{Frame: 3, Point: at(1, 1)}))),
		"outside":              second(correct.Apply(walk(3), list(correct.Edit{Frame: 1, Point: at(1, 501)}))),
		"too many corrections": many(),
	} {
		if !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second(_ keypoint.Sequence, _ [][keypoint.NumParts]correct.Mark, err error) error { return err }

func many() error {
	var edits []correct.Edit
	for frame := range correct.MaxEdits + 1 {
		edits = append(edits, correct.Edit{Frame: frame, Part: ankle})
	}
	_, err := correct.List(nil).With(edits, time.Time{}, "me")
	return err
}

func TestCheck(t *testing.T) {
	edits := []correct.Edit{
		{Frame: 4, Part: ankle, Point: at(0, 0)},
		{Frame: 5, Part: ankle},
		{Frame: -1, Part: ankle},
		{Frame: 0, Part: keypoint.LeftHeel},
		{Frame: 0, Part: 200},
		{Frame: 0, Part: ankle, Point: at(20, 30)},
		{Frame: 1, Part: ankle, Point: at(20.01, 1)},
		{Frame: 2, Part: ankle, Point: at(1, -0.01)},
		{Frame: 3, Part: ankle, Point: at(math.NaN(), 1)},
		{Frame: 3, Part: knee, Point: at(1, 1), Undo: true},
		{Frame: 4, Part: ankle, Undo: true},
		{Frame: 4, Part: ankle, Undo: true, Person: 2},
	}
	var at []string
	var wrong keypoint.FieldErrors
	if errors.As(correct.Check(edits, 5, image.Pt(20, 30), keypoint.Body), &wrong) {
		for _, e := range wrong {
			at = append(at, e.Pointer)
		}
	}
	if got, want := strings.Join(at, " "), "/1/frame /2/frame /3/part /4/part /6/point /7/point /8/point /9/point /10"; got != want {
		t.Errorf("mistakes at %s, want %s (%v)", got, want, wrong)
	}
	if err := correct.Check(edits[6:7], 5, image.Point{}, keypoint.Body); err != nil {
		t.Errorf("a picture of unknown size: %v", err)
	}
	if err := correct.Check(slices.Repeat(edits[1:2], 100), 5, image.Point{}, keypoint.Body); strings.Count(err.Error(), "frame") > 40 {
		t.Errorf("the mistakes are not bounded: %v", err)
	}
}

// TestList: edits replace, stay and are undone one by one; the digest is that of what remains.
func TestList(t *testing.T) {
	monday, tuesday := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC), time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)
	with := func(l correct.List, at time.Time, client string, edits ...correct.Edit) correct.List {
		t.Helper()
		l, err := l.With(edits, at, client)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	first := with(nil, monday, "a", correct.Edit{Frame: 3, Part: ankle, Point: at(1, 2)}, correct.Edit{Frame: 3, Part: knee}, correct.Edit{Person: 2, Frame: 1, Part: knee})
	text, err := json.Marshal(first)
	if want := `[{"frame":3,"part":"leftKnee","point":null,"at":"2026-11-23T08:00:00Z","client":"a"},` +
		`{"frame":3,"part":"leftAnkle","point":[1,2],"at":"2026-11-23T08:00:00Z","client":"a"},` +
		`{"person":2,"frame":1,"part":"leftKnee","point":null,"at":"2026-11-23T08:00:00Z","client":"a"}]`; string(text) != want || err != nil {
		t.Errorf("%s (%v), want %s", text, err, want)
	}
	var back correct.List
	if err := json.Unmarshal(text, &back); err != nil || !cmp.Equal(back, first) {
		t.Errorf("read back: %+v (%v)", back, err)
	}
	if len(first.Of(0)) != 2 || len(first.Of(2)) != 1 {
		t.Errorf("by person: %v, %v", first.Of(0), first.Of(2))
	}

	again := with(first, tuesday, "b", correct.Edit{Frame: 3, Part: ankle, Point: at(1, 2)}, correct.Edit{Frame: 3, Part: knee})
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the same edits: %s", diff)
	}
	other := with(first, tuesday, "b", correct.Edit{Frame: 3, Part: ankle, Point: at(1, 3)}, correct.Edit{Frame: 3, Part: knee, Point: at(1, 1)})
	if other[1].Client != "b" || other[0].At != tuesday {
		t.Errorf("other edits: %+v", other)
	}
	undone := with(with(first, tuesday, "b", correct.Edit{Frame: 9, Part: ankle, Point: at(1, 2)}), tuesday, "b", correct.Edit{Frame: 9, Part: ankle, Undo: true})
	if diff := cmp.Diff(first, undone); diff != "" {
		t.Errorf("undone: %s", diff)
	}
	none := with(first, tuesday, "b", correct.Edit{Frame: 3, Part: ankle, Undo: true}, correct.Edit{Frame: 3, Part: knee, Undo: true}, correct.Edit{Person: 2, Frame: 1, Part: knee, Undo: true})
	if none != nil {
		t.Errorf("all undone: %+v", none)
	}
	var wrong keypoint.FieldErrors
	if _, err := first.With([]correct.Edit{{Frame: 3, Part: knee, Undo: true}, {Frame: 4, Part: ankle, Undo: true}}, tuesday, "b"); !errors.As(err, &wrong) || wrong[0].Pointer != "/1/undo" {
		t.Errorf("undoing what was not done: %v", err)
	}
}

func ExampleCheck() {
	edits := []correct.Edit{{Frame: 9, Part: ankle, Point: at(10, 308)}}
	fmt.Println(correct.Check(edits, 6, image.Point{}, keypoint.Body))
	// Output: /0/frame: is 9, want 0 to 5
}

// Corrections of a record with several people: those of the second one.
func ExampleList_Of() {
	list, err := correct.List(nil).With([]correct.Edit{
		{Frame: 1, Part: ankle, Point: at(10, 308)},
		{Frame: 3, Part: ankle, Point: at(34, 300), Person: 2},
	}, time.Now(), "me")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range list.Of(2) {
		fmt.Println(c.Frame, c.Part)
	}
	// Output: 3 leftAnkle
}
