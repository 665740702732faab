package inference_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// TestOnFrame: the frames that are told while a movie is extracted are those of the result, each as soon
// as it is final.
func TestOnFrame(t *testing.T) {
	const n = 61
	actors := []actor{{gone(walking(n, 100, 6), 20, 30), 120}, {walking(n, 540, -6), 110}}
	for name, opt := range map[string]inference.ExtractOptions{
		"every frame":  {},
		"one a time":   {InFlight: 1, Feet: true},
		"a rate":       {Rate: 20},
		"watched":      {Choose: inference.Choice{Policy: inference.PolicyMostMovement, Seconds: 0.5}, InFlight: 1},
		"watched most": {Choose: inference.Choice{Policy: inference.PolicyMostMovement, Seconds: 50}, Rate: 20},
	} {
		t.Run(name, func(t *testing.T) {
			f := &film{n: n, times: steady(n, 60), cuts: map[int]bool{45: true}}
			var told keypoint.Sequence
			early, steps := 0, 0 // frames told before the movie was read to its end; calls of Progress
			opt.OnFrame = func(frame int, k keypoint.Frame, seconds float64) {
				if frame != told.Len() {
					t.Errorf("frame %d after %d frames", frame, told.Len())
				}
				if told.Frames, told.Times = append(told.Frames, k), append(told.Times, seconds); f.at < n {
					early++
				}
			}
			opt.Progress = func(done, _ int) {
				if steps++; done != told.Len() {
					t.Errorf("%d frames are done, %d told", done, told.Len())
				}
			}
			seq, err := inference.Extract(t.Context(), f, &eyes{actors: actors, feet: true}, opt)
			if err != nil {
				t.Fatal(err)
			}
			want := keypoint.Sequence{Frames: seq.Frames, Times: seq.Times}
			if diff := cmp.Diff(want, told, cmpopts.EquateComparable(keypoint.Frame{})); diff != "" {
				t.Error(diff)
			}
			if watched := opt.Choose == (inference.Choice{Policy: inference.PolicyMostMovement, Seconds: 50}); steps < 20 || (early < n/2) != watched {
				t.Errorf("%d steps, %d frames told before the movie was read", steps, early)
			}
		})
	}
}
