// Package onnxruntime says how the networks of packages movenet, blazepose, onnx and pose run, and
// installs what runs them, the shared library of ONNX Runtime, into the user cache:
//
//	est, err := pose.Balanced(opt)
//	if errors.Is(err, onnxruntime.ErrLibrary) {
//		opt.Library, err = onnxruntime.Install(ctx, nil)
//		...
//	}
//
// Installing needs only the Go toolchain: the library is part of a Go module, which the Go checksum database verifies, and is
// checked by its SHA-256. Nothing in this module installs it unasked. The command inference/onnxruntime/install does.
package onnxruntime

import "github.com/bodymotion/motion/internal/ort"

// Options say how a network runs. All fields are optional.
type Options struct {
	// Library is the path of ONNX Runtime, version 1.24 or newer. Default: the path in $ONNXRUNTIME_LIB, else the library in
	// the program (package offline), beside the executable, in the system's library path, or where inference/onnxruntime/install puts it.
	Library string
	// Threads is the number of threads per estimate; default GOMAXPROCS/2, 1 to 4, for the two estimates that
	// inference.Extract runs at once. With more estimates at once, 1 gives the highest throughput.
	Threads int
	// Provider is the execution provider: "cpu" (the default), "cuda", "coreml", "directml" or "openvino". One that
	// this ONNX Runtime was built without, or that finds no hardware, gives an error that wraps ErrProvider.
	Provider string
}

var (
	// ErrLibrary reports that ONNX Runtime is missing or unusable. The error says how to install it.
	ErrLibrary = ort.ErrLibrary
	// ErrProvider reports that Options.Provider cannot be used.
	ErrProvider = ort.ErrProvider
)
