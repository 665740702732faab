package correct_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
)

func ExampleEdit_carry() {
	seq := walk(9)
	for frame := 3; frame <= 5; frame++ { // where the network took something else for the ankle
		seq.Frames[frame].Set(ankle, keypoint.Point{400, 100}, 0.4)
	}
	list, err := correct.List(nil).With([]correct.Edit{{Frame: 4, Part: ankle, Point: at(40, 300), Carry: 3}}, time.Now(), "me")
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
		pt, _ := f.At(ankle)
		fmt.Printf("%d [%.0f %.0f] %.1f %q\n", i, pt[0], pt[1], f.Confidence(ankle), marks[i][ankle])
	}
	// Output:
	// 0 [0 300] 0.6 ""
	// 1 [10 300] 0.6 "interpolated"
	// 2 [20 300] 0.6 "interpolated"
	// 3 [30 300] 0.6 "interpolated"
	// 4 [40 300] 1.0 "corrected"
	// 5 [50 300] 0.6 "interpolated"
	// 6 [60 300] 0.6 "interpolated"
	// 7 [70 300] 0.6 "interpolated"
	// 8 [80 300] 0.6 ""
}

// TestCarry: how far a correction is carried, and what the frames there follow.
func TestCarry(t *testing.T) {
	other := func(frame int) keypoint.Sequence { s := walk(8); s.PersonChanges = []int{frame}; return s }
	slow := walk(8)
	for i := range slow.Times {
		slow.Times[i] *= 2
	}
	for name, c := range map[string]struct {
		seq  keypoint.Sequence
		list correct.List
		want [8]float64 // how far below 300 the ankle is; NaN: absent
	}{
		"one frame each way": {walk(8), list(correct.Edit{Frame: 3, Point: at(30, 310), Carry: 1}), [8]float64{2: 5, 3: 10, 4: 5}},
		"the first frame":    {walk(8), list(correct.Edit{Frame: 1, Point: at(10, 310), Carry: 1}), [8]float64{10, 10, 2.92}},
		"the movie's end":    {walk(8), list(correct.Edit{Frame: 7, Point: at(70, 310), Carry: 1}), [8]float64{6: 2.92, 7: 10}},
		"the end is reached": {walk(8), list(correct.Edit{Frame: 6, Point: at(60, 310), Carry: 2}), [8]float64{4: 1.30, 5: 4.81, 6: 10, 7: 10}},
		"half a second":      {slow, list(correct.Edit{Frame: 3, Point: at(30, 310), Carry: 9}), [8]float64{2: 2.92, 3: 10, 4: 2.92}},
		"somebody else":      {other(4), list(correct.Edit{Frame: 3, Point: at(30, 310), Carry: 1}), [8]float64{2: 2.92, 3: 10}},
		"another correction": {walk(8), list(correct.Edit{Frame: 2, Point: at(20, 310), Carry: 3}, correct.Edit{Frame: 4, Point: at(40, 310)}), [8]float64{10, 10, 10, 10, 10}},
		"removed beside":     {walk(8), list(correct.Edit{Frame: 3, Point: at(30, 310), Carry: 1}, correct.Edit{Frame: 4}), [8]float64{2: 5, 3: 10, 4: math.NaN()}},
		"absent beside":      {walk(8, 2, 4), list(correct.Edit{Frame: 3, Point: at(30, 310), Carry: 1}), [8]float64{2: 5, 3: 10, 4: 5}},
		"a gap beyond":       {walk(8, 5, 6), list(correct.Edit{Frame: 3, Point: at(30, 309), Carry: 1}), [8]float64{2: 4.5, 3: 9, 4: 8.86, 5: math.NaN(), 6: math.NaN()}},
		"no end found":       {walk(8, 4, 5, 6, 7), list(correct.Edit{Frame: 2, Point: at(20, 310), Carry: 1}), [8]float64{1: 5, 2: 10, 3: 10, 4: math.NaN(), 5: math.NaN(), 6: math.NaN(), 7: math.NaN()}},
		"found nowhere":      {walk(8, 0, 1, 2, 3, 4, 5, 6, 7), list(correct.Edit{Frame: 2, Point: at(20, 310), Carry: 1}), [8]float64{math.NaN(), math.NaN(), 10, math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}},
	} {
		got, marks, err := correct.Apply(c.seq, c.list)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var y [8]float64
		for i, f := range got.Frames {
			pt, ok := f.At(ankle)
			if y[i] = pt[1] - 300; !ok {
				y[i] = math.NaN()
			}
			if was := c.seq.Frames[i]; f != was && marks[i][ankle] == correct.None {
				t.Errorf("%s: frame %d is changed without a mark", name, i)
			}
		}
		if diff := cmp.Diff(c.want, y, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 0.01)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// exchange is one of the ankles.
func exchange(first, last, carry int) correct.Edit {
	return correct.Edit{Part: keypoint.RightAnkle, Frame: first, Last: last, Exchange: true, Carry: carry}
}

// TestExchange: an exchange takes what was corrected before along, what is corrected after it stays, and undone it leaves
// everything as it was.
func TestExchange(t *testing.T) {
	seq := walk(9)
	for i := range seq.Frames {
		seq.Frames[i].Set(keypoint.RightAnkle, keypoint.Point{10 * float64(i), 400}, 0.9)
	}
	with := func(l correct.List, edits ...correct.Edit) correct.List {
		t.Helper()
		l, err := l.With(edits, time.Time{}, "me")
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	show := func(l correct.List) (heights [2][9]float64) {
		t.Helper()
		got, _, err := correct.Apply(seq, l)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got.Frames {
			for side, p := range [2]keypoint.Part{ankle, keypoint.RightAnkle} {
				pt, _ := got.Frames[i].At(p)
				heights[side][i] = pt[1]
			}
		}
		return heights
	}
	before := with(nil, correct.Edit{Frame: 4, Part: ankle, Point: at(40, 310)})
	l := with(before, exchange(3, 5, 0), exchange(3, 5, 0))
	if got, want := show(l), [2][9]float64{{300, 300, 300, 400, 400, 400, 300, 300, 300}, {400, 400, 400, 300, 310, 300, 400, 400, 400}}; got != want {
		t.Errorf("exchanged: %v", got)
	}
	l = with(l, correct.Edit{Frame: 5, Part: ankle, Point: at(50, 420)}, exchange(5, 5, 0))
	if got := show(l); got[0][5] != 300 || got[1][5] != 420 || got[0][4] != 400 {
		t.Errorf("one frame exchanged back: %v", got)
	}
	undo, once := exchange(3, 5, 0), exchange(5, 5, 0)
	undo.Undo, once.Undo = true, true
	l = with(l, once, correct.Edit{Frame: 5, Part: ankle, Undo: true}, undo)
	if diff := cmp.Diff(before, l); diff != "" {
		t.Errorf("undone: %s", diff)
	}
	for pointer, e := range map[string]correct.Edit{
		"/0/last":  exchange(5, 4, 0),
		"/0/point": {Frame: 1, Last: 2, Part: ankle, Exchange: true, Point: at(1, 1)},
		"/0/part":  {Frame: 1, Last: 2, Part: keypoint.Nose, Exchange: true},
		"/0/carry": exchange(1, 2, 61),
	} {
		if err := correct.Check([]correct.Edit{e}, 9, seq.Size, keypoint.Body); err == nil || fmt.Sprint(err)[:len(pointer)] != pointer {
			t.Errorf("%s: %v", pointer, err)
		}
	}
}

// TestCarryMeasured: a part that was taken for something else in 1 to 7 frames of a rendered movie, corrected in the middle
// one and carried over 3 frames each way, is where it really is, and moves without a jump; and so are both sides of a
// stretch in which they were exchanged before the keypoints were smoothed. Not carried, jumps stay.
func TestCarryMeasured(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	legs := []keypoint.Part{keypoint.LeftKnee, keypoint.RightKnee, keypoint.LeftAnkle, keypoint.RightAnkle, keypoint.LeftWrist, keypoint.RightWrist}
	var moved, exchanged [2]tally
	for _, name := range []string{"squat_60", "lunge_90", "sit_to_stand_90", "curl_60", "hinge_90", "walk_across_90", "side_step_0"} {
		truth := testkit.Rendered(t, name).Seq
		for range 60 {
			p, frame, half := legs[rng.IntN(len(legs))], 12+rng.IntN(truth.Len()-24), rng.IntN(4)
			if !seen(truth, p, frame-12, frame+12) || !seen(truth, p.Mirror(), frame-12, frame+12) {
				continue
			}
			to, _ := truth.Frames[frame].At(p)
			wrong := truth.Clone()
			away := keypoint.Point{60, 0}
			for i := frame - half; i <= frame+half; i++ {
				pt, _ := truth.Frames[i].At(p)
				wrong.Frames[i].Set(p, pt.Add(away), 0.5)
			}
			swapped := truth.Clone()
			for i := frame - 4; i <= frame+4; i++ {
				swapped.Frames[i].Exchange(p)
			}
			swapped, _, err := clean.Run(swapped, clean.Options{Smooth: &clean.Smooth{Method: "butterworth", Cutoff: 6}})
			if err != nil {
				t.Fatal(err)
			}
			for i, carry := range [2]int{0, 3} {
				moved[i].add(t, truth, wrong, p, frame, correct.Edit{Frame: frame, Part: p, Point: &to, Carry: carry})
				exchanged[i].add(t, truth, swapped, p, frame, correct.Edit{Frame: frame - 4, Last: frame + 4, Part: p, Exchange: true, Carry: carry})
			}
		}
	}
	for _, c := range []struct {
		what  string
		m     [2]tally
		times float64 // by which both are at least smaller
	}{{"moved", moved, 20}, {"exchanged", exchanged, 2.5}} {
		t.Logf("%s, without and with carry over %d: %v", c.what, c.m[0].n, c.m)
		if c.m[0].n < 200 || c.m[1].error*c.times*c.times > c.m[0].error || c.m[1].jump*c.times > c.m[0].jump {
			t.Errorf("%s: in %d cases %v, want both %g times smaller", c.what, c.m[0].n, c.m, c.times)
		}
	}
}

// seen reports whether a part is there from one frame to another.
func seen(seq keypoint.Sequence, p keypoint.Part, first, last int) bool {
	for i := first; i <= last; i++ {
		if !seq.Frames[i].Has(p) {
			return false
		}
	}
	return true
}

// tally gathers how far corrected parts are from the truth, by the root of the mean square, and by how much the largest jump is wrong, by the mean.
type tally struct {
	n           int
	error, jump float64
}

func (s tally) String() string {
	return fmt.Sprintf("%.1f px, jumps %.1f px a frame", math.Sqrt(s.error/float64(s.n)), s.jump/float64(s.n))
}

func (s *tally) add(t *testing.T, truth, found keypoint.Sequence, p keypoint.Part, frame int, e correct.Edit) {
	t.Helper()
	got, _, err := correct.Apply(found, correct.List{{Edit: e}})
	if err != nil {
		t.Fatal(err)
	}
	var jump, sum float64
	last := keypoint.Point{}
	for i := frame - 8; i <= frame+8; i++ {
		is, _ := truth.Frames[i].At(p)
		at, _ := got.Frames[i].At(p)
		off := at.Sub(is)
		sum += off[0]*off[0] + off[1]*off[1]
		if step := off.Sub(last); i > frame-8 {
			jump = max(jump, math.Hypot(step[0], step[1]))
		}
		last = off
	}
	s.n++
	s.error += sum / 17
	s.jump += jump
}
