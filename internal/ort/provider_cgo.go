//go:build cgo

package ort

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	onnx "github.com/yalue/onnxruntime_go"
)

// providers are the execution providers: the processor (the default), and hardware that ONNX Runtime may be built for.
var providers = []string{"cpu", "cuda", "coreml", "directml", "openvino"}

// sessionOptions returns the options of a session, which the caller destroys.
func sessionOptions(threads int, provider string) (_ *onnx.SessionOptions, err error) {
	if provider != "" && !slices.Contains(providers, provider) {
		return nil, fmt.Errorf("%w: %q is unknown, want one of %s", ErrProvider, provider, strings.Join(providers, ", "))
	}
	options, err := onnx.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, options.Destroy())
		}
	}()
	threads = cmp.Or(max(threads, 0), min(max(runtime.GOMAXPROCS(0)/2, 1), 4))
	if err := options.SetIntraOpNumThreads(threads); err != nil {
		return nil, err
	}
	// Threads that wait in a loop took a third of the processor time of an extraction, and others' cores.
	if err := options.AddSessionConfigEntry("session.intra_op.allow_spinning", "0"); err != nil {
		return nil, err
	}
	if provider == "" || provider == "cpu" {
		return options, nil
	}
	if err := appendProvider(options, provider); err != nil {
		return nil, fmt.Errorf("%w: %s: %w; the loaded onnxruntime has to be built for it and its drivers installed, or leave the provider empty for the processor", ErrProvider, provider, err)
	}
	return options, nil
}

func appendProvider(options *onnx.SessionOptions, provider string) error {
	switch provider {
	case "cuda":
		cuda, err := onnx.NewCUDAProviderOptions()
		if err != nil {
			return err
		}
		return errors.Join(options.AppendExecutionProviderCUDA(cuda), cuda.Destroy())
	case "coreml":
		return options.AppendExecutionProviderCoreMLV2(map[string]string{})
	case "directml":
		return options.AppendExecutionProviderDirectML(0)
	}
	return options.AppendExecutionProviderOpenVINO(map[string]string{})
}
