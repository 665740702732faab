package movenet_test

import (
	"context"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

func newEstimator(t testing.TB, opt movenet.Options) *movenet.Estimator {
	t.Helper()
	opt.Library = movenettest.Library(t)
	e, err := movenet.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, e)
	return e
}

// TestSample compares the estimate for the sample picture with labels made by hand.
func TestSample(t *testing.T) {
	truth := sample.Visible()
	for _, m := range []movenet.Model{lightning.Model(), thunder.Model()} {
		t.Run(m.Name, func(t *testing.T) {
			e := newEstimator(t, movenet.Options{Pose: m, People: multipose.Model()})
			f, err := e.Estimate(context.Background(), sample.Image(), inference.Hint{})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range truth.Present().List() {
				want, _ := truth.At(p)
				got, ok := f.At(p)
				if d := got.Sub(want).Len(); !ok || d > 0.03*1200 {
					t.Errorf("%v is at %.0f (found: %v), %.0f pixels from %v", p, got, ok, d, want)
				} else {
					t.Logf("%v: %.1f pixels, confidence %.2f", p, d, f.Confidence(p))
				}
			}
		})
	}
}
