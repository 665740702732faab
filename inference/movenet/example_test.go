package movenet_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/movenettest"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

func TestMain(m *testing.M) { movenettest.Main(m) }

// An Estimator finds the person in a picture. It needs ONNX Runtime:
//
//	go run github.com/bodymotion/motion/inference/movenet/install
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

// A Session runs a network alone, on bytes that the caller prepares.
func ExampleNewSession() {
	session, err := movenet.NewSession(lightning.Model(), movenet.Options{Threads: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	err = session.Run(192, 192, func(rgb []byte) {
		clear(rgb) // a black picture
	}, func(out []float32) {
		best := float32(0)
		for part := range keypoint.NumBody {
			best = max(best, out[3*part+2]) // y, x, score
		}
		fmt.Println(len(out), "numbers; somebody in the dark:", best > 0.5)
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: 51 numbers; somebody in the dark: false
}
