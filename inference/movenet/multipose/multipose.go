// Package multipose embeds MoveNet MultiPose Lightning, 9.5 MB, the network that finds up to six people in a picture:
//
//	est, err := movenet.New(movenet.Options{People: multipose.Model(), Pose: thunder.Model()})
//
// A program contains the network only if it imports this package.
package multipose

import (
	_ "embed"

	"github.com/bodymotion/motion/inference/movenet"
)

//go:embed multipose.onnx
var data []byte

//go:embed multipose.onnx.sha256
var sum string

// Model returns the network for movenet.Options.
func Model() movenet.Model {
	return movenet.Model{Name: "multipose", ONNX: data, SHA256: sum[:64]}
}
