package movenet_test

import (
	"context"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
)

// on returns a function that opens an Estimator with a provider.
func on(t testing.TB, opt movenet.Options) func(provider string) (movenettest.Estimator, error) {
	opt.Library = movenettest.Library(t)
	return func(provider string) (movenettest.Estimator, error) {
		opt.Provider = provider
		return movenet.New(opt)
	}
}

func TestProvider(t *testing.T) {
	for _, opt := range []movenet.Options{fast(), exact()} {
		t.Run(opt.Pose.Name, func(t *testing.T) { movenettest.TestProviders(t, on(t, opt)) })
	}
}

// BenchmarkProvider follows a person in 720p frames, one frame at a time and one per CPU at a time,
// on the processor and on the available hardware.
func BenchmarkProvider(b *testing.B) {
	frame := movieFrame()
	for _, opt := range []movenet.Options{fast(), exact()} {
		for _, provider := range append([]string{"cpu"}, movenettest.Hardware...) {
			b.Run(opt.Pose.Name+"/"+provider, func(b *testing.B) {
				opt.Threads = 1
				e := movenettest.On(b, provider, on(b, opt))
				person, err := e.Estimate(context.Background(), frame, inference.Hint{})
				if err != nil {
					b.Fatal(err)
				}
				hint := inference.Hint{Previous: person}
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
