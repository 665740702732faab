package movenet_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/internal/sample"
	"github.com/bodymotion/motion/keypoint"
)

// hardware are the providers that only some machines have.
var hardware = []string{"cuda", "coreml", "directml", "openvino"}

// newOn makes an Estimator on some hardware. It skips the test if the machine lacks it, even with
// MOTION_REQUIRE, because hardware cannot be installed.
func newOn(tb testing.TB, provider string, opt movenet.Options) *movenet.Estimator {
	tb.Helper()
	opt.Library, opt.Provider = movenettest.Library(tb), provider
	e, err := movenet.New(opt)
	if errors.Is(err, movenet.ErrProvider) {
		tb.Skipf("not on this machine: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := e.Close(); err != nil {
			tb.Error(err)
		}
	})
	return e
}

// TestProvider: missing hardware gives a clear error; with it, the results are those of the
// processor.
func TestProvider(t *testing.T) {
	opt := fast()
	opt.Library, opt.Provider = movenettest.Library(t), "abacus"
	if _, err := movenet.New(opt); !errors.Is(err, movenet.ErrProvider) || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("an unknown provider: %v", err)
	}
	for _, opt := range []movenet.Options{fast(), exact()} {
		opt.Provider = "cpu"
		want := estimate(t, newEstimator(t, opt), sample.Image(), keypoint.Frame{})
		for _, provider := range hardware {
			t.Run(opt.Pose.Name+"/"+provider, func(t *testing.T) {
				got := estimate(t, newOn(t, provider, opt), sample.Image(), keypoint.Frame{})
				for _, p := range want.Present().List() {
					a, _ := want.At(p)
					b, ok := got.At(p)
					if d := a.Sub(b).Len(); !ok || d > 2 {
						t.Errorf("%v is %v pixels off (found: %v)", p, d, ok)
					}
				}
			})
		}
	}
}

// BenchmarkProvider follows a person in 720p frames, one frame at a time and one per CPU at a time,
// on the processor and on the available hardware.
func BenchmarkProvider(b *testing.B) {
	frame := movieFrame()
	for _, opt := range []movenet.Options{fast(), exact()} {
		for _, provider := range append([]string{"cpu"}, hardware...) {
			b.Run(opt.Pose.Name+"/"+provider, func(b *testing.B) {
				opt.Threads = 1
				e := newOn(b, provider, opt)
				hint := inference.Hint{Previous: estimate(b, e, frame, keypoint.Frame{})}
				b.Run("one", func(b *testing.B) {
					for b.Loop() {
						if _, err := e.Estimate(context.Background(), frame, hint); err != nil {
							b.Fatal(err)
						}
					}
				})
				b.Run("parallel", func(b *testing.B) {
					b.RunParallel(func(pb *testing.PB) {
						for pb.Next() {
							if _, err := e.Estimate(context.Background(), frame, hint); err != nil {
								b.Error(err)
							}
						}
					})
				})
			})
		}
	}
}
