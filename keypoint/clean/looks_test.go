package clean_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// swing is where the nose of a recording of 60 frames a second is.
func swing(at float64) keypoint.Point {
	return keypoint.Point{200 + 100*math.Sin(2*math.Pi*at), 100 + 20*at}
}

// glimpsed is a recording of 60 frames a second of which every third was looked at, and the last.
// missing are looks that did not find the nose.
func glimpsed(n int, missing ...int) keypoint.Sequence {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, n), Times: make([]float64, n)}
	for i := range n {
		seq.Times[i] = float64(i) / 60
		if i%3 == 0 || i == n-1 {
			seq.Looks = append(seq.Looks, i)
			seq.Frames[i].Set(keypoint.Nose, swing(seq.Times[i]), 0.6+0.3*float64(i%2))
		}
	}
	for _, i := range missing {
		seq.Frames[i] = keypoint.Frame{}
	}
	return seq
}

// TestBetweenLooks: without any step, the frames between two looks are filled along the movement, and
// marked. The looks stay as they are.
func TestBetweenLooks(t *testing.T) {
	const n = 92
	seq := glimpsed(n, 30, 60, 63)
	got, report := run(t, seq, clean.Options{})
	for i := range n {
		at, ok := got.Frames[i].At(keypoint.Nose)
		gap := i > 27 && i < 33 || i > 57 && i < 66 // nothing bridges a look that has not found the part
		if ok == gap {
			t.Fatalf("frame %d: found %v", i, ok)
		}
		want := clean.Change(0)
		if ok && i%3 != 0 && i != n-1 {
			want = clean.Filled
			if c := got.Frames[i].Confidence(keypoint.Nose); math.Abs(c-0.6) > 1e-9 {
				t.Errorf("frame %d: confidence %v, want the smaller one of the looks around", i, c)
			}
		}
		if report.Changes[i][keypoint.Nose] != want {
			t.Errorf("frame %d: %v, want %v", i, report.Changes[i][keypoint.Nose].Names(), want.Names())
		}
		if ok && at.Sub(swing(seq.Times[i])).Len() > 0.2 {
			t.Errorf("frame %d is at %v, want %v", i, at, swing(seq.Times[i]))
		}
		if want == 0 && got.Frames[i] != seq.Frames[i] {
			t.Errorf("look %d has changed", i)
		}
	}
	if diff := cmp.Diff(seq.Looks, got.Looks); diff != "" {
		t.Error(diff)
	}
	again, _ := run(t, got, clean.Options{})
	if diff := cmp.Diff(got, again, cmpopts.EquateComparable(keypoint.Frame{})); diff != "" {
		t.Errorf("filled again: %s", diff)
	}
}

// TestStepsSeeLooks: the steps work on the looks alone: what they say of frames is told of the movie's, and
// what was filled between smoothed points counts as smoothed too.
func TestStepsSeeLooks(t *testing.T) {
	seq := glimpsed(151, 60)
	out, report := run(t, seq, clean.Options{Gaps: &clean.Gaps{Max: 0.1}, Smooth: &clean.Smooth{Cutoff: 6}})
	for i := range out.Frames {
		want := clean.Smoothed
		if i%3 != 0 || i == 60 {
			want |= clean.Filled
		}
		at, ok := out.Frames[i].At(keypoint.Nose)
		if !ok || report.Changes[i][keypoint.Nose] != want || at.Sub(swing(seq.Times[i])).Len() > 1 {
			t.Fatalf("frame %d: %v %v, %v", i, at, ok, report.Changes[i][keypoint.Nose].Names())
		}
	}
	// 40 frames, but only 14 looks: too few for a filter that needs 16.
	short := glimpsed(40)
	_, report = run(t, short, clean.Options{Smooth: &clean.Smooth{}})
	want := []clean.Skip{{Part: keypoint.Nose, First: 0, Last: 39, Need: 16}}
	if diff := cmp.Diff(want, report.Skips); diff != "" {
		t.Error(diff)
	}
	// 10 looks a second are too slow for 6 Hz, however many frames the movie has.
	var slow keypoint.Sequence
	for i := range 240 {
		var f keypoint.Frame
		if i%6 == 0 || i == 239 {
			slow.Looks = append(slow.Looks, i)
			f.Set(keypoint.Nose, swing(float64(i)/60), 0.9)
		}
		slow.Frames, slow.Times = append(slow.Frames, f), append(slow.Times, float64(i)/60)
	}
	if _, report = run(t, slow, clean.Options{Smooth: &clean.Smooth{}}); len(report.Skips) != 1 || report.Skips[0].Rate != 12 {
		t.Errorf("slow looks: %+v", report.Skips)
	}
}

// TestPeopleBetweenLooks: nothing is filled from one person to the next.
func TestPeopleBetweenLooks(t *testing.T) {
	seq := glimpsed(61)
	seq.PersonChanges = []int{30}
	got, _ := run(t, seq, clean.Options{})
	for i := range got.Frames {
		if between := i == 28 || i == 29; got.Frames[i].Empty() != between {
			t.Errorf("frame %d: empty is %v", i, !between)
		}
	}
	seq.Size.X, seq.Size.Y = 250, 1000
	inside, _ := run(t, seq, clean.Options{})
	for i := range inside.Frames {
		if at, _ := inside.Frames[i].At(keypoint.Nose); at[0] > 250 && i%3 != 0 {
			t.Errorf("frame %d is filled outside of the picture: %v", i, at)
		}
	}
}

// TestSplineOfLooks: a movement along a cubic is filled in exactly, whatever the time steps are; and an
// hour of irregular looks takes no memory or time but in proportion.
func TestSplineOfLooks(t *testing.T) {
	cubic := func(at float64) keypoint.Point {
		return keypoint.Point{300 - 40*at + 90*at*at - 30*at*at*at, 200 + 50*at*at*at}
	}
	for _, n := range []int{10, 100_000} {
		var seq keypoint.Sequence
		at := 0.0
		for i := range n {
			var f keypoint.Frame
			if i%3 == 0 {
				seq.Looks = append(seq.Looks, i)
				f.Set(keypoint.Nose, cubic(at*10/float64(n)), 0.9)
			}
			seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, at)
			at += 0.03 + 0.02*float64(i%2) + 0.01*float64(i%5)
		}
		got, _ := run(t, seq, clean.Options{})
		for i := range seq.Looks[len(seq.Looks)-1] {
			if p, _ := got.Frames[i].At(keypoint.Nose); p.Sub(cubic(seq.Times[i]*10/float64(n))).Len() > 1e-6 {
				t.Fatalf("frame %d of %d is at %v, want %v", i, n, p, cubic(seq.Times[i]*10/float64(n)))
			}
		}
		smooth, _ := run(t, seq, clean.Options{Smooth: &clean.Smooth{}}) // resamples along the same spline
		if smooth.Len() != n {
			t.Errorf("%d frames, want %d", smooth.Len(), n)
		}
	}
}

// TestVisibilityIsKept: smoothing keeps it, exchanging sides moves it, and between two looks it is the smaller one.
func TestVisibilityIsKept(t *testing.T) {
	w := walker{fps: 60, seconds: 2, stride: 0.8, reach: 0.6}
	truth := w.sequence()
	raw := truth.Clone()
	for i := range raw.Frames {
		f := &raw.Frames[i]
		f.SetVisibility(keypoint.LeftAnkle, 0.2)
		f.SetVisibility(keypoint.RightAnkle, 0.9)
		truth.Frames[i] = *f
		if i >= 40 && i < 50 {
			for _, p := range []keypoint.Part{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle} {
				f.Exchange(p)
			}
		}
	}
	got, report := run(t, raw, clean.Options{Swaps: true, Smooth: &clean.Smooth{}})
	if report.Count(clean.Swapped) == 0 {
		t.Fatal("nothing was exchanged")
	}
	for i := range got.Frames {
		if v, _ := got.Frames[i].Visibility(keypoint.LeftAnkle); v != 0.2 {
			t.Errorf("frame %d: the left ankle's visibility is %v, want 0.2", i, v)
		}
	}
	between := glimpsed(7)
	for k, i := range between.Looks {
		between.Frames[i].SetVisibility(keypoint.Nose, 0.9-0.2*float64(k))
	}
	got, _ = run(t, between, clean.Options{})
	if v, ok := got.Frames[1].Visibility(keypoint.Nose); !ok || v != 0.7 {
		t.Errorf("between two looks it is %v (%v), want the smaller one, 0.7", v, ok)
	}
}
