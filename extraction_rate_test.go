package motion_test

import (
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/storage"
)

// TestRate: a record with a rate has raw keypoints in the frames that were looked at alone, and
// others between them that are marked as filled, with and without cleaning.
func TestRate(t *testing.T) {
	var opened atomic.Int32
	s := host.New().Service(t, func(c *motion.Config) { c.Decoder = decoder{&opened}; c.Estimator = jittery{} })
	host.Run(t, s)
	m := host.UploadMovie(t, s, []byte("movie"))
	finished := func(req motion.ExtractRequest) (e motion.Extraction, raw, seq keypoint.Sequence, changes [][keypoint.NumParts]clean.Change) {
		t.Helper()
		e, err := s.ExtractKeypoints(t.Context(), host.Owner, req)
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		e, err = s.GetExtraction(t.Context(), host.Owner, e.ID)
		raw, errRaw := e.Raw()
		seq, errSeq := e.Sequence()
		changes, errChanges := e.CleaningMarks()
		report, errReport := e.Quality()
		if err := errors.Join(err, errRaw, errSeq, errChanges, errReport); err != nil || report.Verdict == "" {
			t.Fatalf("%q, %v", report.Verdict, err)
		}
		return e, raw, seq, changes
	}
	// Every third frame, and the last; the nose is not found in the looks at frames 24 and 54.
	looks := []int{59}
	for i := 57; i >= 0; i -= 3 {
		looks = append([]int{i}, looks...)
	}
	e, raw, seq, changes := finished(motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Rate: 10}})
	if e.Rate != 10 || !e.Uncleaned || e.Cleaned != (clean.Counts{Filled: 31}) || !cmp.Equal(raw.Looks, looks) || !cmp.Equal(seq.Looks, looks) || raw.Len() != decoded {
		t.Errorf("%v looks a second, %+v, looks at %v and %v", e.Rate, e.Cleaned, raw.Looks, seq.Looks)
	}
	for i := range decoded {
		looked := slices.Contains(looks, i)
		missed := i == 24 || i == 54
		gap := i > 21 && i < 27 || i > 51 && i < 57
		if raw.Frames[i].Empty() != (!looked || missed) || seq.Frames[i].Empty() != gap || (changes[i][keypoint.Nose] == clean.Filled) != (!looked && !gap) {
			t.Errorf("frame %d: raw %v, filled %v, %v", i, raw.Frames[i], seq.Frames[i], changes[i][keypoint.Nose].Names())
		}
	}
	// Cleaned otherwise, the record keeps its rate, and the movie is not decoded again.
	again, rawAgain, seq, changes := finished(motion.ExtractRequest{Source: motion.Again(e.ID), FindOptions: motion.FindOptions{Clean: clean.Options{Gaps: &clean.Gaps{}}}})
	if again.Rate != 10 || again.Cleaned.Filled != 41 || opened.Load() != 1 || !cmp.Equal(rawAgain, raw, cmpopts.EquateComparable(keypoint.Frame{})) {
		t.Errorf("again: %v looks a second, %+v, decoded %d times", again.Rate, again.Cleaned, opened.Load())
	}
	if seq.Frames[24].Empty() || seq.Frames[25].Empty() || changes[25][keypoint.Nose] != clean.Filled {
		t.Error("a gap between looks is not filled by cleaning")
	}
	// The movie's own rate and more: every frame, and nothing to fill.
	e, raw, _, _ = finished(motion.ExtractRequest{Source: motion.Movie(m.ID), FindOptions: motion.FindOptions{Rate: 30}})
	if e.Rate != 30 || raw.Looks != nil || e.Cleaned != (clean.Counts{}) {
		t.Errorf("30 looks a second: %+v, looks at %v", e.Cleaned, raw.Looks)
	}

	image := host.Upload(t, s, host.Picture(20, 20))
	for _, c := range []struct {
		from  motion.Source
		rate  float64
		field string
	}{
		{motion.Movie(m.ID), -1, "rate"}, {motion.Movie(m.ID), math.NaN(), "rate"},
		{motion.Movie(m.ID), math.Inf(1), "rate"}, {motion.Movie(m.ID), math.Inf(-1), "rate"},
		{motion.Image(image.ID), 30, "rate"}, {motion.Again(e.ID), 30, "keypointId"},
	} {
		var bad *motion.RequestError
		req := motion.ExtractRequest{Source: c.from, FindOptions: motion.FindOptions{Rate: c.rate}}
		if _, err := s.ExtractKeypoints(t.Context(), host.Owner, req); !errors.As(err, &bad) || !errors.Is(err, motion.ErrInvalid) || bad.Field != c.field {
			t.Errorf("%+v: %v", req, err)
		}
	}
}
