// Package ort owns ONNX Runtime, of which a process can load only one. It finds and loads the library when the first
// graph is opened, counts the graphs behind a mutex, and shuts the library down with the last one.
package ort

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// InstallCommand installs ONNX Runtime into the user cache, where OpenGraph finds it. It runs in any folder.
const InstallCommand = "go run github.com/bodymotion/motion/inference/onnxruntime/install@latest"

// MinVersion is the oldest supported version of ONNX Runtime.
const MinVersion = "1.24"

// Platform is that of this program.
const Platform = runtime.GOOS + "/" + runtime.GOARCH

// ErrLibrary reports that ONNX Runtime is missing or unusable.
var ErrLibrary = errors.New("onnxruntime is not usable")

// LibraryError is an ErrLibrary with what is wrong, and apart from it what to do.
type LibraryError struct{ Problem, Remedy string }

func (e *LibraryError) Error() string { return ErrLibrary.Error() + ": " + e.Problem + "; " + e.Remedy }
func (e *LibraryError) Unwrap() error { return ErrLibrary }

// ErrNoCgo is the LibraryError of a program built without cgo for a platform that needs it.
var ErrNoCgo error = &LibraryError{"this program was built without cgo, which " + Platform + " needs", "build it with CGO_ENABLED=1 and a C compiler"}

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
	problem := fmt.Sprintf("%s cannot be loaded (wanted: version %s or newer, for %s): %s", path, MinVersion, Platform, why)
	return &LibraryError{problem, "to install one that fits: " + InstallCommand}
}
