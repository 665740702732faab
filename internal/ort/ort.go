// Package ort owns onnxruntime. The library is global by nature, one a process: this
// package finds and loads it when the first session is opened, counts the sessions
// behind a mutex, and shuts it down with the last one.
package ort

import (
	"errors"
	"fmt"
)

// InstallCommand puts onnxruntime into the user cache, where Open finds it.
const InstallCommand = "go run github.com/bodymotion/motion/inference/movenet/install@latest"

// MinVersion is the oldest version of onnxruntime that can be used.
const MinVersion = "1.24"

// ErrLibrary is the kind of the errors that say that onnxruntime is missing or cannot
// be used.
var ErrLibrary = errors.New("onnxruntime is not usable")

// Options say how a model is opened.
type Options struct {
	Library string // path of the shared library; "" looks for it, see Find
	Threads int    // threads of one run; 0 means 1
	Input   string // name of the model's input
	Output  string // name of the model's output
}

// loadError wraps the poor words of a failed loading.
func loadError(path string, reason error) error {
	why := "it is damaged or built for another platform"
	if reason != nil && reason.Error() != "" {
		why = reason.Error()
	}
	return fmt.Errorf("%w: %s cannot be loaded (want version %s or newer for this platform): %s; to install it: %s",
		ErrLibrary, path, MinVersion, why, InstallCommand)
}
