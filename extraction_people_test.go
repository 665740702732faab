package motion_test

import (
	"context"
	"errors"
	"image"
	"math"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
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
	s := host.New().Service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = pairOf{} })
	host.Run(t, s)
	m := host.UploadMovie(t, s, []byte("movie"))
	for _, c := range []struct {
		choice inference.Choice
		x      float64
	}{
		{inference.Choice{Policy: inference.PolicyHighestScore}, 25},
		{inference.Choice{Policy: inference.PolicyNearest, Point: [2]float64{90, 50}}, 70.01},
	} {
		e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Choose: c.choice, CandidateFrames: 2}})
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil {
			t.Fatal(err)
		}
		if e.Choose != c.choice || len(e.Candidates) != 4 || e.Candidates[3].Frame != 1 || e.Candidates[3].Box[0] != 50.01 {
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
		{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{CandidateFrames: 101}}, {Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{CandidateFrames: -1}},
		{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Choose: inference.Choice{Policy: "tallest"}}},
		{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Choose: inference.Choice{Policy: inference.PolicyNearest, Point: [2]float64{math.NaN(), 0}}}},
		{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Choose: inference.Choice{Policy: inference.PolicyTrack}}},
		{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Choose: inference.Choice{Policy: inference.PolicyMostMovement, Seconds: -1}}},
	} {
		if _, err := s.ExtractKeypoints(t.Context(), host.Owner, req); !errors.Is(err, motion.ErrInvalid) {
			t.Errorf("%+v: %v", req, err)
		}
	}
}

// TestEverybody: a record of everybody shows the chosen person, has the others, and is processed anew as
// a whole.
func TestEverybody(t *testing.T) {
	var opened atomic.Int32
	s := host.New().Service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = pairOf{} })
	host.Run(t, s)
	m := host.UploadMovie(t, s, []byte("movie"))
	extract := func(req motion.ExtractRequest) motion.Extraction {
		t.Helper()
		e, err := s.ExtractKeypoints(t.Context(), host.Owner, req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Person(1); e.Everybody && !errors.Is(err, motion.ErrNotReady) {
			t.Errorf("a person of unfinished work: %v", err)
		}
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil {
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
	first := extract(motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Everybody: true, CandidateFrames: 1, Choose: inference.Choice{Policy: inference.PolicyHighestScore}}})
	second := extract(motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Everybody: true, Rate: 10, Choose: inference.Choice{Policy: inference.PolicyTrack, Track: 2}}})
	scale, tidy := keypoint.Scale{MetresPerPixel: 0.01}, clean.Default()
	again := extract(motion.ExtractRequest{Source: motion.Again(second.ID), FindOptions: motion.FindOptions{Clean: tidy, Calibration: keypoint.Calibration{Scale: &scale}}})
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
	alone := extract(motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Choose: inference.Choice{Policy: inference.PolicyLargest}}})
	if _, err := alone.Person(1); !errors.Is(err, motion.ErrInvalid) || alone.People != nil {
		t.Errorf("person 1 of a record of one person: %v", err)
	}
	if _, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Again(first.ID), FindOptions: motion.FindOptions{Everybody: true}}); !errors.Is(err, motion.ErrInvalid) {
		t.Errorf("everybody of a keypoint record: %v", err)
	}

	// An estimator that sees only one person.
	s = host.New().Service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = jittery{} })
	host.Run(t, s)
	m = host.UploadMovie(t, s, []byte("movie"))
	for _, req := range []motion.ExtractRequest{{FindOptions: motion.FindOptions{Everybody: true}}, {FindOptions: motion.FindOptions{CandidateFrames: 1}}, {FindOptions: motion.FindOptions{Choose: inference.Choice{Policy: inference.PolicyMostMovement}}}} {
		req.Source = motion.Movie(m.ID)
		e, err := s.ExtractKeypoints(t.Context(), host.Owner, req)
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Failure)
		if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil || e.Failure != "The service cannot tell several people apart." {
			t.Errorf("%+v: %q (%v)", req, e.Failure, err)
		}
	}
}
