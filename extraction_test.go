package motion_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"io"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

// pairOf is an estimator that sees two people, one left and one right.
type pairOf struct{}

func (pairOf) Find(context.Context, image.Image) ([]inference.Candidate, error) {
	box := func(x float64) inference.Box {
		return inference.Box{Min: keypoint.Point{x - 20, 10}, Max: keypoint.Point{x + 20, 90}}
	}
	return []inference.Candidate{{Box: box(25), Score: 0.5}, {Box: box(70.005), Score: 0.4}}, nil
}

func (e pairOf) Estimate(ctx context.Context, img image.Image, h inference.Hint) (keypoint.Frame, error) {
	var f keypoint.Frame
	people, _ := e.Find(ctx, img)
	switch {
	case h.Region.Followed:
		return h.Region.Keypoints, nil
	case h.Region != inference.Region{}:
		people = []inference.Candidate{{Box: h.Region.Box}}
	default:
		people = people[h.Choose.Choose(img.Bounds(), people):]
	}
	c := people[0].Box.Centre()
	for p := range keypoint.Part(5) {
		f.Set(p, keypoint.Point{c[0] + float64(p), 20 + 10*float64(p)}, 0.9)
	}
	return f, nil
}

// TestChoice: who is analysed is up to the request, and the candidates are kept with the
// record.
func TestChoice(t *testing.T) {
	var opened atomic.Int32
	s := newParts().service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = pairOf{} })
	run(t, s)
	m := uploadMovie(t, s, []byte("movie"))
	for _, c := range []struct {
		choice motion.Choice
		x      float64
	}{
		{motion.Choice{Policy: inference.PolicyHighestScore}, 25},
		{motion.Choice{Policy: inference.PolicyNearest, Point: [2]float64{90, 50}}, 70.01},
	} {
		e, err := s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: m.ID, Choose: &c.choice, CandidateFrames: 2})
		if err != nil {
			t.Fatal(err)
		}
		wait(t, s, storage.Keypoints, e.ID, storage.Success)
		if e, err = s.Extraction(t.Context(), owner, e.ID); err != nil {
			t.Fatal(err)
		}
		if e.Choose == nil || *e.Choose != c.choice || len(e.Candidates) != 4 || e.Candidates[3].Frame != 1 || e.Candidates[3].Box[0] != 50.01 {
			t.Errorf("the record has %+v and %+v", e.Choose, e.Candidates)
		}
		seq, err := e.Sequence()
		if err != nil {
			t.Fatal(err)
		}
		if nose, _ := seq.Frames[30].At(keypoint.Nose); nose[0] != c.x {
			t.Errorf("%+v: the nose is at %v, want %v", c.choice, nose[0], c.x)
		}
	}
	for _, req := range []motion.ExtractRequest{
		{MovieID: m.ID, CandidateFrames: 101}, {MovieID: m.ID, CandidateFrames: -1},
		{MovieID: m.ID, Choose: &motion.Choice{Policy: "tallest"}},
		{MovieID: m.ID, Choose: &motion.Choice{Policy: inference.PolicyNearest, Point: [2]float64{math.NaN(), 0}}},
		{MovieID: m.ID, Choose: &motion.Choice{Policy: inference.PolicyTrack}},
		{MovieID: m.ID, Choose: &motion.Choice{Policy: inference.PolicyMostMovement, Seconds: -1}},
	} {
		if _, err := s.Extract(t.Context(), owner, req); !errors.Is(err, motion.ErrInvalid) {
			t.Errorf("%+v: %v", req, err)
		}
	}
}

// TestEverybody: a record of everybody shows the chosen person, has the others, and is processed anew as
// a whole.
func TestEverybody(t *testing.T) {
	var opened atomic.Int32
	s := newParts().service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = pairOf{} })
	run(t, s)
	m := uploadMovie(t, s, []byte("movie"))
	extract := func(req motion.ExtractRequest) motion.Extraction {
		t.Helper()
		e, err := s.Extract(t.Context(), owner, req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Person(1); e.Everybody && !errors.Is(err, motion.ErrNotReady) {
			t.Errorf("a person of unfinished work: %v", err)
		}
		wait(t, s, storage.Keypoints, e.ID, storage.Success)
		if e, err = s.Extraction(t.Context(), owner, e.ID); err != nil {
			t.Fatal(err)
		}
		return e
	}
	nose := func(e motion.Extraction, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		seq, err := e.Sequence()
		raw, rawErr := e.Raw()
		report, reportErr := e.Quality()
		if err = errors.Join(err, rawErr, reportErr); err != nil || seq.World != e.World || raw.Len() != seq.Len() || report.Verdict != e.Verdict || e.Verdict == "" {
			t.Fatalf("%d and %d frames, verdict %q and %q (%v)", seq.Len(), raw.Len(), e.Verdict, report.Verdict, err)
		}
		at, _ := seq.Frames[len(seq.Frames)/2].At(keypoint.Nose)
		return at[0]
	}
	present := func(chosen int) []inference.Presence {
		return []inference.Presence{{Track: 1, LastFrame: decoded - 1, Coverage: 1, Chosen: chosen == 1}, {Track: 2, LastFrame: decoded - 1, Coverage: 1, Chosen: chosen == 2}}
	}
	first := extract(motion.ExtractRequest{MovieID: m.ID, Everybody: true, CandidateFrames: 1, Choose: &motion.Choice{Policy: inference.PolicyHighestScore}})
	second := extract(motion.ExtractRequest{MovieID: m.ID, Everybody: true, Rate: 10, Choose: &motion.Choice{Policy: inference.PolicyTrack, Track: 2}})
	scale, tidy := keypoint.Scale{MetresPerPixel: 0.01}, clean.Default()
	again := extract(motion.ExtractRequest{KeypointID: second.ID, Clean: &tidy, Calibration: keypoint.Calibration{Scale: &scale}})
	for _, c := range []struct {
		e      motion.Extraction
		chosen int
	}{{first, 1}, {second, 2}, {again, 2}} {
		if diff := cmp.Diff(present(c.chosen), c.e.People); diff != "" || !c.e.Everybody {
			t.Errorf("record %d: %s", c.e.ID, diff)
		}
		want := map[int]float64{1: 25, 2: 70.01}
		for track, x := range want {
			other, err := c.e.Person(3 - track)
			if err != nil {
				t.Fatal(err)
			}
			if got := nose(other.Person(track)); got != x {
				t.Errorf("record %d: the nose of person %d is at %v, want %v", c.e.ID, track, got, x)
			}
		}
		if got := nose(c.e, nil); got != want[c.chosen] {
			t.Errorf("record %d: the nose is at %v, want %v", c.e.ID, got, want[c.chosen])
		}
		if _, err := c.e.Person(3); !errors.Is(err, motion.ErrInvalid) {
			t.Errorf("person 3: %v", err)
		}
	}
	if len(first.Candidates) != 2 || again.World.MetresPerPixel != 0.01 || opened.Load() != 2 {
		t.Errorf("candidates %v, %+v, the movie was opened %d times", first.Candidates, again.World, opened.Load())
	}
	alone := extract(motion.ExtractRequest{MovieID: m.ID, Choose: &motion.Choice{Policy: inference.PolicyLargest}})
	if _, err := alone.Person(1); !errors.Is(err, motion.ErrInvalid) || alone.People != nil {
		t.Errorf("person 1 of a record of one person: %v", err)
	}
	if _, err := s.Extract(t.Context(), owner, motion.ExtractRequest{KeypointID: first.ID, Everybody: true}); !errors.Is(err, motion.ErrInvalid) {
		t.Errorf("everybody of a keypoint record: %v", err)
	}

	// An estimator that sees only one person.
	s = newParts().service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = jittery{} })
	run(t, s)
	m = uploadMovie(t, s, []byte("movie"))
	for _, req := range []motion.ExtractRequest{{Everybody: true}, {CandidateFrames: 1}, {Choose: &motion.Choice{Policy: inference.PolicyMostMovement}}} {
		req.MovieID = m.ID
		e, err := s.Extract(t.Context(), owner, req)
		if err != nil {
			t.Fatal(err)
		}
		wait(t, s, storage.Keypoints, e.ID, storage.Failure)
		if e, err = s.Extraction(t.Context(), owner, e.ID); err != nil || e.Failure != "The service cannot tell several people apart." {
			t.Errorf("%+v: %q (%v)", req, e.Failure, err)
		}
	}
}

// decoder is an inference.Decoder whose movies are 60 empty pictures, 30 a second.
type decoder struct{ opened *atomic.Int32 }

const decoded = 60

func (d decoder) Probe(context.Context, io.ReadSeeker) (inference.Info, error) {
	return inference.Info{Size: image.Pt(100, 100), Frames: decoded, FrameRate: 30, Duration: 2}, nil
}

func (d decoder) Open(context.Context, io.ReadSeeker) (inference.Frames, error) {
	d.opened.Add(1)
	return &frames{}, nil
}

type frames struct{ n int }

func (f *frames) Info() inference.Info {
	return inference.Info{Size: image.Pt(100, 100), Frames: decoded, FrameRate: 30}
}

func (f *frames) Close() error { return nil }

func (f *frames) Next() (inference.Picture, error) {
	if f.n == decoded {
		return inference.Picture{}, io.EOF
	}
	f.n++
	img := image.NewGray(image.Rect(0, 0, 100, 100))
	img.Pix[0] = uint8(f.n) // for jittery
	return inference.Picture{Image: img, Time: float64(f.n-1) / 30}, nil
}

// jittery finds a nose that trembles and is missing in every tenth frame.
type jittery struct{}

func (jittery) Estimate(_ context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	var f keypoint.Frame
	if n := int(img.(*image.Gray).Pix[0]); n%10 != 5 {
		f.Set(keypoint.Nose, keypoint.Point{50 + 3*math.Sin(float64(n*n)), 50}, 0.9)
	}
	return f, nil
}

func TestCleaning(t *testing.T) {
	var opened atomic.Int32
	s := newParts().service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = jittery{} })
	run(t, s)
	m := uploadMovie(t, s, []byte("movie"))
	finished := func(e motion.Extraction, err error) (motion.Extraction, keypoint.Sequence) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		wait(t, s, storage.Keypoints, e.ID, storage.Success)
		if e, err = s.Extraction(t.Context(), owner, e.ID); err != nil {
			t.Fatal(err)
		}
		seq, err := e.Sequence()
		if err != nil {
			t.Fatal(err)
		}
		return e, seq
	}
	opt := &clean.Options{Gaps: &clean.Gaps{}, Smooth: &clean.Smooth{Cutoff: 3}}
	e, seq := finished(s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: m.ID, Clean: opt}))
	raw, err := e.Raw()
	if err != nil {
		t.Fatal(err)
	}
	if e.Cleaned.Filled != 6 || e.Cleaned.Smoothed != decoded || e.Clean == nil || e.Clean.Smooth.Cutoff != 3 {
		t.Errorf("what was done: %+v, %+v", e.Clean, e.Cleaned)
	}
	if seq.Frames[4].Len() != 1 || raw.Frames[4].Len() != 0 {
		t.Error("the gap is filled in the cleaned keypoints, and only there")
	}
	if points, _, times := e.JSON(); strings.Count(string(points), "nose") != decoded || len(times) == 0 {
		t.Errorf("the API shows %d points", strings.Count(string(points), "nose"))
	}

	changes, err := e.Changes()
	if err != nil || len(changes) != decoded || changes[4][keypoint.Nose] != clean.Filled|clean.Smoothed || changes[5][keypoint.Nose] != clean.Smoothed || changes[4][keypoint.LeftEye] != 0 {
		t.Errorf("the changes: %v (%v)", changes, err)
	}

	again, rawAgain := finished(s.Extract(t.Context(), owner, motion.ExtractRequest{KeypointID: e.ID}))
	if d := cmp.Diff(raw, rawAgain, cmpopts.EquateComparable(keypoint.Frame{})); d != "" || again.MovieID != m.ID {
		t.Errorf("the raw keypoints again: %s", d)
	}
	other, _ := finished(s.Extract(t.Context(), owner, motion.ExtractRequest{KeypointID: again.ID, Clean: &clean.Options{Gaps: &clean.Gaps{}}}))
	if other.Cleaned != (clean.Counts{Filled: 6}) {
		t.Errorf("cleaned otherwise: %+v", other.Cleaned)
	}
	if opened.Load() != 1 {
		t.Errorf("the movie was decoded %d times", opened.Load())
	}

	if changes, err := again.Changes(); err != nil || changes != nil {
		t.Errorf("raw keypoints have changes %v (%v)", changes, err)
	}

	var bad *motion.RequestError
	_, err = s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: m.ID, Clean: &clean.Options{Smooth: &clean.Smooth{Order: 99}}})
	if !errors.As(err, &bad) || bad.Field != "clean" {
		t.Errorf("options out of range: %v", err)
	}
	if _, err := s.Extract(t.Context(), "else", motion.ExtractRequest{KeypointID: e.ID}); !errors.Is(err, motion.ErrNotFound) {
		t.Errorf("somebody else's keypoints: %v", err)
	}
	for _, req := range []motion.ExtractRequest{
		{KeypointID: e.ID, MovieID: m.ID}, {KeypointID: e.ID, ImageID: 1},
		{KeypointID: e.ID, Choose: &motion.Choice{}}, {KeypointID: e.ID, CandidateFrames: 1},
	} {
		if _, err := s.Extract(t.Context(), owner, req); !errors.As(err, &bad) || bad.Field != "keypointId" {
			t.Errorf("%+v: %v", req, err)
		}
	}
}

// TestCleaningByDefault: Config.Clean holds for requests that say nothing, and the zero Options
// for none.
func TestCleaningByDefault(t *testing.T) {
	var opened atomic.Int32
	opt := clean.Options{Gaps: &clean.Gaps{}}
	s := newParts().service(t, func(c *motion.Config) {
		c.Decoder, c.Estimator, c.Clean = decoder{&opened}, jittery{}, opt
	})
	run(t, s)
	m := uploadMovie(t, s, []byte("movie"))
	for _, c := range []struct {
		clean *clean.Options
		want  int // points filled
	}{{nil, 6}, {&clean.Options{}, 0}} {
		e, err := s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: m.ID, Clean: c.clean})
		if err != nil {
			t.Fatal(err)
		}
		wait(t, s, storage.Keypoints, e.ID, storage.Success)
		if e, err = s.Extraction(t.Context(), owner, e.ID); err != nil || e.Cleaned.Filled != c.want || (e.Clean != nil) != (c.want > 0) {
			t.Errorf("asked for %+v: cleaned by %+v, %+v (%v)", c.clean, e.Clean, e.Cleaned, err)
		}
	}
	p := newParts()
	_, err := motion.New(motion.Config{
		Store: p.store, Blobs: p.blobs, Queue: p.queue, Estimator: estimator{}, Clean: clean.Options{Smooth: &clean.Smooth{Order: 99}},
	})
	if err == nil || !strings.Contains(err.Error(), "Config.Clean") {
		t.Errorf("options out of range: %v", err)
	}
	var judged quality.Report
	x := motion.Extractor{Estimator: jittery{}, Decoder: decoder{&opened}, Clean: opt, Quality: func(r quality.Report) { judged = r }}
	seq, err := x.Read(t.Context(), strings.NewReader("movie"))
	if err != nil || seq.Frames[4].Empty() {
		t.Errorf("the Extractor fills no gap (%v)", err)
	}
	if judged.Verdict != quality.Poor {
		t.Errorf("a recording of a nose alone is %q", judged.Verdict)
	}
}

// walker finds a body whose limbs swing and whose ankles are exchanged in a frame, with feet or without.
type walker struct{ feet bool }

func (w walker) Estimate(_ context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	n := int(img.(*image.Gray).Pix[0])
	parts := keypoint.Body
	if w.feet {
		parts = keypoint.All
	}
	var f keypoint.Frame
	for _, p := range parts.List() {
		q := p
		if n == 30 && p >= keypoint.LeftAnkle {
			q = p.Mirror()
		}
		swing := math.Sin(float64(n)/5 + math.Pi*float64(p%2))
		f.Set(q, keypoint.Point{50 + float64(p)*swing, 5 + 4*float64(p)}, 0.9)
	}
	return f, nil
}

// TestFeet: feet are in a record that asked for them, and cost nothing else: without them the stored
// record has the very bytes that it has with an estimator that knows none.
func TestFeet(t *testing.T) {
	var opened atomic.Int32
	extracted := func(est inference.Estimator, feet bool) (storage.Record, motion.Extraction, *motion.Service) {
		p := newParts()
		s := p.service(t, func(c *motion.Config) { c.Decoder, c.Estimator, c.Clean = decoder{&opened}, est, clean.Default() })
		run(t, s)
		e, err := s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: uploadMovie(t, s, []byte("movie")).ID, Feet: feet})
		if err != nil {
			t.Fatal(err)
		}
		wait(t, s, storage.Keypoints, e.ID, storage.Success)
		r, err := p.store.Get(t.Context(), storage.Key{Owner: owner, Kind: storage.Keypoints, ID: e.ID})
		if err == nil {
			e, err = s.Extraction(t.Context(), owner, e.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r, e, s
	}
	want, _, _ := extracted(walker{}, false)
	got, e, _ := extracted(walker{feet: true}, false)
	if string(got.Result) != string(want.Result) || string(got.Data) != string(want.Data) || e.Feet {
		t.Errorf("an estimator that gives feet changes the record:\n%s\n%s\n%.300s\n%.300s", got.Data, want.Data, got.Result, want.Result)
	}
	_, unable, _ := extracted(walker{}, true)
	if seq, err := unable.Sequence(); err != nil || !unable.Feet || seq.Frames[0].Present() != keypoint.Body {
		t.Errorf("an estimator that knows no feet: %v (%v)", seq.Frames[0].Present().List(), err)
	}

	_, e, s := extracted(walker{feet: true}, true)
	seq, err := e.Sequence()
	if err != nil || !e.Feet || seq.Frames[30].Present() != keypoint.All {
		t.Fatalf("asked for feet: %+v, %v (%v)", e, seq.Frames[30].Present().List(), err)
	}
	changes, err := e.Changes()
	if err != nil || changes[29][keypoint.RightBigToe] != clean.Swapped|clean.Smoothed || changes[29][keypoint.RightHip]&clean.Swapped != 0 {
		t.Errorf("changes of the exchanged frame: %v (%v)", changes[29], err)
	}
	again, err := s.Extract(t.Context(), owner, motion.ExtractRequest{KeypointID: e.ID, Clean: &clean.Options{}})
	if err != nil {
		t.Fatal(err)
	}
	wait(t, s, storage.Keypoints, again.ID, storage.Success)
	if again, err = s.Extraction(t.Context(), owner, again.ID); err != nil || !again.Feet {
		t.Errorf("cleaned again, the record does not say that it has feet (%v)", err)
	}
	var bad *motion.RequestError
	if _, err = s.Extract(t.Context(), owner, motion.ExtractRequest{KeypointID: e.ID, Feet: true}); !errors.As(err, &bad) || bad.Field != "keypointId" {
		t.Errorf("feet of a record: %v", err)
	}
}

func TestExtractorFeet(t *testing.T) {
	var opened atomic.Int32
	for _, feet := range []bool{true, false} {
		x := motion.Extractor{Estimator: walker{feet: true}, Decoder: decoder{&opened}, Feet: feet}
		movie, err := x.Read(t.Context(), strings.NewReader("movie"))
		if err != nil || movie.Frames[9].Has(keypoint.LeftHeel) != feet || !movie.Frames[9].Has(keypoint.LeftAnkle) {
			t.Errorf("feet %v: a movie has %v (%v)", feet, movie.Frames[9].Present().List(), err)
		}
		white := inferencetest.Picture(image.Pt(60, 80), image.Rect(20, 10, 40, 70))
		x.Estimator = inferencetest.Estimator{Feet: true}
		var file bytes.Buffer
		if err := png.Encode(&file, white); err != nil {
			t.Fatal(err)
		}
		picture, err := x.Read(t.Context(), bytes.NewReader(file.Bytes()))
		if err != nil || picture.Frames[0].Has(keypoint.RightBigToe) != feet || !picture.Frames[0].Has(keypoint.LeftAnkle) {
			t.Errorf("feet %v: a picture has %v (%v)", feet, picture.Frames[0].Present().List(), err)
		}
	}
}

// leaping finds a nose that leaps to the edge of the picture, stays there, and leaps back.
type leaping struct{}

func (leaping) Estimate(_ context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	var f keypoint.Frame
	if n := int(img.(*image.Gray).Pix[0]); n > decoded/3 && n < 2*decoded/3 {
		f.Set(keypoint.Nose, keypoint.Point{102, -3}, 0.9)
	} else {
		f.Set(keypoint.Nose, keypoint.Point{20, 80}, 0.9)
	}
	return f, nil
}

// TestCleanedInside: what is found outside of the picture is at its edge, and smoothing leaves it
// inside.
func TestCleanedInside(t *testing.T) {
	var opened atomic.Int32
	s := newParts().service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = leaping{} })
	run(t, s)
	e, err := s.Extract(t.Context(), owner, motion.ExtractRequest{
		MovieID: uploadMovie(t, s, []byte("movie")).ID, Clean: &clean.Options{Smooth: &clean.Smooth{Cutoff: 3}},
	})
	if err != nil {
		t.Fatal(err)
	}
	wait(t, s, storage.Keypoints, e.ID, storage.Success)
	e, err = s.Extraction(t.Context(), owner, e.ID)
	raw, rawErr := e.Raw()
	cleaned, cleanErr := e.Sequence()
	if err = errors.Join(err, rawErr, cleanErr); err != nil {
		t.Fatal(err)
	}
	if at, _ := raw.Frames[decoded/2].At(keypoint.Nose); at != (keypoint.Point{100, 0}) {
		t.Errorf("the raw nose is at %v, want the corner (100, 0)", at)
	}
	unknown := raw
	unknown.Size = image.Point{}
	smooth, _, err := clean.Run(unknown, *e.Clean)
	if smooth.Size = raw.Size; err != nil || inside(smooth) {
		t.Fatalf("the smoothed leaps stay inside without help (%v)", err)
	}
	if !inside(cleaned) {
		t.Errorf("cleaned keypoints leave the picture: %v", cleaned.Frames)
	}
}

func inside(seq keypoint.Sequence) bool {
	for i := range seq.Frames {
		at, ok := seq.Frames[i].At(keypoint.Nose)
		if !ok || at[0] < 0 || at[0] > float64(seq.Size.X) || at[1] < 0 || at[1] > float64(seq.Size.Y) {
			return false
		}
	}
	return true
}

func TestExtractorReadsPictures(t *testing.T) {
	var done, total int
	x := motion.Extractor{Estimator: estimator{}, Progress: func(d, n int) { done, total = d, n }}
	seq, err := x.Read(t.Context(), bytes.NewReader(picture(100, 50)))
	if err != nil || seq.Len() != 1 || done != 1 || total != 1 {
		t.Errorf("%+v, progress %d of %d (%v)", seq, done, total, err)
	}
	if _, err := x.Read(t.Context(), strings.NewReader("no picture at all")); !errors.Is(err, inference.ErrFormat) {
		t.Errorf("text: %v", err)
	}
	if _, err := x.File(t.Context(), "missing.jpg"); err == nil {
		t.Error("a missing file is read")
	}
	if _, err := (motion.Extractor{}).Read(t.Context(), bytes.NewReader(nil)); err == nil || !strings.Contains(err.Error(), "Estimator") {
		t.Errorf("without an estimator: %v", err)
	}
}

// TestCorrectAtOnce: of corrections made at the same time none is lost, and no change is reported, since
// the status stays.
func TestCorrectAtOnce(t *testing.T) {
	var opened atomic.Int32
	s := newParts().service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = jittery{} })
	run(t, s)
	m := uploadMovie(t, s, []byte("movie"))
	e, err := s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: m.ID})
	if err != nil {
		t.Fatal(err)
	}
	var mistakes keypoint.FieldErrors
	put := correct.Edit{Part: keypoint.Nose, Point: &keypoint.Point{20, 30}}
	wait(t, s, storage.Keypoints, e.ID, storage.Success)
	changes, err := s.Changes(t.Context(), owner)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for frame := range 20 {
		all.Go(func() {
			mine := put
			mine.Frame = frame
			if _, err := s.Correct(t.Context(), owner, e.ID, []correct.Edit{mine}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if e, err = s.Extraction(t.Context(), owner, e.ID); err != nil {
		t.Fatal(err)
	}
	list, marks, err := e.Corrections()
	if err != nil || len(list) != 20 || list[19].Frame != 19 || list[0].Client != owner || marks[7][keypoint.Nose] != correct.Corrected || marks[20][keypoint.Nose] != correct.None {
		t.Errorf("%d corrections (%v): %+v", len(list), err, list)
	}
	seq, err := e.Sequence()
	if nose, ok := seq.Frames[5].At(keypoint.Nose); err != nil || !ok || nose != *put.Point {
		t.Errorf("the nose is at %v (%v)", nose, err)
	}
	a, err := s.Analyze(t.Context(), owner, motion.AnalyzeRequest{KeypointID: e.ID, Rules: []analyze.Rule{{Type: analyze.Coordinate, Points: keypoint.PartSelectors(keypoint.Nose)}}})
	if err != nil {
		t.Fatal(err)
	}
	if c := <-changes; len(c.Records) == 0 || c.Records[0].Kind != storage.Analyses || c.Records[0].ID != a.ID {
		t.Errorf("the first change is %+v", c)
	}

	put.Part = keypoint.LeftHeel
	if _, err := s.Correct(t.Context(), owner, e.ID, []correct.Edit{put}); !errors.Is(err, motion.ErrInvalid) || !errors.As(err, &mistakes) || mistakes[0].Pointer != "/0/part" {
		t.Errorf("a heel of a record without feet: %v", err)
	}
	if _, err := s.Correct(t.Context(), "another", e.ID, []correct.Edit{put}); !errors.Is(err, motion.ErrNotFound) {
		t.Errorf("somebody else: %v", err)
	}
}
