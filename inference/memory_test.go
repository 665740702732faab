package inference_test

import (
	"context"
	"image"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// learner is an Estimator that learns which frames it has seen.
type learner struct {
	*eyes
	mu    sync.Mutex
	known map[int][]int // what it knew in each frame
}

func (l *learner) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	n := img.(still).number
	if m := hint.Region.Memory; m != nil {
		l.mu.Lock()
		l.known[n], _ = m.Known.([]int)
		l.mu.Unlock()
		m.Learn = func(known any) any {
			frames, _ := known.([]int)
			return append(slices.Clip(frames), n)
		}
	}
	return l.eyes.Estimate(ctx, img, hint)
}

// TestMemory: a Network knows what it has learnt in the frames before, in their order however many are in flight, and
// nothing from before somebody was lost.
func TestMemory(t *testing.T) {
	const n, lost = 20, 10
	for _, inFlight := range []int{1, 2, 3} {
		l := &learner{eyes: &eyes{actors: []actor{{gone(stand(n, 320), lost, lost+1), 200}}}, known: map[int][]int{}}
		if _, err := inference.Extract(t.Context(), &film{n: n}, l, inference.ExtractOptions{InFlight: inFlight}); err != nil {
			t.Fatal(err)
		}
		var want []int // the first frames are found, not followed
		for k := inFlight; k <= lost-1-inFlight; k++ {
			want = append(want, k)
		}
		if got := l.known[lost-1]; !cmp.Equal(got, want) {
			t.Errorf("%d in flight, before: %v is known, want %v", inFlight, got, want)
		}
		got := l.known[n-1]
		if len(got) == 0 || got[0] <= lost || !slices.IsSorted(got) || got[len(got)-1] != n-1-inFlight {
			t.Errorf("%d in flight, after: %v is known", inFlight, got)
		}
	}
}
