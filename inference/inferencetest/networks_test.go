package inferencetest_test

import (
	"context"
	"image"
	"image/draw"
	"io"
	"testing"

	xdraw "golang.org/x/image/draw"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/blazepose/lite"
	"github.com/bodymotion/motion/inference/ensemble"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

// person is the sample person, smaller.
func person() image.Image {
	img := image.NewRGBA(image.Rect(0, 0, 300, 300))
	xdraw.ApproxBiLinear.Scale(img, img.Rect, sample.Image(), sample.Image().Bounds(), xdraw.Src, nil)
	return img
}

// network tests an estimator on ONNX Runtime, with a Finder and alone.
func network(t *testing.T, open func(opt onnxruntime.Options, alone bool) (inference.Estimator, error)) {
	library := ortkit.Library(t)
	for name, alone := range map[string]bool{"with a Finder": false, "alone": true} {
		t.Run(name, func(t *testing.T) {
			e, err := open(onnxruntime.Options{Library: library}, alone)
			if err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, e.(io.Closer))
			inferencetest.TestEstimator(t, e, inferencetest.Pictures{Person: person()})
		})
	}
}

func TestMoveNet(t *testing.T) {
	for _, m := range []movenet.Model{lightning.Model(), thunder.Model()} {
		t.Run(m.Name, func(t *testing.T) {
			if m.Name == thunder.Model().Name {
				testkit.Thorough(t, "the larger network")
			}
			network(t, func(opt onnxruntime.Options, alone bool) (inference.Estimator, error) {
				if alone {
					return movenet.New(movenet.Options{Options: opt, Pose: m})
				}
				return movenet.New(movenet.Options{Options: opt, Pose: m, People: multipose.Model()})
			})
		})
	}
}

func TestBlazePose(t *testing.T) {
	finder, err := movenet.NewFinder(movenet.Options{Options: onnxruntime.Options{Library: ortkit.Library(t)}, People: multipose.Model()})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, finder)
	for _, m := range []blazepose.Model{lite.Model(), full.Model()} {
		t.Run(m.Name, func(t *testing.T) {
			if m.Name == full.Model().Name {
				testkit.Thorough(t, "the larger network")
			}
			network(t, func(opt onnxruntime.Options, alone bool) (inference.Estimator, error) {
				if alone {
					return blazepose.New(blazepose.Options{Options: opt, Model: m})
				}
				return blazepose.New(blazepose.Options{Options: opt, Model: m, Finder: finder})
			})
		})
	}
}

// TestPose tests the settings. The heavy network is a module of its own: full stands in for it.
func TestPose(t *testing.T) {
	testkit.Thorough(t, "runs three settings")
	library := ortkit.Library(t)
	for name, open := range map[string]func(pose.Options) (*pose.Estimator, error){
		"Fast": pose.Fast, "Balanced": pose.Balanced,
		"Accurate": func(opt pose.Options) (*pose.Estimator, error) { return pose.Accurate(opt, full.Model()) },
	} {
		t.Run(name, func(t *testing.T) {
			e, err := open(pose.Options{Options: onnxruntime.Options{Library: library}})
			if err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, e)
			inferencetest.TestEstimator(t, e, inferencetest.Pictures{Person: person()})
		})
	}
}

// standing is a Network of somebody in the fake Estimator's pictures.
type standing struct{ inferencetest.Estimator }

func (s standing) Look(ctx context.Context, img image.Image, r inference.Region) (keypoint.Frame, error) {
	atOrigin := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(atOrigin, atOrigin.Rect, img, img.Bounds().Min, draw.Src)
	return s.Estimate(ctx, atOrigin, inference.Hint{Region: r})
}

func TestEnsemble(t *testing.T) {
	network, err := ensemble.New(ensemble.Options{Finding: []inference.Network{standing{}, standing{}}})
	if err != nil {
		t.Fatal(err)
	}
	person := inferencetest.Picture(image.Pt(300, 300), image.Rect(100, 50, 200, 250))
	e := inference.TopDown{Network: network, Finder: inferencetest.Estimator{}}
	inferencetest.TestEstimator(t, e, inferencetest.Pictures{Person: person})
}
