// Package lightning embeds MoveNet SinglePose Lightning: the fast pose network, 192×192 pixels, 4.7 MB:
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

// Model returns the network for movenet.Options.
func Model() movenet.Model {
	return movenet.Model{Name: "lightning", ONNX: data, SHA256: sum[:64], Size: 192}
}
