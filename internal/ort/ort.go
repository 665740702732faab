// Package ort owns ONNX Runtime, of which a process can load only one. It finds and loads the library when the first
// graph is opened, counts the graphs behind a mutex, and shuts the library down with the last one.
package ort

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// InstallCommand installs ONNX Runtime into the user cache, where OpenGraph finds it. A program that
// needs it requires this module, so that the command runs the required version.
const InstallCommand = "go run github.com/bodymotion/motion/inference/onnxruntime/install"

// MinVersion is the oldest supported version of ONNX Runtime.
const MinVersion = "1.24"

// ErrLibrary reports that ONNX Runtime is missing or unusable.
var ErrLibrary = errors.New("onnxruntime is not usable")

// ErrNoCgo is the ErrLibrary of a program built without cgo for a platform that needs it.
var ErrNoCgo = fmt.Errorf("%w: this program was built without cgo, which %s/%s needs; build it with CGO_ENABLED=1 and a C compiler", ErrLibrary, runtime.GOOS, runtime.GOARCH)

// ErrProvider reports an execution provider that cannot be used.
var ErrProvider = errors.New("the execution provider is not usable")

// providerError says what a provider needs.
func providerError(provider string, reason error) error {
	return fmt.Errorf("%w: %s: %w; the loaded onnxruntime has to be built for it and its drivers installed, or leave the provider empty for the processor", ErrProvider, provider, reason)
}

// modelError says that ONNX Runtime refuses a model.
func modelError(reason error) error { return fmt.Errorf("onnxruntime refuses the model: %w", reason) }

// loadError explains why a library cannot be loaded.
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
