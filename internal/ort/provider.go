package ort

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// providers are the execution providers: the processor (the default), and hardware that ONNX
// Runtime may be built for.
var providers = []string{"cpu", "cuda", "coreml", "directml", "openvino"}

// ErrProvider reports an execution provider that cannot be used.
var ErrProvider = errors.New("the execution provider is not usable")

func checkProvider(name string) error {
	if name == "" || slices.Contains(providers, name) {
		return nil
	}
	return fmt.Errorf("%w: %q is none of %s", ErrProvider, name, strings.Join(providers, ", "))
}

func providerError(name string, reason error) error {
	return fmt.Errorf("%w: %s: %w; the loaded onnxruntime has to be built for it and its drivers installed, or leave the provider empty for the processor", ErrProvider, name, reason)
}
