// Package multipose embeds MoveNet MultiPose Lightning: the network that finds up to six people in a
// picture, 9.5 MB.
//
// A program carries the network only when it imports this package.
package multipose

import (
	_ "embed"

	"github.com/bodymotion/motion/inference/movenet"
)

//go:embed multipose.onnx
var data []byte

//go:embed multipose.onnx.sha256
var sum string

// Model returns the network, ready for movenet.Options.
func Model() movenet.Model {
	return movenet.Model{Name: "multipose", ONNX: data, SHA256: sum[:64]}
}
