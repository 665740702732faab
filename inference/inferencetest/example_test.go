package inferencetest_test

import (
	"bytes"
	"context"
	"fmt"
	"image"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/keypoint"
)

// Somebody walks to the right, 5 pixels a frame.
func Example() {
	var pictures []image.Image
	for i := range 3 {
		pictures = append(pictures, inferencetest.Picture(image.Pt(100, 80), image.Rect(20, 10, 40, 70).Add(image.Pt(5*i, 0))))
	}
	ctx := context.Background()
	frames, err := inferencetest.Decoder{}.Open(ctx, bytes.NewReader(inferencetest.Movie(25, pictures...)))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer frames.Close()
	seq, err := inference.Extract(ctx, frames, inferencetest.Estimator{}, inference.ExtractOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range seq.Frames {
		nose, _ := seq.Frames[i].At(keypoint.Nose)
		fmt.Printf("%.2f s: the nose is at %v\n", seq.Times[i], nose)
	}
	// Output:
	// 0.00 s: the nose is at [30 13]
	// 0.04 s: the nose is at [35 13]
	// 0.08 s: the nose is at [40 13]
}
