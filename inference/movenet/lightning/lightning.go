// Package lightning embeds MoveNet SinglePose Lightning: the fast pose network, 192×192
// pixels, 4.7 MB:
//
//	est, err := movenet.New(movenet.Options{Pose: lightning.Model(), People: multipose.Model()})
//
// A program contains the network only if it imports this package.
package lightning

import (
	_ "embed"

	"github.com/bodymotion/motion/inference/movenet"
)

//go:embed lightning.onnx
var data []byte

//go:embed lightning.onnx.sha256
var sum string

// calibration was learnt on the labelled people of every second picture of COCO, LSP extended, PFG and
// smaller sets, 2,044 parts; on those of the other pictures, 2,079 parts, the expected calibration
// error is .030, and .200 without it. internal/lab/calibrate prints the table and these errors.
var calibration = movenet.Calibration{
	{Slope: 1.139, Offset: 1.487}, // nose
	{Slope: 1.234, Offset: 1.474}, // eyes
	{Slope: 1.231, Offset: 1.546}, // ears
	{Slope: 1.221, Offset: 1.345}, // shoulders
	{Slope: 1.089, Offset: 1.567}, // elbows
	{Slope: 1.218, Offset: 1.560}, // wrists
	{Slope: 0.763, Offset: 0.744}, // hips
	{Slope: 1.168, Offset: 1.118}, // knees
	{Slope: 1.108, Offset: 1.166}, // ankles
}

// Model returns the network for movenet.Options.
func Model() movenet.Model {
	return movenet.Model{Name: "lightning", ONNX: data, SHA256: sum[:64], Calibration: calibration, Size: 192}
}
