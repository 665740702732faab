// Package full embeds BlazePose GHUM Full, 6.4 MB, the exact network:
//
//	est, err := blazepose.New(blazepose.Options{Model: full.Model(), Finder: finder})
//
// A program contains the network only if it imports this package.
package full

import (
	_ "embed"

	"github.com/bodymotion/motion/inference/blazepose"
)

//go:embed full.onnx
var data []byte

//go:embed full.onnx.sha256
var sum string

// Model returns the network for blazepose.Options.
func Model() blazepose.Model {
	return blazepose.Model{Name: "full", ONNX: data, SHA256: sum[:64]}
}
