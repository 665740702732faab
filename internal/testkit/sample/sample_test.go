package sample_test

import (
	"image"
	"math"
	"testing"

	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

func TestFrameFollowsMovement(t *testing.T) {
	if got := sample.Image().Bounds(); got != image.Rect(0, 0, 1200, 1200) {
		t.Fatalf("picture of %v", got)
	}
	// The dark shoe sole and the hair are the only dark spots; a point of the hair
	// must be as dark in the frame as in the picture.
	hair := keypoint.Point{620, 60}
	m := sample.NewMover()
	for _, at := range []float64{0, 0.3, 0.5, 1.1, 1.5} {
		p := sample.Moved(hair, at)
		r, _, _, _ := m.Frame(at).At(int(math.Round(p[0])), int(math.Round(p[1]))).RGBA()
		if r>>8 > 190 {
			t.Errorf("at %v s the hair is not at %v: red is %d", at, p, r>>8)
		}
	}
	if a, b := sample.Moved(hair, 0), sample.Moved(hair, 0.5); a.Sub(b).Len() < 10 {
		t.Errorf("the hair moves from %v to %v only", a, b)
	}
}
