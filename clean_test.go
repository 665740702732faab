package motion_test

import (
	"context"
	"errors"
	"image"
	"io"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/storage"
)

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

	again, rawAgain := finished(s.Extract(t.Context(), owner, motion.ExtractRequest{KeypointID: e.ID}))
	if d := cmp.Diff(raw, rawAgain, cmpopts.EquateComparable(keypoint.Frame{})); d != "" || again.MovieID != m.ID {
		t.Errorf("the raw keypoints again: %s", d)
	}
	other, _ := finished(s.Extract(t.Context(), owner, motion.ExtractRequest{KeypointID: again.ID, Clean: &clean.Options{Gaps: &clean.Gaps{}}}))
	if other.Cleaned != (motion.Cleaned{Filled: 6}) {
		t.Errorf("cleaned otherwise: %+v", other.Cleaned)
	}
	if opened.Load() != 1 {
		t.Errorf("the movie was decoded %d times", opened.Load())
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
		{KeypointID: e.ID, Choose: &motion.Choice{}}, {KeypointID: e.ID, Candidates: 1},
	} {
		if _, err := s.Extract(t.Context(), owner, req); !errors.As(err, &bad) || bad.Field != "keypointId" {
			t.Errorf("%+v: %v", req, err)
		}
	}
}
