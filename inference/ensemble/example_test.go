package ensemble_test

import (
	"context"
	"fmt"
	"image"
	"log"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ensemble"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
)

// Three looks at a person, of which one has a wrist far away. Package inferencetest has the fakes for tests of yours.
func Example() {
	person := image.Rect(100, 50, 200, 250)
	stray := fakes.Body(person)
	stray.Set(keypoint.LeftWrist, keypoint.Point{20, 20}, 0.9)
	network, err := ensemble.New(ensemble.Options{
		Finding: []inference.Network{standing{}, look{frame: stray}, standing{}},
	})
	if err != nil {
		log.Fatal(err)
	}
	est := inference.TopDown{Network: network, Finder: fakes.Estimator{}}
	frame, err := est.Estimate(context.Background(), fakes.Picture(image.Pt(300, 300), person), inference.Hint{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(frame.At(keypoint.LeftWrist))
	// Output: [200 150] true
}
