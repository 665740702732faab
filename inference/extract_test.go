package inference_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"io"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// actor is somebody who walks through a made-up movie: the middle of the body by frame, NaN
// where not in the picture.
type actor struct {
	at   []keypoint.Point
	size float64
}

// body is a frame of a body around a point.
func body(at keypoint.Point, size float64) (f keypoint.Frame) {
	for p := range keypoint.Part(keypoint.NumBody) {
		f.Set(p, keypoint.Point{at[0] + size*(float64(p%4)/3-0.5)*0.4, at[1] + size*(float64(p)/16-0.5)}, 0.9)
	}
	return f
}

// film is a made-up movie: its pictures carry their number, and scene changes change
// everything else.
type film struct {
	n      int
	times  []float64 // of the frames; nil for 10 a second
	cuts   map[int]bool
	fail   int // the frame that cannot be decoded; 0 for none
	at     int
	colour uint8
	out    atomic.Int64 // pictures that were not released
	most   int64        // the most of them at a time
}

// still is a picture that knows its number.
type still struct {
	image.Image
	number int
}

func (f *film) Info() inference.Info {
	return inference.Info{Size: image.Pt(640, 480), Frames: f.n, FrameRate: 10}
}

func (f *film) Next() (inference.Picture, error) {
	if f.at >= f.n {
		return inference.Picture{}, io.EOF
	}
	if f.fail > 0 && f.at == f.fail {
		return inference.Picture{}, errTorn
	}
	if f.cuts[f.at] {
		f.colour = 255 - f.colour
	}
	if most := f.out.Add(1); most > f.most {
		f.most = most
	}
	at := float64(f.at) / 10
	if f.times != nil {
		at = f.times[f.at]
	}
	p := inference.Picture{
		Image: still{&plain{image.Rect(0, 0, 640, 480), color.Gray{f.colour}}, f.at}, Time: at,
		Release: func() { f.out.Add(-1) },
	}
	f.at++
	return p, nil
}

func (f *film) Close() error { return nil }

var errTorn = errors.New("torn")

type plain struct {
	bounds image.Rectangle
	c      color.Color
}

func (p *plain) ColorModel() color.Model { return color.GrayModel }
func (p *plain) Bounds() image.Rectangle { return p.bounds }
func (p *plain) At(int, int) color.Color { return p.c }

// eyes is an estimator that sees the actors: the one near the expected place, where there is
// one within reach, else whom the chooser wants.
type eyes struct {
	actors  []actor
	blind   map[int]bool // frames in which nobody can be followed
	feet    bool         // it finds feet, below the body
	looks   atomic.Int64
	most    atomic.Int64
	running atomic.Int64
}

func (e *eyes) Find(_ context.Context, img image.Image) ([]inference.Candidate, error) {
	var people []inference.Candidate
	for _, a := range e.actors {
		if at := a.at[img.(still).number]; !math.IsNaN(at[0]) {
			f := body(at, a.size)
			for _, p := range keypoint.Feet.List() {
				if e.feet {
					f.Set(p, at.Add(keypoint.Point{5 * float64(p%2), 0.6 * a.size}), 0.9)
				}
			}
			b, _ := inference.BoundsOf(&f)
			people = append(people, inference.Candidate{Box: b, Keypoints: f, Score: 0.5})
		}
	}
	return people, nil
}

func (e *eyes) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	e.looks.Add(1)
	now := e.running.Add(1)
	defer e.running.Add(-1)
	for most := e.most.Load(); now > most && !e.most.CompareAndSwap(most, now); most = e.most.Load() {
	}
	if err := ctx.Err(); err != nil {
		return keypoint.Frame{}, err
	}
	people, _ := e.Find(ctx, img)
	r := hint.Region
	if r != (inference.Region{}) && !r.Followed {
		return r.Keypoints, nil
	}
	if r.Followed {
		for _, p := range people {
			if !e.blind[img.(still).number] && p.Box.Centre().Sub(r.Box.Centre()).Len() < 0.3*p.Box.Extent() {
				return p.Keypoints, nil
			}
		}
		return keypoint.Frame{}, nil
	}
	if i := hint.Choose.Choose(image.Rect(0, 0, 640, 480), people); i >= 0 {
		return people[i].Keypoints, nil
	}
	return keypoint.Frame{}, nil
}

// stand and walk are ways through n frames.
func stand(n int, x float64) (at []keypoint.Point) { return walking(n, x, 0) }

func walking(n int, x, step float64) (at []keypoint.Point) {
	for i := range n {
		at = append(at, keypoint.Point{x + step*float64(i), 240})
	}
	return at
}

// gone takes somebody out of some frames.
func gone(at []keypoint.Point, from, to int) []keypoint.Point {
	for i := from; i < to; i++ {
		at[i] = keypoint.Point{math.NaN(), 0}
	}
	return at
}

// who returns which actor each frame shows, −1 for nobody, −2 for none of them.
func who(seq keypoint.Sequence, actors []actor) (list []int) {
	for i := range seq.Frames {
		seen := -2
		if seq.Frames[i].Empty() {
			seen = -1
		}
		for k, a := range actors {
			there := body(a.at[i], a.size)
			there.Clamp(keypoint.Point{}, keypoint.Point{640, 480})
			if seen != -1 && seq.Frames[i] == there {
				seen = k
			}
		}
		list = append(list, seen)
	}
	return list
}

func times(n, v int) (list []int) {
	for range n {
		list = append(list, v)
	}
	return list
}

func extract(t testing.TB, n int, e *eyes, cuts map[int]bool, opt inference.ExtractOptions) keypoint.Sequence {
	t.Helper()
	f := &film{n: n, cuts: cuts}
	seq, err := inference.Extract(context.Background(), f, e, opt)
	if err != nil {
		t.Fatal(err)
	}
	if f.out.Load() != 0 {
		t.Errorf("%d pictures were not released", f.out.Load())
	}
	if seq.Len() != n || seq.Size != image.Pt(640, 480) || seq.Validate() != nil {
		t.Fatalf("%d frames of %v (%v)", seq.Len(), seq.Size, seq.Validate())
	}
	return seq
}

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

func TestChoice(t *testing.T) {
	bounds := image.Rect(0, 0, 640, 480)
	box := func(x, y, w, h float64) inference.Box {
		return inference.Box{Min: keypoint.Point{x, y}, Max: keypoint.Point{x + w, y + h}}
	}
	people := []inference.Candidate{
		{Box: box(290, 100, 60, 200), Score: 0.4, Track: 1, Travel: 0.5},
		{Box: box(0, 0, 150, 400), Score: 0.2, Track: 2, Travel: 3},
		{Box: box(600, 400, 30, 60), Score: 0.9, Track: 3},
	}
	elsewhere := slices.Clone(people)
	for i := range elsewhere {
		d := keypoint.Point{-70, 900}
		elsewhere[i].Box.Min, elsewhere[i].Box.Max = people[i].Box.Min.Add(d), people[i].Box.Max.Add(d)
	}
	for _, c := range []struct {
		choose inference.Choice
		want   int
	}{
		{inference.Choice{}, 1}, {inference.Choice{Policy: inference.PolicyCentreFront}, 1},
		{inference.Choice{Policy: inference.PolicyLargest}, 1}, {inference.Choice{Policy: inference.PolicyHighestScore}, 2},
		{inference.Choice{Policy: inference.PolicyMostMovement}, 1},
		{inference.Choice{Policy: inference.PolicyTrack, Track: 3}, 2}, {inference.Choice{Policy: inference.PolicyTrack, Track: 4}, -1},
		{inference.Choice{Policy: inference.PolicyNearest, Point: keypoint.Point{610, 300}}, 2},
		{inference.Choice{Policy: inference.PolicyNearest, Point: keypoint.Point{310, 200}}, 0},
	} {
		if got := c.choose.Choose(bounds, people); got != c.want {
			t.Errorf("%+v chooses %d, want %d", c.choose, got, c.want)
		}
		if got := c.choose.Choose(bounds.Add(image.Pt(-70, 900)), elsewhere); got != c.want {
			t.Errorf("%+v chooses %d in a picture elsewhere, want %d", c.choose, got, c.want)
		}
		for _, size := range []image.Rectangle{bounds, {}} {
			if got := c.choose.Choose(size, nil); got != -1 {
				t.Errorf("%+v chooses %d of nobody", c.choose, got)
			}
		}
	}
	people[1].Box = box(0, 0, 60, 200)
	if got := (inference.Choice{}).Choose(bounds, people); got != 0 {
		t.Errorf("of two alike the one in the centre counts, not %d", got)
	}
	still := []inference.Candidate{people[0], people[2]}
	still[0].Travel = 0
	if got := (inference.Choice{Policy: inference.PolicyMostMovement}).Choose(bounds, still); got != 0 {
		t.Errorf("without movement the one in the centre counts, not %d", got)
	}
	wrong := inference.ExtractOptions{Choose: inference.Choice{Policy: "tallest"}}
	if _, err := inference.Extract(t.Context(), &film{n: 3}, &eyes{}, wrong); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("an unknown policy: %v", err)
	}
}

func TestWatching(t *testing.T) {
	e := &eyes{actors: []actor{{stand(40, 320), 220}, {walking(40, 100, 3), 120}}}
	got := who(extract(t, 40, e, nil, inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyMostMovement, Seconds: 1}}), e.actors)
	if !cmp.Equal(got, times(40, 1)) {
		t.Errorf("the one who moves is %v", got)
	}
	got = who(extract(t, 40, e, nil, inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyTrack, Track: 2}}), e.actors)
	if !cmp.Equal(got, times(40, 1)) {
		t.Errorf("track 2 is %v", got)
	}
	var noted [][]inference.Candidate
	extract(t, 40, e, nil, inference.ExtractOptions{Candidates: 3, OnCandidates: func(frame int, people []inference.Candidate) {
		if frame != len(noted) {
			t.Errorf("frame %d comes as number %d", frame, len(noted))
		}
		noted = append(noted, people)
	}})
	if len(noted) != 3 || len(noted[2]) != 2 {
		t.Errorf("candidates: %v", noted)
	}
}

func TestExtractAll(t *testing.T) {
	n := 40
	e := &eyes{actors: []actor{
		{stand(n, 320), 220},
		{gone(walking(n, 80, 3), 12, 20), 120}, // away for less than two seconds
		{gone(stand(n, 560), 0, 17), 100},      // comes in
	}}
	people, err := inference.ExtractAll(context.Background(), &film{n: n}, e, inference.ExtractOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(people.All) != 3 || people.Chosen.Track != 1 {
		t.Fatalf("%d people, chosen %d", len(people.All), people.Chosen.Track)
	}
	for k, p := range people.All {
		if p.Track != k+1 || p.Sequence.Len() != n || p.Sequence.Validate() != nil {
			t.Errorf("track %d: %d frames (%v)", p.Track, p.Sequence.Len(), p.Sequence.Validate())
		}
		late := 0
		for i, got := range who(p.Sequence, e.actors) {
			there := !math.IsNaN(e.actors[k].at[i][0])
			if there && got == -1 {
				late++
			} else if there && got != k || !there && got != -1 {
				t.Errorf("frame %d of track %d shows %d", i, p.Track, got)
			}
		}
		if late > 4 { // those between two looks for newcomers
			t.Errorf("track %d is missing in %d frames", p.Track, late)
		}
	}
	if _, err := inference.ExtractAll(context.Background(), &film{n: n}, onlyOne{e}, inference.ExtractOptions{}); !errors.Is(err, inference.ErrNoFinder) {
		t.Errorf("without a finder: %v", err)
	}
	picture := still{&plain{image.Rect(0, 0, 640, 480), color.Black}, 30}
	choose := inference.Choice{Policy: inference.PolicyMostMovement}
	people, err = inference.ExtractAllImage(t.Context(), picture, e, inference.ExtractOptions{Choose: choose})
	if all := people.All; err != nil || len(all) != 3 || all[2].Track != 3 || all[2].Sequence.Size.X != 640 || people.Chosen.Track != 1 {
		t.Errorf("%d people in the picture, chosen %d (%v)", len(all), people.Chosen.Track, err)
	}
}

// TestExtractAllLimits: who is chosen is kept, and of the others those who are seen longest.
func TestExtractAllLimits(t *testing.T) {
	const n = 40
	e := &eyes{actors: []actor{
		{stand(n, 320), 220},
		{gone(walking(n, 80, 3), 10, n), 120},
		{gone(stand(n, 560), 0, 17), 100},
	}}
	for name, c := range map[string]struct {
		opt    inference.ExtractOptions
		tracks []int
		chosen int
	}{
		"all":               {inference.ExtractOptions{}, []int{1, 2, 3}, 1},
		"moving":            {inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyMostMovement, Seconds: 0.2}}, []int{1, 2, 3}, 2},
		"by track":          {inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyTrack, Track: 3}}, []int{1, 2, 3}, 3},
		"no such track":     {inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyTrack, Track: 4}}, []int{1, 2, 3}, 0},
		"after the end":     {inference.ExtractOptions{Choose: inference.Choice{Policy: inference.PolicyMostMovement, Seconds: 60}}, []int{1, 2, 3}, 1},
		"two":               {inference.ExtractOptions{MaxPeople: 2}, []int{1, 3}, 1},
		"one at a time":     {inference.ExtractOptions{MaxPeople: 1}, []int{1}, 1},
		"the chosen of two": {inference.ExtractOptions{MaxPeople: 2, Choose: inference.Choice{Policy: inference.PolicyNearest, Point: keypoint.Point{80, 240}}}, []int{1, 2}, 2},
	} {
		var initial []int
		c.opt.Candidates, c.opt.OnCandidates = 2, func(frame int, people []inference.Candidate) { initial = append(initial, frame, len(people)) }
		people, err := inference.ExtractAll(t.Context(), &film{n: n}, e, c.opt)
		var tracks []int
		for _, p := range people.All {
			tracks = append(tracks, p.Track)
		}
		if err != nil || !cmp.Equal(tracks, c.tracks) || people.Chosen.Track != c.chosen || people.Chosen.Sequence.Len() != n || !cmp.Equal(initial, []int{0, 2, 1, 2}) {
			t.Errorf("%s: tracks %v, chosen %d, candidates %v (%v)", name, tracks, people.Chosen.Track, initial, err)
		}
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

func fixed(n int, p keypoint.Point) (at []keypoint.Point) {
	for range n {
		at = append(at, p)
	}
	return at
}

// onlyOne is an estimator that is no finder.
type onlyOne struct{ e *eyes }

func (o onlyOne) Estimate(ctx context.Context, img image.Image, h inference.Hint) (keypoint.Frame, error) {
	return o.e.Estimate(ctx, img, h)
}
