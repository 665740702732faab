package formats_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image"
	"log"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// Keypoints of another program are refused when they cannot be pixels, as those of MediaPipe, which go from 0 to 1.
func ExampleCheck() {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 1), Size: image.Pt(640, 480)}
	for p := range keypoint.Part(keypoint.NumBody) {
		seq.Frames[0].Set(p, keypoint.Point{0.5, float64(p) / 20}, 1)
	}
	fmt.Println(formats.Check(seq))
	fmt.Println(formats.Names())
	// Output:
	// all parts are within 4 pixels of the corner in 1 of 1 frames: they look normalised, want pixels
	// [c3d coco csv json jsonl mediapipe openpose trc]
}

// OpenPose's folder of files, as one archive.
func ExampleWrite_openPose() {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, 0.04}, Size: image.Pt(640, 480)}
	var file bytes.Buffer
	if err := formats.Write(&file, "openpose", seq); err != nil {
		log.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range archive.File {
		fmt.Println(f.Name)
	}
	// Output:
	// keypoints_000000000000_keypoints.json
	// keypoints_000000000001_keypoints.json
}
