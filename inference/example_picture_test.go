package inference_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"log"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
)

// A file that a client sends: which format it has, how large it is and when it was taken, before it is decoded.
func ExampleDecodeImage() {
	ctx := context.Background()
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 640, 480))); err != nil {
		log.Fatal(err)
	}
	r := bytes.NewReader(file.Bytes())
	format, err := inference.FormatOf(r)
	fmt.Println(format, inference.ImageFormat(file.Bytes()[:16]), err)
	size, err := inference.ProbeImage(ctx, nil, r)
	fmt.Println(size, err)
	taken, err := inference.ImageRecorded(r)
	fmt.Println(taken.IsZero(), err)

	img, err := inference.DecodeImage(ctx, nil, r, 12_000_000)
	fmt.Println(img.Bounds().Size(), err)
	_, err = inference.DecodeImage(ctx, nil, r, 1000)
	fmt.Println(err)
	// Output:
	// png png <nil>
	// (640,480) <nil>
	// true <nil>
	// (640,480) <nil>
	// too many pixels: 640×480 is not fewer than 1000 pixels
}

// Everybody in a picture.
func ExampleExtractAllImage() {
	img := fakes.Picture(image.Pt(100, 80), image.Rect(10, 10, 30, 70), image.Rect(70, 10, 90, 70))
	people, err := inference.ExtractAllImage(context.Background(), img, fakes.Estimator{}, inference.ExtractOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range people.All {
		fmt.Println(p.Sequence.Frames[0].At(keypoint.Nose))
	}
	// Output:
	// [20 13] true
	// [80 13] true
}

// Check tells what a decoder needs and does not find, such as a program.
func ExampleCheck() {
	fmt.Println(inference.Check(context.Background(), fakes.Decoder{}))
	// Output: <nil>
}
