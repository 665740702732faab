package blazepose_test

import (
	"testing"

	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
)

func TestProvider(t *testing.T) {
	opt := blazepose.Options{Model: full.Model(), Finder: newFinder(t), Library: movenettest.Library(t)}
	movenettest.TestProviders(t, func(provider string) (movenettest.Estimator, error) {
		opt.Provider = provider
		return blazepose.New(opt)
	})
}
