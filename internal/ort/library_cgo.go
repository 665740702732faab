//go:build cgo

package ort

import (
	"errors"
	"fmt"
	"os"
	"sync"

	onnx "github.com/yalue/onnxruntime_go"
)

// library is the state of the one ONNX Runtime of the process.
var library struct {
	sync.Mutex
	sessions int
	path     string // "": loaded by other code in the process
	foreign  bool   // loaded by other code, which shuts it down
}

// acquire loads ONNX Runtime unless it is loaded, and counts one more session.
func acquire(path string) error {
	library.Lock()
	defer library.Unlock()
	if library.sessions > 0 {
		if path != "" && !library.foreign && !sameFile(path, library.path) {
			return fmt.Errorf("%w: Options.Library names %s, but the process has loaded %s, and there can be only one", ErrLibrary, path, library.path)
		}
		library.sessions++
		return nil
	}
	if onnx.IsInitialized() {
		library.sessions, library.path, library.foreign = 1, "", true
		return nil
	}
	candidates, err := Find(path)
	if err != nil {
		return err
	}
	var failures []error
	for _, c := range candidates {
		onnx.SetSharedLibraryPath(c)
		if err := onnx.InitializeEnvironment(onnx.WithLogLevelError()); err != nil {
			failures = append(failures, loadError(c, err))
			continue
		}
		library.sessions, library.path, library.foreign = 1, c, false
		return nil
	}
	return errors.Join(failures...)
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func release() error {
	library.Lock()
	defer library.Unlock()
	if library.sessions--; library.sessions > 0 || library.foreign {
		return nil
	}
	return onnx.DestroyEnvironment()
}

// Check finds and loads ONNX Runtime as OpenGraph does, and returns its version and the path of the library,
// "" if other code in the process has loaded one.
func Check(path string) (found, version string, err error) {
	if err := acquire(path); err != nil {
		return "", "", err
	}
	library.Lock()
	found = library.path
	library.Unlock()
	return found, Version(), release()
}

// load loads a model, and ONNX Runtime before the first one. The caller destroys the session and then calls release.
func load(m Model, opt GraphOptions) (_ *onnx.DynamicAdvancedSession, err error) {
	if err := acquire(opt.Library); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, release())
		}
	}()
	options, err := sessionOptions(opt.Threads, opt.Provider)
	if err != nil {
		return nil, err
	}
	defer options.Destroy()
	var s *onnx.DynamicAdvancedSession
	if m.Path != "" {
		s, err = onnx.NewDynamicAdvancedSession(m.Path, []string{opt.Input}, opt.Outputs, options)
	} else {
		s, err = onnx.NewDynamicAdvancedSessionWithONNXData(m.Data, []string{opt.Input}, opt.Outputs, options)
	}
	if err != nil {
		return nil, fmt.Errorf("onnxruntime refuses the model: %w", err)
	}
	return s, nil
}

// Version returns the version of the loaded ONNX Runtime, "": none.
func Version() string {
	library.Lock()
	defer library.Unlock()
	if !onnx.IsInitialized() {
		return ""
	}
	return onnx.GetVersion()
}
