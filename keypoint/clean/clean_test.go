package clean_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// fixtures were made with SciPy by testdata/make_fixtures.py.
type fixtures struct {
	Times, Values []float64
	Butterworth   []struct {
		Order  int
		Cutoff float64
		Want   []float64
	}
	SavitzkyGolay []struct {
		Window, Order int
		Want          []float64
	}
	Median []struct {
		Window int
		Want   []float64
	}
	Pchip struct {
		Times, Values, Want []float64
		Known               []int
	}
}

func readFixtures(t *testing.T) (f fixtures) {
	t.Helper()
	b, err := os.ReadFile("testdata/fixtures.json")
	if err == nil {
		err = json.Unmarshal(b, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// recording is the path of one part: x are the values, y their negatives.
func recording(times, values []float64) keypoint.Sequence {
	s := keypoint.Sequence{Times: times, Frames: make([]keypoint.Frame, len(values))}
	for i, v := range values {
		s.Frames[i].Set(keypoint.Nose, keypoint.Point{v, -v}, 0.5)
	}
	return s
}

func run(t testing.TB, s keypoint.Sequence, opt clean.Options) (keypoint.Sequence, clean.Report) {
	t.Helper()
	out, report, err := clean.Run(s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return out, report
}

// same compares the nose's path with what is wanted, from frame first to the same
// distance from the end.
func same(t *testing.T, got keypoint.Sequence, want []float64, first int) {
	t.Helper()
	worst := 0.0
	for i := first; i < len(want)-first; i++ {
		pt, ok := got.Frames[i].At(keypoint.Nose)
		if !ok {
			t.Fatalf("frame %d has no point", i)
		}
		worst = max(worst, math.Abs(pt[0]-want[i]), math.Abs(pt[1]+want[i]))
	}
	if worst > 1e-9 {
		t.Errorf("off by %v", worst)
	}
}

func TestAgainstSciPy(t *testing.T) {
	f := readFixtures(t)
	s := recording(f.Times, f.Values)
	for _, c := range f.Butterworth {
		t.Run(fmt.Sprintf("butter+filtfilt %d %v", c.Order, c.Cutoff), func(t *testing.T) {
			got, _ := run(t, s, clean.Options{Smooth: &clean.Smooth{Order: c.Order, Cutoff: c.Cutoff}})
			same(t, got, c.Want, 0)
		})
	}
	for _, c := range f.SavitzkyGolay {
		t.Run(fmt.Sprintf("savgol_filter %d %d", c.Window, c.Order), func(t *testing.T) {
			got, _ := run(t, s, clean.Options{Smooth: &clean.Smooth{Method: "savitzkyGolay", Order: c.Order, Window: c.Window}})
			same(t, got, c.Want, 0)
		})
	}
	for _, c := range f.Median {
		t.Run(fmt.Sprintf("medfilt %d", c.Window), func(t *testing.T) {
			got, _ := run(t, s, clean.Options{Smooth: &clean.Smooth{Method: "median", Window: c.Window}})
			same(t, got, c.Want, c.Window/2) // SciPy pads with zeros
		})
	}
	t.Run("PchipInterpolator", func(t *testing.T) {
		s := recording(f.Pchip.Times, f.Pchip.Values)
		known := map[int]bool{}
		for _, i := range f.Pchip.Known {
			known[i] = true
		}
		for i := range s.Frames {
			if !known[i] {
				s.Frames[i].Unset(keypoint.Nose)
			}
		}
		got, report := run(t, s, clean.Options{Gaps: &clean.Gaps{Max: 10}})
		same(t, got, f.Pchip.Want, 0)
		if n := report.Count(clean.Filled); n != len(s.Frames)-len(known) {
			t.Errorf("%d points filled", n)
		}
	})
}

// TestOneEuro follows the published algorithm step by step on three numbers.
func TestOneEuro(t *testing.T) {
	const dt, minCutoff, beta = 0.1, 1.0, 0.5
	alpha := func(cutoff float64) float64 { r := 2 * math.Pi * cutoff * dt; return r / (r + 1) }
	x := []float64{0, 10, 12}
	want := []float64{0}
	dx := 0.0
	for _, v := range x[1:] {
		before := want[len(want)-1]
		dx = alpha(1)*(v-before)/dt + (1-alpha(1))*dx
		a := alpha(minCutoff + beta*math.Abs(dx))
		want = append(want, a*v+(1-a)*before)
	}
	got, _ := run(t, recording([]float64{0, dt, 2 * dt}, x), clean.Options{Smooth: &clean.Smooth{Method: "oneEuro", Cutoff: minCutoff, Beta: beta}})
	same(t, got, want, 0)
}

func TestGapsStayGaps(t *testing.T) {
	var times, values []float64
	for i := range 60 {
		times, values = append(times, float64(i)/30), append(values, float64(i))
	}
	s := recording(times, values)
	for _, i := range []int{0, 1, 20, 21, 22, 40, 41, 42, 43, 44, 45, 59} {
		s.Frames[i].Unset(keypoint.Nose)
	}
	got, report := run(t, s, clean.Options{Gaps: &clean.Gaps{Method: "linear", Max: 0.15}, Smooth: &clean.Smooth{Cutoff: 3}})
	for i := range got.Frames {
		_, ok := got.Frames[i].At(keypoint.Nose)
		gap := i < 2 || i >= 40 && i <= 45 || i == 59
		if ok == gap {
			t.Errorf("frame %d: present %v", i, ok)
		}
		if filled := report.Changes[i][keypoint.Nose]&clean.Filled != 0; filled != (i >= 20 && i <= 22) {
			t.Errorf("frame %d: filled %v", i, filled)
		}
	}
	// The run after the gap has 13 frames, too few for a filter of order 4.
	if len(report.Skips) != 1 || report.Skips[0] != (clean.Skip{Part: keypoint.Nose, First: 46, Last: 58, Need: 16}) {
		t.Errorf("skipped: %+v", report.Skips)
	}
	if pt, _ := got.Frames[50].At(keypoint.Nose); pt[0] != 50 {
		t.Errorf("a run that is skipped has changed: %v", pt)
	}
	if f, ok := s.Frames[20].At(keypoint.Nose); ok {
		t.Errorf("the raw sequence has changed: %v", f)
	}
}

func TestOutliers(t *testing.T) {
	rng := func(i int) float64 { return float64(i*7919%13) / 20 }
	var times, values []float64
	for i := range 90 {
		times, values = append(times, float64(i)/30), append(values, 100+float64(i)+rng(i))
	}
	values[30] += 80
	values[60] -= 200
	got, report := run(t, recording(times, values), clean.Options{Outliers: &clean.Outliers{}, Gaps: &clean.Gaps{}})
	if n := report.Count(clean.Rejected); n != 2 || report.Changes[30][keypoint.Nose] != clean.Rejected|clean.Filled {
		t.Errorf("%d rejected, frame 30: %b", n, report.Changes[30][keypoint.Nose])
	}
	for _, i := range []int{30, 60} {
		if pt, ok := got.Frames[i].At(keypoint.Nose); !ok || math.Abs(pt[0]-100-float64(i)) > 2 {
			t.Errorf("frame %d is at %v", i, pt)
		}
	}
}

func TestSwaps(t *testing.T) {
	var s keypoint.Sequence
	for i := range 60 {
		var f keypoint.Frame
		for k, left := range []keypoint.Part{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle} {
			y := 100 + 100*float64(k)
			sway := 10 * math.Sin(float64(i)/5)
			f.Set(left, keypoint.Point{130 + sway, y}, 0.9)
			f.Set(left.Mirror(), keypoint.Point{70 + sway, y}, 0.6)
		}
		s.Frames, s.Times = append(s.Frames, f), append(s.Times, float64(i)/30)
	}
	truth := s.Clone()
	exchange := func(i int) {
		for _, left := range []keypoint.Part{keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle} {
			a, _ := s.Frames[i].At(left)
			b, _ := s.Frames[i].At(left.Mirror())
			s.Frames[i].Set(left, b, 0.6)
			s.Frames[i].Set(left.Mirror(), a, 0.9)
		}
	}
	for _, i := range []int{0, 7, 20, 21, 22, 23, 59} {
		exchange(i)
	}
	got, report := run(t, s, clean.Options{Swaps: true})
	if d := cmp.Diff(truth, got, cmpopts.EquateComparable(keypoint.Frame{})); d != "" {
		t.Error(d)
	}
	if n := report.Count(clean.Swapped); n != 7*6 {
		t.Errorf("%d points swapped, want 42", n)
	}
	if again, r := run(t, got, clean.Options{Swaps: true}); r.Count(clean.Swapped) != 0 || !cmp.Equal(again, got, cmpopts.EquateComparable(keypoint.Frame{})) {
		t.Error("a repaired recording is repaired again")
	}
}

// TestVariableRate: a slow movement is the same after smoothing, however it is sampled.
func TestVariableRate(t *testing.T) {
	for _, method := range []clean.Method{"butterworth", "savitzkyGolay"} {
		var times, values []float64
		for i := range 120 {
			at := 0.2*float64(i)/6 + 0.01*float64(i%3)
			times, values = append(times, at), append(values, 100*math.Sin(2*math.Pi*0.5*at))
		}
		got, _ := run(t, recording(times, values), clean.Options{Smooth: &clean.Smooth{Method: method}})
		for i := 10; i < 110; i++ {
			if pt, _ := got.Frames[i].At(keypoint.Nose); math.Abs(pt[0]-values[i]) > 0.5 {
				t.Errorf("%s: frame %d is at %v, want %v", method, i, pt[0], values[i])
			}
		}
	}
}

// TestConstants: what does not move is not moved by any step.
func TestConstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(-5000, 5000).Draw(t, "value")
		n := rapid.IntRange(1, 80).Draw(t, "frames")
		var times, values []float64
		at := 0.0
		for range n {
			at += rapid.Float64Range(0.01, 0.1).Draw(t, "step")
			times, values = append(times, at), append(values, value)
		}
		for _, m := range []clean.Method{"butterworth", "oneEuro", "median", "savitzkyGolay"} {
			got, _, err := clean.Run(recording(times, values), clean.Options{Swaps: true, Outliers: &clean.Outliers{}, Gaps: &clean.Gaps{}, Smooth: &clean.Smooth{Method: m}})
			if err != nil {
				t.Fatal(err)
			}
			for i := range got.Frames {
				if pt, ok := got.Frames[i].At(keypoint.Nose); !ok || math.Abs(pt[0]-value) > 1e-6 || got.Frames[i].Confidence(keypoint.Nose) != 0.5 {
					t.Fatalf("%s: frame %d is at %v", m, i, pt)
				}
			}
		}
	})
}

func TestOptionsOutOfRange(t *testing.T) {
	s := recording([]float64{0, 1}, []float64{1, 2})
	for _, opt := range []clean.Options{
		{Outliers: &clean.Outliers{Window: -1}}, {Gaps: &clean.Gaps{Method: "spline"}}, {Gaps: &clean.Gaps{Max: math.NaN()}},
		{Smooth: &clean.Smooth{Method: "kalman"}}, {Smooth: &clean.Smooth{Order: 9}}, {Smooth: &clean.Smooth{Method: "median", Window: 4}},
		{Smooth: &clean.Smooth{Method: "savitzkyGolay", Window: 3, Order: 3}}, {Smooth: &clean.Smooth{Method: "oneEuro", Beta: -1}},
	} {
		if _, _, err := clean.Run(s, opt); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
	if _, _, err := clean.Run(keypoint.Sequence{Frames: make([]keypoint.Frame, 2)}, clean.Options{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("without times: %v", err)
	}
	for _, n := range []int{0, 1} { // an image, or nothing, passes
		in := keypoint.Sequence{Frames: make([]keypoint.Frame, n)}
		if out, _, err := clean.Run(in, clean.Options{Swaps: true, Outliers: &clean.Outliers{}, Gaps: &clean.Gaps{}, Smooth: &clean.Smooth{}}); err != nil || out.Len() != n {
			t.Errorf("%d frames: %v", n, err)
		}
	}
}

func ExampleRun() {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 5), Times: []float64{0, 0.1, 0.2, 0.3, 0.4}}
	for i := range s.Frames {
		if i != 2 {
			s.Frames[i].Set(keypoint.Nose, keypoint.Point{float64(10 * i), 50}, 0.9)
		}
	}
	cleaned, report, err := clean.Run(s, clean.Options{Gaps: &clean.Gaps{Max: 0.25}})
	if err != nil {
		panic(err)
	}
	pt, _ := cleaned.Frames[2].At(keypoint.Nose)
	fmt.Printf("%.0f, %d filled\n", pt[0], report.Count(clean.Filled))
	// Output: 20, 1 filled
}

// BenchmarkRun cleans a walk with gaps by the default options.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{100, 1800, 100_000} {
		s := walker{fps: 30, seconds: float64(n) / 30, stride: 0.9, reach: 0.6, noise: 0.015}.sequence()
		for i := range s.Frames {
			if i%97 < 3 {
				s.Frames[i].Unset(keypoint.Part(i % keypoint.NumParts))
			}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := clean.Run(s, clean.Default()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestImage: an image has no times, and only what needs none is done to it.
func TestImage(t *testing.T) {
	var f keypoint.Frame
	f.Set(keypoint.LeftShoulder, keypoint.Point{10, 10}, 0.9)
	f.Set(keypoint.LeftHip, keypoint.Point{10, 60}, 0.9)
	f.Set(keypoint.RightElbow, keypoint.Point{20, 30}, 0.8)
	f.Set(keypoint.LeftElbow, keypoint.Point{20, 31}, 0.3)
	got, report, err := clean.Run(keypoint.Sequence{Frames: []keypoint.Frame{f}}, clean.Default())
	f.Unset(keypoint.LeftElbow)
	if err != nil || got.Frames[0] != f || report.Changes[0][keypoint.LeftElbow] != clean.Coincident || report.Skips != nil {
		t.Errorf("%v, %+v (%v)", got, report, err)
	}
}

// TestPeople: each person is cleaned alone.
func TestPeople(t *testing.T) {
	var seq keypoint.Sequence
	for i := range 40 {
		var f keypoint.Frame
		x := float64(i)
		if i >= 20 {
			x += 500
		}
		f.Set(keypoint.Nose, keypoint.Point{x, 100}, 0.9)
		seq.Frames = append(seq.Frames, f)
		seq.Times = append(seq.Times, float64(i)/30)
	}
	seq.Frames[19], seq.Frames[20] = keypoint.Frame{}, keypoint.Frame{} // a gap between the two
	seq.PersonChanges = []int{20}
	got, report, err := clean.Run(seq, clean.Options{Gaps: &clean.Gaps{Max: 1}, Smooth: &clean.Smooth{Method: "savitzkyGolay", Window: 21}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Frames {
		was, ok := seq.Frames[i].At(keypoint.Nose)
		if now, okNow := got.Frames[i].At(keypoint.Nose); ok != okNow || now.Sub(was).Len() > 0.01 {
			t.Errorf("frame %d: %v is now %v", i, was, now)
		}
	}
	if len(report.Skips) != 2 || report.Skips[0].Last != 18 || report.Skips[1].First != 21 || report.Skips[1].Last != 39 {
		t.Errorf("runs too short for the filter: %+v", report.Skips)
	}
}

// TestLongestGap holds that a gap of exactly the longest duration is filled wherever it is, though
// the differences of times are rounded.
func TestLongestGap(t *testing.T) {
	for _, rate := range []int{20, 30, 50} {
		missing := rate/10 - 1 // 0.1 s from the last point to the next
		for first := 1; first < 100; first++ {
			s := keypoint.Sequence{Times: make([]float64, 110), Frames: make([]keypoint.Frame, 110)}
			for i := range s.Frames {
				s.Times[i] = float64(i) / float64(rate)
				if i < first || i >= first+missing {
					s.Frames[i].Set(keypoint.Nose, keypoint.Point{float64(i), 1}, 0.5)
				}
			}
			if _, report := run(t, s, clean.Options{Gaps: &clean.Gaps{Max: 0.1}}); report.Count(clean.Filled) != missing {
				t.Errorf("%d frames a second: %d of %d points are filled from frame %d", rate, report.Count(clean.Filled), missing, first)
			}
		}
	}
}

func ExampleParseOptions() {
	opt, err := clean.ParseOptions([]byte(`{"swaps": true, "gaps": 0.1}`))
	fmt.Println(opt.Swaps, opt.Gaps.Max, opt.Smooth == nil, err)

	_, err = clean.ParseOptions([]byte(`{"smooth": {"method": "average"}}`))
	fmt.Println(err)
	// Output:
	// true 0.1 true <nil>
	// invalid cleaning options: /smooth/method: is average, want butterworth, oneEuro, median or savitzkyGolay
}
