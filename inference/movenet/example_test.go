package movenet_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ensemble"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

func TestMain(m *testing.M) { ortkit.Main(m) }

// An Estimator finds the person in a picture. It needs ONNX Runtime:
//
//	go run github.com/bodymotion/motion/inference/onnxruntime/install
func Example() {
	est, err := movenet.New(movenet.Options{Pose: thunder.Model(), People: multipose.Model()})
	if err != nil {
		log.Fatal(err)
	}
	defer est.Close()

	frame, err := est.Estimate(context.Background(), sample.Image(), inference.Hint{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(frame.Len(), "parts")
	for _, part := range []keypoint.Part{keypoint.RightWrist, keypoint.LeftAnkle} {
		if p, ok := frame.At(part); ok {
			fmt.Printf("%v: about (%.0f, %.0f)\n", part, math.Round(p[0]/100)*100, math.Round(p[1]/100)*100)
		}
	}
	// Output:
	// 17 parts
	// rightWrist: about (300, 500)
	// leftAnkle: about (700, 1100)
}

// Two looks at each person, one of them at the mirror image, whose errors differ.
func ExampleEstimator_Mirrored() {
	est, err := movenet.New(movenet.Options{Pose: lightning.Model(), People: multipose.Model()})
	if err != nil {
		log.Fatal(err)
	}
	defer est.Close()
	network, err := ensemble.New(ensemble.Options{Finding: []inference.Network{est.Network, est.Mirrored()}})
	if err != nil {
		log.Fatal(err)
	}
	both := inference.TopDown{Network: network, Finder: est.Finder}
	frame, err := both.Estimate(context.Background(), sample.Image(), inference.Hint{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(frame.Has(keypoint.LeftWrist))
	// Output: true
}
