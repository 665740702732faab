package ort

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Providers are the names of what can run a network: the processor (the default), and the
// hardware that onnxruntime reaches where it is built for it.
var Providers = []string{"cpu", "cuda", "coreml", "directml", "openvino"}

// ErrProvider is the kind of the error of a provider that there is none of here.
var ErrProvider = errors.New("the execution provider is not usable")

func checkProvider(name string) error {
	if name == "" || slices.Contains(Providers, name) {
		return nil
	}
	return fmt.Errorf("%w: %q is none of %s", ErrProvider, name, strings.Join(Providers, ", "))
}

func providerError(name string, reason error) error {
	return fmt.Errorf("%w: %s: %w; the loaded onnxruntime has to be built for it and its drivers installed, or leave the provider empty for the processor", ErrProvider, name, reason)
}
