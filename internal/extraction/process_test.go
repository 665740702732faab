package extraction_test

import (
	"testing"

	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// TestRunInSpace: a point between two of others stays out where the views were cleaned before they were joined.
func TestRunInSpace(t *testing.T) {
	raw := keypoint.Sequence{Frames: make([]keypoint.Frame, 9), Times: make([]float64, 9)}
	for i := range raw.Frames {
		raw.Times[i] = float64(i) / 30
		if i != 4 {
			raw.Frames[i].Set(keypoint.LeftKnee, keypoint.Point{float64(i), 50}, 1)
		}
	}
	for space, want := range map[*keypoint.Space]bool{nil: true, {Unit: keypoint.Metres}: false} {
		raw.Space = space
		r, err := extraction.Run(raw, extraction.Options{Clean: clean.Default()})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Sequence.Frames[4].Has(keypoint.LeftKnee); got != want {
			t.Errorf("in space %v: the knee between is there: %v", space != nil, got)
		}
	}
}
