package inference_test

import (
	"context"
	"errors"
	"image"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// searcher is an Estimator that notes which frames are searched.
type searcher struct {
	*eyes
	mu     sync.Mutex
	frames []int
}

func (s *searcher) note(img image.Image) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames = append(s.frames, img.(still).number)
}

func (s *searcher) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	s.note(img)
	return s.eyes.Find(ctx, img)
}

func (s *searcher) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	if hint.Region == (inference.Region{}) {
		s.note(img)
	}
	return s.eyes.Estimate(ctx, img, hint)
}

// TestDeserted: a movie is searched in every fifth frame while nobody is there, and whoever comes is
// seen from the first frame on.
func TestDeserted(t *testing.T) {
	const n = 58
	times := make([]float64, n)
	for i := range times {
		times[i] = float64(i) / 8
	}
	here := func(from, to int) actor { return actor{gone(gone(stand(n, 320), 0, from), to, n), 200} }
	for name, c := range map[string]struct {
		actors   []actor
		cuts     map[int]bool
		rate     float64
		searched []int // by one frame in flight
	}{
		"nobody":         {searched: []int{0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 57}},
		"a cut":          {cuts: map[int]bool{12: true}, searched: []int{0, 5, 10, 12, 17, 22, 27, 32, 37, 42, 47, 52, 57}},
		"somebody comes": {actors: []actor{here(23, n)}, searched: []int{0, 5, 10, 15, 20, 21, 22, 23, 25}},
		"at the end":     {actors: []actor{here(57, n)}, searched: []int{0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 56, 57, 57}},
		"somebody goes": {actors: []actor{here(0, 30)},
			searched: []int{0, 30, 31, 32, 33, 34, 35, 36, 37, 42, 47, 52, 57}},
		"back after three seconds": {actors: []actor{{gone(stand(n, 320), 10, 42), 200}},
			searched: []int{0, 10, 11, 12, 13, 14, 15, 16, 17, 22, 27, 32, 37, 38, 39, 40, 41, 42, 42}},
		"looks": {rate: 4, searched: []int{0, 10, 20, 30, 40, 50, 57}},
	} {
		for _, inFlight := range []int{1, 2, 5} {
			e := &searcher{eyes: &eyes{actors: c.actors}}
			f := &film{n: n, cuts: c.cuts, times: times}
			seq, err := inference.Extract(t.Context(), f, e, inference.ExtractOptions{InFlight: inFlight, Rate: c.rate})
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(e.frames)
			if inFlight == 1 && !cmp.Equal(e.frames, c.searched) || len(e.frames) > len(c.searched)+2*inFlight {
				t.Errorf("%s, %d in flight: frames %v are searched, want %v", name, inFlight, e.frames, c.searched)
			}
			for i := range n {
				there := c.actors != nil && c.actors[0].at[i] == keypoint.Point{320, 240}
				if there == seq.Frames[i].Empty() {
					t.Errorf("%s, %d in flight: frame %d: somebody is there: %v", name, inFlight, i, there)
				}
			}
			if f.out.Load() != 0 || f.most > 6 {
				t.Errorf("%s, %d in flight: %d pictures are in use at a time, and %d at the end", name, inFlight, f.most, f.out.Load())
			}
		}
	}
	f := &film{n: n, fail: 8}
	if _, err := inference.Extract(t.Context(), f, &eyes{}, inference.ExtractOptions{}); !errors.Is(err, errTorn) || f.out.Load() != 0 {
		t.Errorf("a torn movie: %v, %d pictures are left", err, f.out.Load())
	}
}
