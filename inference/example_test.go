package inference_test

import (
	"context"
	"fmt"
	"image"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// centred is an Estimator that finds a nose in the middle of every picture.
type centred struct{}

func (centred) Estimate(_ context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	var f keypoint.Frame
	size := img.Bounds().Size()
	f.Set(keypoint.Nose, keypoint.Point{float64(size.X) / 2, float64(size.Y) / 2}, 0.9)
	return f, nil
}

// Any network is an Estimator that turns a picture into a frame.
func ExampleExtractImage() {
	seq, err := inference.ExtractImage(context.Background(), image.NewGray(image.Rect(0, 0, 640, 480)), centred{}, inference.ExtractOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	nose, ok := seq.Frames[0].At(keypoint.Nose)
	fmt.Println(nose, ok)
	// Output: [320 240] true
}
