package onnx_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log"
	"os"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnx"
	"github.com/bodymotion/motion/keypoint"
)

// RTMPose finds the keypoints and RTMDet the people; both are the user's files.
func Example() {
	pose, err := onnx.ParseDescriptor([]byte(`{
		"input": {
			"width": 192, "height": 256,
			"mean": [123.675, 116.28, 103.53], "scale": [58.395, 57.12, 57.375]
		},
		"decode": {"kind": "simcc"},
		"parts": "coco17"
	}`))
	if err != nil {
		log.Fatal(err)
	}
	people, err := onnx.ParseDescriptor([]byte(`{
		"input": {
			"width": 640, "height": 640, "channels": "bgr",
			"mean": [103.53, 116.28, 123.675], "scale": [57.375, 57.12, 58.395]
		},
		"decode": {"kind": "boxes"}
	}`))
	if err != nil {
		log.Fatal(err)
	}

	detector, err := onnx.NewDetector(onnx.DetectorOptions{Model: onnx.Model{Path: "rtmdet.onnx", Descriptor: people}})
	if err != nil {
		log.Fatal(err)
	}
	defer detector.Close()
	est, err := onnx.New(onnx.Options{Pose: onnx.Model{Path: "rtmpose.onnx", Descriptor: pose}, Finder: detector})
	if err != nil {
		log.Fatal(err)
	}
	defer est.Close()

	file, err := os.Open("picture.jpg")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	img, _, err := image.Decode(file)
	if err != nil {
		log.Fatal(err)
	}
	frame, err := est.Estimate(context.Background(), img, inference.Hint{})
	if err != nil {
		log.Fatal(err)
	}
	if p, ok := frame.At(keypoint.LeftWrist); ok {
		fmt.Printf("the left wrist is at (%.0f, %.0f)\n", p[0], p[1])
	}
}

// An invalid descriptor is refused with all mistakes and their places.
func ExampleParseDescriptor() {
	_, err := onnx.ParseDescriptor([]byte(`{
		"input": {"width": 192, "height": 256, "scale": [0.017, 0.018, 0.017]},
		"decode": {"kind": "simcc", "splitRatio": 2, "overlap": 0.5},
		"parts": "coco18"
	}`))
	var mistakes keypoint.FieldErrors
	if errors.As(err, &mistakes) {
		for _, m := range mistakes {
			fmt.Println(m.Pointer)
		}
	}
	// Output:
	// /input/scale/0
	// /input/scale/1
	// /input/scale/2
	// /decode/overlap
	// /parts
}
