package live_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// numbered is a grey picture that knows its number.
type numbered struct {
	image.Image
	number int
}

func picture(number int) image.Image {
	return numbered{&image.Uniform{color.Gray{100}}, number}
}

func (n numbered) Bounds() image.Rectangle { return image.Rect(0, 0, 2000, 2000) }

// seen is an Estimator that finds a frame in each picture.
type seen func(number int) keypoint.Frame

func (s seen) Estimate(ctx context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	return s(img.(numbered).number), ctx.Err()
}

func rules() []analyze.Rule {
	count := &analyze.RepetitionOptions{}
	return []analyze.Rule{
		{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Repetitions: count},
		{Type: analyze.KneeFlexion, Side: analyze.RightSide, Repetitions: count},
		{Type: analyze.TrunkLean},
	}
}

func session(t testing.TB, est inference.Estimator, opt live.Options) *live.Session {
	t.Helper()
	s, err := live.New(est, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sameAsOffline checks that updates agree with the offline analysis of the sequence that was kept.
func sameAsOffline(t *testing.T, s *live.Session, updates []live.Update) {
	t.Helper()
	cleaned, _, err := clean.Run(s.Sequence(), clean.Default())
	if err != nil {
		t.Fatal(err)
	}
	want, err := analyze.Run(cleaned, rules())
	if err != nil {
		t.Fatal(err)
	}
	counts := s.Counts()
	for k, r := range want {
		sum, n := 0.0, 0
		for i, u := range updates {
			if a, b := u.Values[k], r.Values[i]; a.Present && b.Present {
				sum, n = sum+(a.X-b.X)*(a.X-b.X), n+1
			}
		}
		rmse := math.Sqrt(sum / float64(n))
		t.Logf("%s %s: RMSE %.2f° in %d of %d pictures", r.Type, r.Side, rmse, n, len(updates))
		if !(rmse < 3) || float64(n) < 0.9*r.Coverage*float64(len(updates)) {
			t.Errorf("%s %s: RMSE %v° in %d of %d pictures", r.Type, r.Side, rmse, n, len(updates))
		}
		if reps := r.Repetitions; reps != nil && (counts[k].Found != len(reps.List) || counts[k].Complete != reps.Complete) {
			t.Errorf("%s %s: %d repetitions and %d complete, offline %d and %d", r.Type, r.Side, counts[k].Found, counts[k].Complete, len(reps.List), reps.Complete)
		}
	}
}

// TestTrembling: a movie with jitter and short gaps has the values and repetitions of the offline
// analysis, and the frames that were seen are kept.
func TestTrembling(t *testing.T) {
	for _, name := range []string{"squat_60", "squat_90_slow"} {
		t.Run(name, func(t *testing.T) {
			truth := testkit.Rendered(t, name)
			random := rand.New(rand.NewPCG(1, 2))
			frames := make([]keypoint.Frame, truth.Seq.Len())
			for i, f := range truth.Seq.Frames {
				for _, p := range f.Present().List() {
					at, _ := f.At(p)
					frames[i].Set(p, at.Add(keypoint.Point{random.NormFloat64() * 2, random.NormFloat64() * 2}), 0.9)
					if random.IntN(50) == 0 {
						frames[i].Unset(p)
					}
				}
			}
			s := session(t, seen(func(i int) keypoint.Frame { return frames[i] }), live.Options{Rules: rules(), Keep: -1, Feet: true})
			var updates []live.Update
			filled := 0
			for i, at := range truth.Seq.Times {
				u, err := s.Next(t.Context(), picture(i), at)
				if err != nil {
					t.Fatal(err)
				}
				if u.Number != i || u.Time != at || u.Changed || u.Dropped != 0 {
					t.Errorf("picture %d: %+v", i, u)
				}
				for p, c := range u.Changes {
					if c&clean.Filled != 0 && u.Keypoints.Has(keypoint.Part(p)) && !frames[i].Has(keypoint.Part(p)) {
						filled++
					}
				}
				updates = append(updates, u)
			}
			if filled < 10 {
				t.Errorf("%d points bridge gaps", filled)
			}
			kept := s.Sequence()
			if !cmp.Equal(kept.Frames, frames, cmpopts.EquateComparable(keypoint.Frame{})) || kept.Size != image.Pt(2000, 2000) {
				t.Error("the sequence is not what was seen")
			}
			sameAsOffline(t, s, updates)
			found := len(truth.Reps)
			for k := range 2 {
				if c := updates[len(updates)-1].Counts[k]; c.Found != found {
					t.Errorf("%d repetitions, in truth %d", c.Found, found)
				}
			}
		})
	}
}

// TestVerdict: squats are counted by the knee from the side and by the height of the hips from the front, where it is told that the
// knee shows from another side.
func TestVerdict(t *testing.T) {
	height := analyze.Rule{Type: analyze.HipHeight, Repetitions: &analyze.RepetitionOptions{}}
	for name, front := range map[string]bool{"squat_0_shift": true, "squat_90_slow": false} {
		truth := testkit.Rendered(t, name)
		asked := append(rules(), height)
		s := session(t, seen(func(i int) keypoint.Frame { return truth.Seq.Frames[i] }), live.Options{Rules: asked, Feet: true})
		var last live.Update
		against, facing := 0, map[quality.Direction]int{}
		for i, at := range truth.Seq.Times {
			u, err := s.Next(t.Context(), picture(i), at)
			if err != nil {
				t.Fatal(err)
			}
			if last = u; u.Why[0] == quality.CodeOutOfPlane {
				against++
			}
			facing[u.Facing.Direction]++
		}
		if n := len(truth.Seq.Times); 2*facing[quality.FromFront] > n != front || 2*facing[quality.FromSide] > n == front {
			t.Errorf("%s is seen from %v", name, facing)
		}
		v := last.Verdict
		told := slices.ContainsFunc(v.Notes, func(w quality.Warning) bool { return w.Code == quality.CodeOutOfPlane })
		if v.Movement != "squat" || v.Lead < 0 || (asked[v.Lead].Type == analyze.HipHeight) != front || told != front || (against > len(truth.Seq.Times)/2) != front {
			t.Errorf("%s: %+v, out of plane in %d of %d pictures", name, v, against, len(truth.Seq.Times))
			continue
		}
		if c := last.Counts[v.Lead]; c.Found != len(truth.Reps) || !c.Settled {
			t.Errorf("%s: %+v, want %d repetitions", name, c, len(truth.Reps))
		}
	}
}

// TestNetworks: with the networks, a rendered movie has the repetitions and, within 3 degrees, the angles
// of the offline analysis. It takes some seconds because of the networks.
func TestNetworks(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	truth := testkit.Rendered(t, "squat_60")
	movie, err := os.Open(testkit.Data(t, "rendered/squat_60.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	defer movie.Close()
	est, err := pose.Fast(pose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer est.Close()
	frames, err := ffmpeg.Decoder{}.Open(t.Context(), movie)
	if err != nil {
		t.Fatal(err)
	}
	defer frames.Close()
	s := session(t, est, live.Options{Rules: rules(), Keep: -1})
	var updates []live.Update
	for pic, err := frames.Next(); err == nil; pic, err = frames.Next() {
		u, err := s.Next(t.Context(), pic.Image, pic.Time)
		if err != nil {
			t.Fatal(err)
		}
		pic.Release()
		updates = append(updates, u)
	}
	if len(updates) != truth.Seq.Len() {
		t.Fatalf("%d pictures, want %d", len(updates), truth.Seq.Len())
	}
	sameAsOffline(t, s, updates)
	if c := s.Counts()[0]; c.Found != len(truth.Reps) {
		t.Errorf("%d repetitions, in truth %d", c.Found, len(truth.Reps))
	}
}

// TestOtherPerson: after a change, nothing of the other person is left.
func TestOtherPerson(t *testing.T) {
	body := func(x float64) (f keypoint.Frame) {
		for p := range keypoint.Part(keypoint.NumBody) {
			f.Set(p, keypoint.Point{x + 10*float64(p%2), 100 + 20*float64(p)}, 0.9)
		}
		return f
	}
	s := session(t, seen(func(i int) keypoint.Frame { return body([2]float64{100, 1000}[i/5]) }), live.Options{Keep: 3})
	for i := range 10 {
		u, err := s.Next(t.Context(), picture(i), float64(i)/30)
		if err != nil {
			t.Fatal(err)
		}
		if at, _ := u.Keypoints.At(keypoint.Nose); u.Changed != (i == 5) || math.Abs(at[0]-[2]float64{100, 1000}[i/5]) > 1e-9 {
			t.Errorf("picture %d: %v, changed %v", i, at, u.Changed)
		}
		kept := s.Sequence()
		if kept.Len() != min(i+1, 3) || kept.Times[kept.Len()-1] != u.Time || kept.Validate() != nil {
			t.Errorf("picture %d: %d frames kept, %v", i, kept.Len(), kept.Times)
		}
		var want []int
		if i == 5 || i == 6 {
			want = []int{7 - i}
		}
		if !cmp.Equal(kept.PersonChanges, want) {
			t.Errorf("picture %d: changes %v, want %v", i, kept.PersonChanges, want)
		}
	}
}

// TestHour: an hour of pictures leaves memory where it was after a minute.
func TestHour(t *testing.T) {
	testkit.Thorough(t, "an hour of pictures")
	const rate = 10
	walker := seen(func(i int) (f keypoint.Frame) {
		if i%1000 > 980 {
			return f // lost for two seconds
		}
		for p := range keypoint.Part(keypoint.NumBody) {
			f.Set(p, keypoint.Point{640 + 300*math.Sin(float64(i)/50) + 10*float64(p%2), 100 + 20*float64(p) + 10*math.Sin(float64(i)/5)}, 0.9)
		}
		return f
	})
	s := session(t, walker, live.Options{Keep: 100, Rules: []analyze.Rule{{Type: analyze.Speed, Points: []keypoint.Selector{keypoint.PartSelector(keypoint.Nose)}}}})
	var before int64
	for i := range 3600 * rate {
		if _, err := s.Next(t.Context(), picture(i), float64(i)/rate); err != nil {
			t.Fatal(err)
		}
		if i == 3600*rate/7 { // as much as analyze.Stream keeps at most
			before = heap()
		}
	}
	if grown := heap() - before; grown > 1<<20 {
		t.Errorf("the rest of the hour needs %d bytes more", grown)
	}
	runtime.KeepAlive(s)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestErrors(t *testing.T) {
	nobody := seen(func(int) (f keypoint.Frame) { return })
	for name, opt := range map[string]live.Options{
		"cleaning":  {Clean: &clean.Options{Smooth: &clean.Smooth{Method: "butterworth"}}},
		"a watcher": {Choose: inference.Choice{Policy: inference.PolicyMostMovement}},
		"a world":   {World: keypoint.World{MetresPerPixel: -1}},
	} {
		if _, err := live.New(nobody, opt); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var fields keypoint.FieldErrors
	if _, err := live.New(nobody, live.Options{Rules: []analyze.Rule{{Type: analyze.TrunkLean, Statistics: true}}}); !errors.As(err, &fields) {
		t.Errorf("a statistic: %v", err)
	}
	if _, err := live.New(nil, live.Options{}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("no estimator: %v", err)
	}
	s := session(t, nobody, live.Options{})
	if u, err := s.Next(t.Context(), picture(0), 1); err != nil || !u.Keypoints.Empty() || s.Sequence().Len() != 0 {
		t.Errorf("nobody: %+v, %v", u, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := s.Next(ended, picture(1), 2); !errors.Is(err, context.Canceled) {
		t.Errorf("the end: %v", err)
	}
	if _, err := s.Next(t.Context(), picture(1), 1); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("the same time: %v", err)
	}
	if u, err := s.Next(t.Context(), picture(1), 2); err != nil || u.Number != 1 {
		t.Errorf("after errors: %+v, %v", u, err)
	}
}
