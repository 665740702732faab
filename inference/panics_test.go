package inference_test

import (
	"context"
	"image"
	"math"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// broken has mistakes in its numbers, or panics without any.
type broken struct {
	at     keypoint.Point
	score  float64
	panics string // "Estimate" or "Find"
}

func (e broken) Estimate(_ context.Context, img image.Image, _ inference.Hint) (f keypoint.Frame, err error) {
	if e.panics == "Estimate" {
		panic("index out of range")
	}
	for p := range keypoint.Part(keypoint.NumBody) {
		f.Set(p, keypoint.Point{float64(10 * p), float64(20 * p)}, 0.9)
	}
	f.Set(keypoint.LeftKnee, e.at, 0.9)
	return f, nil
}

func (e broken) Find(context.Context, image.Image) ([]inference.Candidate, error) {
	if e.panics == "Find" {
		panic("index out of range")
	}
	return []inference.Candidate{{Box: inference.Box{Max: keypoint.Point{100, e.score * 200}}, Score: e.score}}, nil
}

// TestBroken: a panic of an Estimator, in whichever goroutine, is an error of the caller, and so are keypoints and
// people far outside of the picture. All pictures are released. A little outside is at the edge.
func TestBroken(t *testing.T) {
	for name, c := range map[string]struct {
		est  broken
		want string
	}{
		"Estimate":    {broken{panics: "Estimate"}, "panic: index out of range"},
		"Find":        {broken{score: 0.9, panics: "Find"}, "panic: index out of range"},
		"far outside": {broken{at: keypoint.Point{1e300, 5}, score: 0.9}, "the estimator puts leftKnee at [1e+300 5], far outside of the picture (0,0)-(640,480)"},
		"far above":   {broken{at: keypoint.Point{5, -8000}, score: 0.9}, "the estimator puts leftKnee at [5 -8000], far outside"},
		"no box":      {broken{score: math.NaN()}, "the finder puts person 1 into {[0 0] [100 NaN]} with a score of NaN"},
		"no score":    {broken{score: 7}, "the finder puts person 1 into {[0 0] [100 1400]} with a score of 7"},
	} {
		opt := inference.ExtractOptions{Candidates: 1, OnCandidates: func(int, []inference.Candidate) {}}
		movie, all := &film{n: 9}, &film{n: 9}
		_, err := inference.Extract(t.Context(), movie, c.est, opt)
		_, errAll := inference.ExtractAll(t.Context(), all, c.est, opt)
		_, errImage := inference.ExtractImage(t.Context(), image.NewGray(image.Rect(0, 0, 640, 480)), c.est, opt)
		for way, err := range map[string]error{"Extract": err, "ExtractAll": errAll, "ExtractImage": errImage} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v", name, way, err)
			}
		}
		if movie.out.Load() != 0 || all.out.Load() != 0 {
			t.Errorf("%s: %d and %d pictures are not released", name, movie.out.Load(), all.out.Load())
		}
	}
	seq, err := inference.Extract(t.Context(), &film{n: 3}, broken{at: keypoint.Point{700, -9}, score: 0.9}, inference.ExtractOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if at, _ := seq.Frames[2].At(keypoint.LeftKnee); at != (keypoint.Point{640, 0}) {
		t.Errorf("a little outside: %v", at)
	}
}
