package motion_test

import (
	"context"
	"errors"
	"image"
	"math"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
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
	case h.Person != nil:
		people = []inference.Candidate{*h.Person}
	case !h.Previous.Empty():
		return h.Previous, nil
	default:
		people = people[h.Choose.Choose(img.Bounds().Size(), people):]
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
		{motion.Choice{Policy: motion.HighestScore}, 25},
		{motion.Choice{Policy: motion.Nearest, Point: [2]float64{90, 50}}, 70.01},
	} {
		e, err := s.Extract(t.Context(), owner, motion.ExtractRequest{MovieID: m.ID, Choose: &c.choice, Candidates: 2})
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
		{MovieID: m.ID, Candidates: 101}, {MovieID: m.ID, Candidates: -1},
		{MovieID: m.ID, Choose: &motion.Choice{Policy: "tallest"}},
		{MovieID: m.ID, Choose: &motion.Choice{Policy: motion.Nearest, Point: [2]float64{math.NaN(), 0}}},
		{MovieID: m.ID, Choose: &motion.Choice{Policy: motion.ByTrack}},
		{MovieID: m.ID, Choose: &motion.Choice{Policy: motion.MostMovement, Seconds: -1}},
	} {
		if _, err := s.Extract(t.Context(), owner, req); !errors.Is(err, motion.ErrInvalid) {
			t.Errorf("%+v: %v", req, err)
		}
	}
}
