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

// Model returns the network for movenet.Options.
func Model() movenet.Model {
	return movenet.Model{Name: "thunder", ONNX: data, SHA256: sum[:64], Size: 256}
}
