package inference_test

import (
	"bytes"
	"context"
	"fmt"
	"image"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
)

// walker is a movie of five frames: somebody goes to the right, and the others stand.
func walker(others ...image.Rectangle) []byte {
	var pictures []image.Image
	for i := range 5 {
		people := append([]image.Rectangle{image.Rect(10, 10, 30, 70).Add(image.Pt(2*i, 0))}, others...)
		pictures = append(pictures, fakes.Picture(image.Pt(100, 80), people...))
	}
	return fakes.Movie(25, pictures...)
}

// Everybody in a movie, each with a track number. With pose.Balanced(pose.Options{}) and
// ffmpeg.Decoder it works the same on real movies. Package inferencetest has the fakes for tests of yours.
func ExampleExtractAll() {
	ctx := context.Background()
	frames, err := fakes.Decoder{}.Open(ctx, bytes.NewReader(walker(image.Rect(70, 10, 90, 70))))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer frames.Close()
	people, err := inference.ExtractAll(ctx, frames, fakes.Estimator{}, inference.ExtractOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range people.All {
		first, _ := p.Sequence.Frames[0].At(keypoint.Nose)
		last, _ := p.Sequence.Frames[4].At(keypoint.Nose)
		fmt.Printf("track %d: the nose moves from %v to %v\n", p.Track, first, last)
	}
	// Output:
	// track 1: the nose moves from [20 13] to [28 13]
	// track 2: the nose moves from [80 13] to [80 13]
}

// One person in a movie, frame by frame, with the times of the frames.
func ExampleExtract() {
	ctx := context.Background()
	frames, err := fakes.Decoder{}.Open(ctx, bytes.NewReader(walker()))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer frames.Close()
	seq, err := inference.Extract(ctx, frames, fakes.Estimator{}, inference.ExtractOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	nose, _ := seq.Frames[4].At(keypoint.Nose)
	fmt.Printf("%d frames; at %.2f s the nose is at %v\n", seq.Len(), seq.Times[4], nose)
	// Output: 5 frames; at 0.16 s the nose is at [28 13]
}
