package blazepose_test

import (
	"image"
	"testing"

	xdraw "golang.org/x/image/draw"

	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/blazepose/lite"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

func TestEstimator(t *testing.T) {
	person := image.NewRGBA(image.Rect(0, 0, 300, 300))
	xdraw.ApproxBiLinear.Scale(person, person.Rect, sample.Image(), sample.Image().Bounds(), xdraw.Src, nil)
	for name, opt := range map[string]blazepose.Options{
		"full": {Model: full.Model(), Finder: newFinder(t)}, "without Finder": {Model: lite.Model()},
	} {
		t.Run(name, func(t *testing.T) {
			inferencetest.TestEstimator(t, newEstimator(t, opt), inferencetest.Pictures{Person: person})
		})
	}
}
