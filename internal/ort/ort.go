// Package ort owns onnxruntime. The library is global by nature, one a process: this
// package finds and loads it when the first session is opened, counts the sessions
// behind a mutex, and shuts it down with the last one.
package ort

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// InstallCommand puts onnxruntime into the user cache, where Open finds it.
const InstallCommand = "go run github.com/bodymotion/motion/inference/movenet/install@latest"

// MinVersion is the oldest version of onnxruntime that can be used.
const MinVersion = "1.24"

// ErrLibrary is the kind of the errors that say that onnxruntime is missing or cannot
// be used.
var ErrLibrary = errors.New("onnxruntime is not usable")

// ErrNoCgo is the error of a program that was built without cgo; it is an ErrLibrary.
var ErrNoCgo = fmt.Errorf("%w: this program was built without cgo; build it with CGO_ENABLED=1 and a C compiler", ErrLibrary)

// Options say how a model is opened.
type Options struct {
	Library string // path of the shared library; "" looks for it, see Find
	Threads int    // threads of one run; 0 means 1
	// Provider is one of Providers, "" for the processor.
	Provider string
	Input    string // name of the model's input
	Output   string // name of the model's output
}

// loadError wraps the poor words of a failed loading.
func loadError(path string, reason error) error {
	why := fault(path)
	if why == "" {
		switch text := reason.Error(); {
		case strings.Contains(text, "API base"):
			why = "it is older"
		case strings.Contains(text, "OrtGetApiBase"):
			why = "it is another library"
		default:
			why = text
		}
	}
	return fmt.Errorf("%w: %s cannot be loaded (wanted: version %s or newer, for %s/%s): %s; to install one that fits: %s",
		ErrLibrary, path, MinVersion, runtime.GOOS, runtime.GOARCH, why, InstallCommand)
}
