// Package lite embeds BlazePose GHUM Lite, 2.7 MB, the fast network:
//
//	est, err := blazepose.New(blazepose.Options{Model: lite.Model(), Finder: finder})
//
// A program contains the network only if it imports this package.
package lite

import (
	_ "embed"

	"github.com/bodymotion/motion/inference/blazepose"
)

//go:embed lite.onnx
var data []byte

//go:embed lite.onnx.sha256
var sum string

// Model returns the network for blazepose.Options.
func Model() blazepose.Model {
	return blazepose.Model{Name: "lite", ONNX: data, SHA256: sum[:64]}
}
