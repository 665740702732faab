package movenet_test

import (
	"image"
	"testing"

	xdraw "golang.org/x/image/draw"

	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

func TestEstimator(t *testing.T) {
	person := image.NewRGBA(image.Rect(0, 0, 300, 300))
	xdraw.ApproxBiLinear.Scale(person, person.Rect, sample.Image(), sample.Image().Bounds(), xdraw.Src, nil)
	for name, opt := range map[string]movenet.Options{
		"with People": {Pose: lightning.Model(), People: multipose.Model()}, "without People": {Pose: lightning.Model()},
	} {
		t.Run(name, func(t *testing.T) {
			inferencetest.TestEstimator(t, newEstimator(t, opt), inferencetest.Pictures{Person: person})
		})
	}
}
