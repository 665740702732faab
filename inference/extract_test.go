package inference_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
)

func TestFollowing(t *testing.T) {
	for _, inFlight := range []int{1, 2, 3} {
		opt := inference.ExtractOptions{InFlight: inFlight}
		// Two cross; the first one is followed although the other comes to the middle.
		e := &eyes{actors: []actor{{walking(20, 300, 12), 200}, {walking(20, 560, -12), 210}}}
		e.actors[1].at = func() (at []keypoint.Point) { // passes at a distance
			for _, p := range walking(20, 560, -12) {
				at = append(at, keypoint.Point{p[0], 420})
			}
			return at
		}()
		if got := who(extract(t, 20, e, nil, opt), e.actors); !cmp.Equal(got, times(20, 0)) {
			t.Errorf("%d in flight, crossing: %v", inFlight, got)
		}
		if most := e.most.Load(); most > int64(inFlight) {
			t.Errorf("%d in flight: %d at a time", inFlight, most)
		}
		// Gone and back: nobody in between, though somebody else is there for a while.
		e = &eyes{actors: []actor{{gone(stand(30, 320), 10, 14), 200}, {stand(30, 60), 100}}}
		want := append(append(times(10, 0), times(4, -1)...), times(16, 0)...)
		if got := who(extract(t, 30, e, nil, opt), e.actors); !cmp.Equal(got, want) {
			t.Errorf("%d in flight, gone and back: %v", inFlight, got)
		}
		// Gone for good: after two seconds the other one is chosen.
		e = &eyes{actors: []actor{{gone(stand(40, 320), 10, 40), 200}, {stand(40, 60), 100}}}
		seq := extract(t, 40, e, nil, opt)
		want = append(append(times(10, 0), times(20, -1)...), times(10, 1)...)
		if got := who(seq, e.actors); !cmp.Equal(got, want) || !cmp.Equal(seq.PersonChanges, []int{30}) {
			t.Errorf("%d in flight, gone for good: %v, others from %v", inFlight, got, seq.PersonChanges)
		}
		// A cut: the other one at once.
		cut := map[int]bool{10: true}
		seq = extract(t, 40, e, cut, opt)
		want = append(times(10, 0), times(30, 1)...)
		if got := who(seq, e.actors); !cmp.Equal(got, want) || !cmp.Equal(seq.PersonChanges, []int{10}) {
			t.Errorf("%d in flight, a cut: %v, others from %v", inFlight, got, seq.PersonChanges)
		}
		// Stay: nobody else, after a cut or without one, and the same one again within two seconds.
		opt.Choose.Stay = true
		want = append(times(10, 0), times(30, -1)...)
		for _, cuts := range []map[int]bool{nil, cut} {
			seq = extract(t, 40, e, cuts, opt)
			if got := who(seq, e.actors); !cmp.Equal(got, want) || seq.PersonChanges != nil {
				t.Errorf("%d in flight, cuts %v, stay: %v, others from %v", inFlight, cuts, got, seq.PersonChanges)
			}
		}
		e.actors[0].at = gone(stand(40, 320), 10, 20)
		want = append(append(times(10, 0), times(10, -1)...), times(20, 0)...)
		if got := who(extract(t, 40, e, nil, opt), e.actors); !cmp.Equal(got, want) {
			t.Errorf("%d in flight, stay and back: %v", inFlight, got)
		}
	}
}

// TestKnownAgain: a passer-by is not taken for the lost person, who comes back elsewhere. If an
// Estimator without a Finder takes somebody else, PersonChanges says so.
func TestKnownAgain(t *testing.T) {
	lost := gone(walking(40, 100, 4), 10, 22)
	e := &eyes{actors: []actor{{lost, 200}, {walking(40, 630, -2), 210}}}
	for i := range e.actors[1].at {
		e.actors[1].at[i][1] = 400
	}
	want := append(append(times(10, 0), times(12, -1)...), times(18, 0)...)
	seq := extract(t, 40, e, nil, inference.ExtractOptions{})
	if got := who(seq, e.actors); !cmp.Equal(got, want) || seq.PersonChanges != nil {
		t.Errorf("%v, others from %v", got, seq.PersonChanges)
	}
	f := &film{n: 40}
	seq, err := inference.Extract(t.Context(), f, onlyOne{e}, inference.ExtractOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := who(seq, e.actors); len(seq.PersonChanges) != 1 || got[15] != 1 || got[seq.PersonChanges[0]] != 1 || got[seq.PersonChanges[0]-1] == 1 {
		t.Errorf("without a Finder: %v, others from %v", got, seq.PersonChanges)
	}
}

// TestOneRoad: the result is that of the frames, whichever estimate ends first.
func TestOneRoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(t, "frames")
		var actors []actor
		for range rapid.IntRange(0, 3).Draw(t, "actors") {
			a := actor{walking(n, rapid.Float64Range(0, 640).Draw(t, "x"), rapid.Float64Range(-60, 60).Draw(t, "step")), rapid.Float64Range(40, 300).Draw(t, "size")}
			for i := range n {
				if rapid.IntRange(0, 5).Draw(t, "gone") == 0 {
					a.at = gone(a.at, i, i+1)
				}
			}
			actors = append(actors, a)
		}
		inFlight := rapid.IntRange(1, 4).Draw(t, "in flight")
		run := func() keypoint.Sequence {
			seq, err := inference.Extract(context.Background(), &film{n: n}, &eyes{actors: actors}, inference.ExtractOptions{InFlight: inFlight})
			if err != nil {
				t.Fatal(err)
			}
			return seq
		}
		a, b := run(), run()
		for i := range a.Frames {
			if a.Frames[i] != b.Frames[i] {
				t.Fatalf("frame %d differs between two runs", i)
			}
		}
	})
}

func TestExtractErrors(t *testing.T) {
	e := &eyes{actors: []actor{{stand(30, 320), 200}}}
	f := &film{n: 30, fail: 7}
	if _, err := inference.Extract(context.Background(), f, e, inference.ExtractOptions{}); !errors.Is(err, errTorn) {
		t.Errorf("a torn movie: %v", err)
	}
	if f.out.Load() != 0 || e.running.Load() != 0 {
		t.Errorf("%d pictures and %d estimates are left", f.out.Load(), e.running.Load())
	}
	if _, err := inference.Extract(context.Background(), &film{n: 30}, e, inference.ExtractOptions{MaxFrames: 30}); !errors.Is(err, inference.ErrTooManyFrames) {
		t.Errorf("too many frames: %v", err)
	}
	if _, err := inference.Extract(context.Background(), &film{}, e, inference.ExtractOptions{}); !errors.Is(err, inference.ErrFormat) {
		t.Errorf("no frame: %v", err)
	}
	if _, err := inference.Extract(context.Background(), &film{n: 3}, e, inference.ExtractOptions{InFlight: 9}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("9 in flight: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f = &film{n: 30}
	if _, err := inference.Extract(ctx, f, e, inference.ExtractOptions{}); !errors.Is(err, context.Canceled) || f.out.Load() != 0 {
		t.Errorf("cancelled: %v, %d pictures left", err, f.out.Load())
	}
}

// TestKeypointsInside: keypoints that an estimator puts outside of the picture are at its edge, and
// the others are where they were.
func TestKeypointsInside(t *testing.T) {
	const n = 10
	size := image.Pt(640, 480)
	corners := []keypoint.Point{{3, 2}, {638, 479}}
	e := &eyes{actors: []actor{{fixed(n, corners[0]), 120}, {fixed(n, corners[1]), 120}}}
	check := func(t *testing.T, got keypoint.Frame, at keypoint.Point, low, high keypoint.Point) {
		t.Helper()
		want := body(at, 120)
		moved := 0
		for p := range keypoint.Part(keypoint.NumBody) {
			was, _ := want.At(p)
			want := keypoint.Point{min(max(was[0], low[0]), high[0]), min(max(was[1], low[1]), high[1])}
			if pt, ok := got.At(p); !ok || pt != want {
				t.Errorf("%v is at %v (%v), want %v", p, pt, ok, want)
			}
			if want != was {
				moved++
			}
		}
		if moved == 0 || moved == keypoint.NumBody {
			t.Errorf("%d points of the test are outside", moved)
		}
	}
	high := keypoint.Point{float64(size.X), float64(size.Y)}
	for i, at := range corners {
		seq := extract(t, n, e, nil, inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyNearest, Point: at}})
		for _, f := range seq.Frames {
			check(t, f, at, keypoint.Point{}, high)
		}
		seq, err := inference.ExtractImage(t.Context(), still{&plain{image.Rectangle{Max: size}, color.Black}, 0}, e, inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyNearest, Point: at}})
		if err != nil {
			t.Fatal(err)
		}
		check(t, seq.Frames[0], at, keypoint.Point{}, high)
		people, err := inference.ExtractAll(t.Context(), &film{n: n}, e, inference.ExtractOptions{})
		if err != nil || len(people.All) != len(corners) {
			t.Fatalf("%d people (%v)", len(people.All), err)
		}
		for _, f := range people.All[i].Sequence.Frames {
			check(t, f, at, keypoint.Point{}, high)
		}
		// A picture whose corner is not the origin.
		bounds := image.Rectangle{Max: size}.Add(image.Pt(-20, 20))
		found, err := inference.ExtractAllImage(t.Context(), still{&plain{bounds, color.Black}, 0}, e, inference.ExtractOptions{})
		if err != nil || len(found.All) != len(corners) {
			t.Fatalf("%d people (%v)", len(found.All), err)
		}
		check(t, found.All[i].Sequence.Frames[0], at, keypoint.Point{-20, 20}, high.Add(keypoint.Point{-20, 20}))
	}
}

// TestFeet: feet are in the result if they are asked for and the estimator finds them; who is followed
// does not depend on it.
func TestFeet(t *testing.T) {
	const n = 60
	actors := []actor{{gone(walking(n, 100, 6), 20, 30), 120}, {walking(n, 540, -6), 110}}
	movie := func(feet, wanted bool) []keypoint.Sequence {
		e := &eyes{actors: actors, feet: feet, blind: map[int]bool{40: true}}
		all := []keypoint.Sequence{extract(t, n, e, map[int]bool{45: true}, inference.ExtractOptions{Feet: wanted})}
		all = append(all, extract(t, n, e, nil, inference.ExtractOptions{Feet: wanted, Choose: inference.Choice{Policy: inference.PolicyMostMovement, Seconds: 1}}))
		people, err := inference.ExtractAll(t.Context(), &film{n: n}, e, inference.ExtractOptions{Feet: wanted})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range people.All {
			all = append(all, p.Sequence)
		}
		picture, err := inference.ExtractImage(t.Context(), still{&plain{image.Rect(0, 0, 640, 480), color.Black}, 0}, e, inference.ExtractOptions{Feet: wanted})
		if err != nil {
			t.Fatal(err)
		}
		return append(all, picture)
	}
	feet := func(all []keypoint.Sequence) (n int) {
		for _, s := range all {
			for i := range s.Frames {
				n += (s.Frames[i].Present() & keypoint.Feet).Len()
			}
		}
		return n
	}
	with, without, unable := movie(true, true), movie(true, false), movie(false, true)
	if feet(with) == 0 || feet(without) != 0 || feet(unable) != 0 {
		t.Errorf("%d feet if asked for, %d if not, %d without a network that knows them", feet(with), feet(without), feet(unable))
	}
	for k := range with {
		for i := range with[k].Frames {
			with[k].Frames[i] = with[k].Frames[i].Only(keypoint.Body)
		}
	}
	if d := cmp.Diff(without, with, cmp.Comparer(func(a, b keypoint.Frame) bool { return a == b })); d != "" {
		t.Errorf("the bodies differ: %s", d)
	}
}

// deep is an Estimator that guesses positions in space.
type deep struct{ inference.Estimator }

func (d deep) Unwrap() inference.Estimator { return d.Estimator }

func (d deep) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	f, err := d.Estimator.Estimate(ctx, img, hint)
	s := new(keypoint.Positions)
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		s.Set(p, keypoint.Position{at[0], -at[1], 1}, 0)
	}
	f.SetPositions(s)
	return f, err
}

// TestDepth: positions in space are kept if the estimator tells them, however the movie or picture is read; keypoints are the same.
func TestDepth(t *testing.T) {
	img := fakes.Picture(image.Pt(100, 200), image.Rect(20, 20, 60, 180))
	for _, depth := range []bool{false, true} {
		opt, est := inference.ExtractOptions{}, inference.Estimator(fakes.Estimator{Feet: true})
		if depth {
			est = deep{est}
		}
		one, err := inference.ExtractImage(t.Context(), img, est, opt)
		if err != nil {
			t.Fatal(err)
		}
		all, err := inference.ExtractAllImage(t.Context(), img, est, opt)
		if err != nil {
			t.Fatal(err)
		}
		follower, err := inference.NewFollower(est, opt)
		if err != nil {
			t.Fatal(err)
		}
		live, err := follower.Next(t.Context(), img, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := keypoint.Parts(0)
		if depth {
			want = keypoint.Body
		}
		for how, f := range map[string]keypoint.Frame{
			"one": one.Frames[0], "all": all.Chosen.Sequence.Frames[0], "live": live.Frame,
		} {
			if f.Present() != keypoint.Body || f.Positions().Present() != want {
				t.Errorf("%s, depth %v: parts %v, in space %v", how, depth, f.Present(), f.Positions().Present())
			}
		}
	}
}
