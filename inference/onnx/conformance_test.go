package onnx_test

import (
	"image"
	"testing"

	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/inference/onnx"
	"github.com/bodymotion/motion/keypoint"
)

// TestConformance runs the suite on networks that estimate crops, with and without a detector, and
// on one that finds everybody.
func TestConformance(t *testing.T) {
	person := paint(image.Rect(0, 0, 320, 320), body(keypoint.Point{168, 140}, 50)...)
	detector := newDetector(t, onnx.Model{ONNX: boxes(160, 160), Descriptor: descriptor(onnx.Boxes, 160, 160)})
	inferencetest.TestFinder(t, detector, inferencetest.Pictures{Person: person})
	for name, c := range map[string]struct {
		opt    onnx.Options
		person image.Image
	}{
		"alone":    {onnx.Options{Pose: simccModel()}, paint(image.Rect(0, 0, 400, 300), body(keypoint.Point{200, 150}, 80)...)},
		"detector": {onnx.Options{Pose: simccModel(), Finder: detector}, person},
		"yolopose": {onnx.Options{Pose: onnx.Model{ONNX: yolopose(160, 160), Descriptor: descriptor(onnx.YOLOPose, 160, 160)}},
			paint(image.Rect(0, 0, 320, 128), blob{keypoint.Point{168, 72}, 4, red})},
	} {
		t.Run(name, func(t *testing.T) {
			inferencetest.TestEstimator(t, newEstimator(t, c.opt), inferencetest.Pictures{Person: c.person})
		})
	}
}
