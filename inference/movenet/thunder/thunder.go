// Package thunder embeds MoveNet SinglePose Thunder: the exact pose network, 256×256 pixels, 12.5 MB:
//
//	est, err := movenet.New(movenet.Options{Pose: thunder.Model(), People: multipose.Model()})
//
// A program contains the network only if it imports this package.
package thunder

import (
	_ "embed"

	"github.com/bodymotion/motion/inference/movenet"
)

//go:embed thunder.onnx
var data []byte

//go:embed thunder.onnx.sha256
var sum string

// calibration was learnt on the labelled people of every second picture of COCO, LSP extended, PFG and
// smaller sets, 2,044 parts; on those of the other pictures, 2,079 parts, the expected calibration
// error is .023, and .208 without it. internal/lab/calibrate prints the table and these errors.
var calibration = movenet.Calibration{
	{Slope: 1.010, Offset: 1.485}, // nose
	{Slope: 1.036, Offset: 1.503}, // eyes
	{Slope: 1.070, Offset: 1.575}, // ears
	{Slope: 0.986, Offset: 1.425}, // shoulders
	{Slope: 1.101, Offset: 1.486}, // elbows
	{Slope: 0.945, Offset: 1.473}, // wrists
	{Slope: 0.727, Offset: 0.691}, // hips
	{Slope: 0.964, Offset: 1.300}, // knees
	{Slope: 0.843, Offset: 1.139}, // ankles
}

// Model returns the network for movenet.Options.
func Model() movenet.Model {
	return movenet.Model{Name: "thunder", ONNX: data, SHA256: sum[:64], Calibration: calibration, Size: 256}
}
