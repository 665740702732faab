// Package heavy embeds BlazePose GHUM Heavy, 28 MB, the most exact and slowest network. It is a Go module of its own:
//
//	go get github.com/bodymotion/motion@latest github.com/bodymotion/motion/inference/blazepose/heavy@latest
//
// and then:
//
//	est, err := blazepose.New(blazepose.Options{Model: heavy.Model(), Finder: finder})
package heavy

import (
	_ "embed"

	"github.com/bodymotion/motion/inference/blazepose"
)

//go:embed heavy.onnx
var data []byte

//go:embed heavy.onnx.sha256
var sum string

// Model returns the network for blazepose.Options.
func Model() blazepose.Model {
	return blazepose.Model{Name: "heavy", ONNX: data, SHA256: sum[:64]}
}
