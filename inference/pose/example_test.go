package pose_test

import (
	"context"
	"fmt"
	"log"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
)

func TestMain(m *testing.M) { ortkit.Main(m) }

func Example() {
	est, err := pose.Balanced(pose.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer est.Close()
	frame, err := est.Estimate(context.Background(), sample.Image(), inference.Hint{})
	if err != nil {
		log.Fatal(err)
	}
	body := frame.Only(keypoint.Body)
	fmt.Println(body.Len())
	// Output: 17
}

// For a camera, or a machine without much power.
func ExampleFast() {
	est, err := pose.Fast(pose.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer est.Close()
	frame, err := est.Estimate(context.Background(), sample.Image(), inference.Hint{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(frame.Has(keypoint.LeftWrist))
	// Output: true
}
