package inference_test

import (
	"context"
	"errors"
	"image"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// witness is an estimator that notes the frames it is asked about.
type witness struct {
	*eyes
	mu     sync.Mutex
	frames []int
}

func (w *witness) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	w.mu.Lock()
	w.frames = append(w.frames, img.(still).number)
	w.mu.Unlock()
	return w.eyes.Estimate(ctx, img, hint)
}

// looks returns the frames, in order.
func (w *witness) looks() []int {
	slices.Sort(w.frames)
	return slices.Compact(w.frames)
}

// every returns 0, step, 2·step … below n.
func every(step, n int) (list []int) {
	for i := 0; i < n; i += step {
		list = append(list, i)
	}
	return list
}

// steady returns the times of n frames, rounded to milliseconds as some formats do.
func steady(n int, fps float64) (list []float64) {
	for i := range n {
		list = append(list, math.Round(1000*float64(i)/fps)/1000)
	}
	return list
}

// TestRate: which frames are looked at, by their times. All others are empty, and the result says so.
func TestRate(t *testing.T) {
	irregular := []float64{0, 0.01, 0.02, 0.05, 0.06, 0.11, 0.12, 0.13, 0.15, 0.5, 0.51, 0.55, 0.56}
	for name, c := range map[string]struct {
		times []float64
		rate  float64
		cuts  map[int]bool
		want  []int
	}{
		"half":                         {steady(61, 60), 30, nil, every(2, 61)},
		"a third":                      {steady(61, 60), 20, nil, every(3, 61)},
		"a quarter":                    {steady(121, 120), 30, nil, every(4, 121)},
		"the last frame":               {steady(60, 60), 30, nil, append(every(2, 60), 59)},
		"at most so many":              {steady(51, 50), 30, nil, every(2, 51)},
		"the rate of the movie":        {steady(30, 30), 30, nil, every(1, 30)},
		"a higher rate":                {steady(30, 30), 1000, nil, every(1, 30)},
		"not much higher than allowed": {steady(30, 30), 28, nil, every(1, 30)},
		"first and last alone":         {steady(30, 30), 1e-300, nil, []int{0, 29}},
		"one frame":                    {steady(1, 30), 30, nil, []int{0}},
		"two frames":                   {steady(2, 60), 30, nil, []int{0, 1}},
		"irregular times":              {irregular, 20, nil, []int{0, 3, 5, 8, 9, 11, 12}},
		"before a pause":               {[]float64{0, 0.01, 0.02, 1, 1.01, 1.05}, 20, nil, []int{0, 2, 3, 5}},
		"both sides of a cut":          {steady(21, 60), 20, map[int]bool{8: true}, []int{0, 3, 6, 7, 8, 11, 14, 17, 20}},
		"cuts one after the other":     {steady(9, 60), 10, map[int]bool{4: true, 5: true, 8: true}, []int{0, 3, 4, 5, 7, 8}},
	} {
		t.Run(name, func(t *testing.T) {
			n := len(c.times)
			for _, inFlight := range []int{1, 2, 4} {
				w := &witness{eyes: &eyes{actors: []actor{{walking(n, 300, 0.2), 200}}}}
				f := &film{n: n, times: c.times, cuts: c.cuts}
				done := 0
				seq, err := inference.Extract(t.Context(), f, w, inference.ExtractOptions{Rate: c.rate, InFlight: inFlight, Progress: func(d, _ int) {
					if d <= done {
						t.Errorf("progress from %d to %d", done, d)
					}
					done = d
				}})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, w.looks()); diff != "" {
					t.Fatalf("looks: %s", diff)
				}
				if len(c.want) == n && seq.Looks != nil || len(c.want) < n && !cmp.Equal(seq.Looks, c.want) {
					t.Errorf("the result says %v", seq.Looks)
				}
				if err := seq.Validate(); err != nil || seq.Len() != n || !cmp.Equal(seq.Times, c.times) || seq.Size != image.Pt(640, 480) || done != n {
					t.Errorf("%d frames of %v at %v, %d done (%v)", seq.Len(), seq.Size, seq.Times, done, err)
				}
				for i, k := range who(seq, w.actors) {
					if want := slices.Index(c.want, i); (want < 0) != (k == -1) || k == -2 {
						t.Errorf("frame %d shows %d", i, k)
					}
				}
				if f.out.Load() != 0 || f.most > int64(inFlight)+1 {
					t.Errorf("%d pictures left, %d at a time with %d in flight", f.out.Load(), f.most, inFlight)
				}
			}
		})
	}
}

// TestRateChangesNothing: a rate that the movie does not reach gives the same as none.
func TestRateChangesNothing(t *testing.T) {
	e := &eyes{actors: []actor{{gone(walking(40, 100, 4), 10, 22), 200}, {walking(40, 630, -2), 210}}}
	cuts := map[int]bool{30: true}
	want := extract(t, 40, e, cuts, inference.ExtractOptions{})
	got := extract(t, 40, e, cuts, inference.ExtractOptions{Rate: 10})
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(keypoint.Frame{})); diff != "" {
		t.Error(diff)
	}
}

// TestRateFollows: between looks people walk on, are lost, come back and are changed for others, and
// what is filled in afterwards bridges none of this.
func TestRateFollows(t *testing.T) {
	const n = 181
	times := steady(n, 60)
	run := func(e *eyes, cuts map[int]bool, inFlight int) (raw, filled keypoint.Sequence) {
		t.Helper()
		raw, err := inference.Extract(t.Context(), &film{n: n, times: times, cuts: cuts}, e, inference.ExtractOptions{Rate: 20, InFlight: inFlight})
		if err != nil {
			t.Fatal(err)
		}
		filled, report, err := clean.Run(raw, clean.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range filled.Frames {
			if marked := report.Changes[i][keypoint.Nose] == clean.Filled; marked != (raw.Frames[i].Empty() && !filled.Frames[i].Empty()) {
				t.Errorf("frame %d is marked as filled: %v", i, marked)
			}
		}
		return raw, filled
	}
	spans := func(seq keypoint.Sequence) (list [][2]int) { // of frames with somebody
		for i := range seq.Frames {
			switch n := len(list); {
			case seq.Frames[i].Empty():
			case n > 0 && list[n-1][1] == i-1:
				list[n-1][1] = i
			default:
				list = append(list, [2]int{i, i})
			}
		}
		return list
	}
	for _, inFlight := range []int{1, 2, 3} {
		// 300 pixels a second: further in three frames at once than a person of this size is known again
		// without extrapolation.
		fast := &eyes{actors: []actor{{walking(n, 20, 3.3), 60}}}
		if _, filled := run(fast, nil, inFlight); !cmp.Equal(spans(filled), [][2]int{{0, n - 1}}) {
			t.Errorf("%d in flight, walking: seen in %v", inFlight, spans(filled))
		}
		// Gone for 0.35 s, from frame 50 to 71: the last looks before and the first one after are 48 and 72.
		lost := &eyes{actors: []actor{{gone(stand(n, 320), 50, 71), 200}}}
		raw, filled := run(lost, nil, inFlight)
		if want := [][2]int{{0, 48}, {72, n - 1}}; !cmp.Equal(spans(filled), want) || raw.PersonChanges != nil {
			t.Errorf("%d in flight, lost: seen in %v, want %v", inFlight, spans(filled), want)
		}
		// A cut to somebody else in frame 100: the last frame of one and the first of the other.
		other := &eyes{actors: []actor{{gone(stand(n, 320), 100, n), 200}, {gone(stand(n, 200), 0, 100), 210}}}
		raw, filled = run(other, map[int]bool{100: true}, inFlight)
		if !cmp.Equal(spans(filled), [][2]int{{0, n - 1}}) || !cmp.Equal(raw.PersonChanges, []int{100}) || raw.Frames[99].Empty() || raw.Frames[100].Empty() {
			t.Errorf("%d in flight, a cut: seen in %v, others from %v", inFlight, spans(filled), raw.PersonChanges)
		}
		for i, k := range who(filled, other.actors) {
			if k != i/100 && !(i >= 100 && k == 1) {
				t.Fatalf("%d in flight, a cut: frame %d shows %d", inFlight, i, k)
			}
		}
		// A cut to a place where nobody is, and back.
		empty := &eyes{actors: []actor{{gone(stand(n, 320), 100, 110), 200}}}
		_, filled = run(empty, map[int]bool{100: true, 110: true}, inFlight)
		if want := [][2]int{{0, 99}, {110, n - 1}}; !cmp.Equal(spans(filled), want) {
			t.Errorf("%d in flight, two cuts: seen in %v, want %v", inFlight, spans(filled), want)
		}
	}
}

// TestRateOfAll: everybody is looked for at the same frames, and choosers who watch too.
func TestRateOfAll(t *testing.T) {
	const n = 61
	actors := []actor{{stand(n, 200), 200}, {gone(walking(n, 450, 1), 0, 20), 180}}
	w := &witness{eyes: &eyes{actors: actors}}
	f := &film{n: n, times: steady(n, 60)}
	people, err := inference.ExtractAll(t.Context(), f, w, inference.ExtractOptions{Rate: 20})
	if err != nil || len(people.All) != 2 || f.out.Load() != 0 {
		t.Fatalf("%d people, %d pictures left (%v)", len(people.All), f.out.Load(), err)
	}
	want := every(3, n)
	if diff := cmp.Diff(want, w.looks()); diff != "" {
		t.Error(diff)
	}
	for k, p := range people.All {
		filled, _, err := clean.Run(p.Sequence, clean.Options{})
		if err != nil || !cmp.Equal(p.Sequence.Looks, want) || filled.Len() != n {
			t.Fatalf("person %d: looks %v, %d frames (%v)", k, p.Sequence.Looks, filled.Len(), err)
		}
		if got := filled.Frames[0].Empty(); got != (k == 1) || filled.Frames[n-2].Empty() {
			t.Errorf("person %d: the first frame is empty: %v", k, got)
		}
	}
	// Frames 0 to 54 are watched.
	var frames []int
	seq, err := inference.Extract(t.Context(), &film{n: n, times: steady(n, 60)}, w.eyes, inference.ExtractOptions{
		Rate: 20, Choose: inference.Choice{Policy: inference.PolicyMostMovement, Seconds: 0.9}, Candidates: 8,
		OnCandidates: func(frame int, _ []inference.Candidate) { frames = append(frames, frame) },
	})
	if err != nil || !cmp.Equal(seq.Looks, want) || !cmp.Equal(frames, []int{0, 3, 6}) {
		t.Errorf("watched: looks %v, candidates in %v (%v)", seq.Looks, frames, err)
	}
	if got := who(seq, actors); got[54] != 1 || got[60] != 1 {
		t.Errorf("the one who moves is not followed: %v", got)
	}
}

// TestRateErrors: a rate out of range is told, and an error leaves no picture in use, whenever it
// comes.
func TestRateErrors(t *testing.T) {
	e := &eyes{actors: []actor{{stand(60, 320), 200}}}
	for _, rate := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err := inference.Extract(t.Context(), &film{n: 3}, e, inference.ExtractOptions{Rate: rate})
		_, all := inference.ExtractAll(t.Context(), &film{n: 3}, e, inference.ExtractOptions{Rate: rate})
		if !errors.Is(err, keypoint.ErrInvalid) || !errors.Is(all, keypoint.ErrInvalid) {
			t.Errorf("%v looks a second: %v; %v", rate, err, all)
		}
	}
	for fail := 1; fail < 12; fail++ {
		f := &film{n: 60, times: steady(60, 60), fail: fail, cuts: map[int]bool{8: true}}
		if _, err := inference.Extract(t.Context(), f, e, inference.ExtractOptions{Rate: 20}); !errors.Is(err, errTorn) || f.out.Load() != 0 {
			t.Errorf("torn at frame %d: %v, %d pictures left", fail, err, f.out.Load())
		}
		f = &film{n: 60, times: steady(60, 60), cuts: map[int]bool{8: true}}
		blindly := &failing{eyes: e, frame: fail}
		_, err := inference.Extract(t.Context(), f, blindly, inference.ExtractOptions{Rate: 20})
		if errors.Is(err, errTorn) != blindly.failed() || f.out.Load() != 0 {
			t.Errorf("failing at frame %d: %v, %d pictures left", fail, err, f.out.Load())
		}
		f = &film{n: 60, times: steady(60, 60), cuts: map[int]bool{8: true}}
		if _, err := inference.ExtractAll(t.Context(), f, blindly, inference.ExtractOptions{Rate: 20}); (err != nil) != blindly.failed() || f.out.Load() != 0 {
			t.Errorf("all, failing at frame %d: %v, %d pictures left", fail, err, f.out.Load())
		}
	}
}

// failing is an estimator that fails at a frame.
type failing struct {
	*eyes
	frame int
}

// failed reports whether the frame is looked at.
func (f *failing) failed() bool { return slices.Contains([]int{3, 6, 7, 8, 11}, f.frame) }

func (f *failing) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	if img.(still).number == f.frame {
		return keypoint.Frame{}, errTorn
	}
	return f.eyes.Estimate(ctx, img, hint)
}
