package motion_test

import (
	"context"
	"errors"
	"image"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

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
	s := host.New().Service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = jittery{} })
	host.Run(t, s)
	m := host.UploadMovie(t, s, []byte("movie"))
	finished := func(e motion.Extraction, err error) (motion.Extraction, keypoint.Sequence) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil {
			t.Fatal(err)
		}
		seq, err := e.Sequence()
		if err != nil {
			t.Fatal(err)
		}
		return e, seq
	}
	opt := clean.Options{Gaps: &clean.Gaps{}, Smooth: &clean.Smooth{Cutoff: 3}}
	e, seq := finished(s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Clean: opt}}))
	raw, err := e.Raw()
	if err != nil {
		t.Fatal(err)
	}
	if e.Cleaned.Filled != 6 || e.Cleaned.Smoothed != decoded || e.Cleaned.Cutoff != 3 || e.Clean.Smooth == nil || e.Clean.Smooth.Cutoff != 3 {
		t.Errorf("what was done: %+v, %+v", e.Clean, e.Cleaned)
	}
	if seq.Frames[4].Len() != 1 || raw.Frames[4].Len() != 0 {
		t.Error("the gap is filled in the cleaned keypoints, and only there")
	}
	if points, _, _, times := e.JSON(false); strings.Count(string(points), "nose") != decoded || len(times) == 0 {
		t.Errorf("the API shows %d points", strings.Count(string(points), "nose"))
	}

	changes, err := e.CleaningMarks()
	if err != nil || len(changes) != decoded || changes[4][keypoint.Nose] != clean.Filled|clean.Smoothed || changes[5][keypoint.Nose] != clean.Smoothed || changes[4][keypoint.LeftEye] != 0 {
		t.Errorf("the changes: %v (%v)", changes, err)
	}

	again, rawAgain := finished(s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Again(e.ID)}))
	if d := cmp.Diff(raw, rawAgain, cmpopts.EquateComparable(keypoint.Frame{})); d != "" || again.MovieID != m.ID {
		t.Errorf("the raw keypoints again: %s", d)
	}
	other, _ := finished(s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Again(again.ID), FindOptions: motion.FindOptions{Clean: clean.Options{Gaps: &clean.Gaps{}}}}))
	if other.Cleaned != (clean.Counts{Filled: 6}) {
		t.Errorf("cleaned otherwise: %+v", other.Cleaned)
	}
	if opened.Load() != 1 {
		t.Errorf("the movie was decoded %d times", opened.Load())
	}

	if changes, err := again.CleaningMarks(); err != nil || changes != nil {
		t.Errorf("raw keypoints have changes %v (%v)", changes, err)
	}

	var bad *motion.RequestError
	_, err = s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Clean: clean.Options{Smooth: &clean.Smooth{Order: 99}}}})
	if !errors.As(err, &bad) || bad.Field != "clean" {
		t.Errorf("options out of range: %v", err)
	}
	if _, err := s.ExtractKeypoints(t.Context(), "else", motion.ExtractRequest{Source: motion.Again(e.ID)}); !errors.Is(err, motion.ErrNotFound) {
		t.Errorf("somebody else's keypoints: %v", err)
	}
	for _, req := range []motion.ExtractRequest{
		{Source: motion.Again(e.ID).On(motion.Movie(m.ID))}, {Source: motion.Again(e.ID).On(motion.Image(1))},
		{Source: motion.Again(e.ID), FindOptions: motion.FindOptions{Choose: inference.Choice{Policy: inference.PolicyCentreFront}}}, {Source: motion.Again(e.ID), FindOptions: motion.FindOptions{CandidateFrames: 1}},
	} {
		if _, err := s.ExtractKeypoints(t.Context(), host.Owner, req); !errors.As(err, &bad) || bad.Field != "keypointId" {
			t.Errorf("%+v: %v", req, err)
		}
	}
}

// TestCleaningByDefault: Config.Clean holds for requests that say nothing, and the options
// Uncleaned for none.
func TestCleaningByDefault(t *testing.T) {
	var opened atomic.Int32
	opt := clean.Options{Gaps: &clean.Gaps{}}
	s := host.New().Service(t, func(c *motion.Config) {
		c.Decoder, c.Estimator, c.Clean = decoder{&opened}, jittery{}, opt
	})
	host.Run(t, s)
	m := host.UploadMovie(t, s, []byte("movie"))
	for _, c := range []struct {
		uncleaned bool
		want      int // points filled
	}{{false, 6}, {true, 0}} {
		e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Uncleaned: c.uncleaned}})
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil || e.Cleaned.Filled != c.want || (e.Clean != clean.Options{}) != (c.want > 0) || e.Uncleaned != (c.want == 0) {
			t.Errorf("uncleaned %v: cleaned by %+v, %+v (%v)", c.uncleaned, e.Clean, e.Cleaned, err)
		}
	}
	p := host.New()
	_, err := motion.New(motion.Config{
		Store: p.Store, Blobs: p.Blobs, Queue: p.Queue, Estimator: host.Estimator{}, Clean: clean.Options{Smooth: &clean.Smooth{Order: 99}},
	})
	if err == nil || !strings.Contains(err.Error(), "Config.Clean") {
		t.Errorf("options out of range: %v", err)
	}
	x := motion.Extractor{Estimator: jittery{}, Decoder: decoder{&opened}, FindOptions: motion.FindOptions{Clean: opt}}
	seq, judged, err := x.Read(t.Context(), strings.NewReader("movie"))
	if err != nil || seq.Frames[4].Empty() {
		t.Errorf("the Extractor fills no gap (%v)", err)
	}
	if judged.Verdict != quality.Poor {
		t.Errorf("a recording of a nose alone is %q", judged.Verdict)
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
	s := host.New().Service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = leaping{} })
	host.Run(t, s)
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(host.UploadMovie(t, s, []byte("movie")).ID), FindOptions: motion.FindOptions{Clean: clean.Options{Smooth: &clean.Smooth{Cutoff: 3}}}})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	e, err = s.GetExtraction(t.Context(), host.Owner, e.ID)
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
	smooth, _, err := clean.Run(unknown, e.Clean)
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
