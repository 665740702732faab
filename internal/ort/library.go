package ort

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
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
	if bound == nil {
		return ErrNoCgo
	}
	library.Lock()
	defer library.Unlock()
	if library.sessions > 0 {
		if path != "" && !library.foreign && !sameFile(path, library.path) {
			return fmt.Errorf("%w: Options.Library names %s, but the process has loaded %s, and there can be only one", ErrLibrary, path, library.path)
		}
		library.sessions++
		return nil
	}
	if bound.Loaded() {
		library.sessions, library.path, library.foreign = 1, "", true
		return nil
	}
	candidates, err := Find(path)
	if err != nil {
		return err
	}
	var failures []error
	for _, c := range candidates {
		if err := bound.Load(c); err != nil {
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
	return bound.Unload()
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

// providers are the execution providers: the processor (the default), and hardware that ONNX Runtime may be built for.
var providers = []string{"cpu", "cuda", "coreml", "directml", "openvino"}

// spinning is the setting of the threads of a session. Threads that wait in a loop took a third of the processor time of
// an extraction, and others' cores.
const spinning = "session.intra_op.allow_spinning"

// load loads a model, and ONNX Runtime before the first one. The caller destroys the session and then calls release.
func load(m Model, opt GraphOptions) (Session, error) {
	if err := acquire(opt.Library); err != nil {
		return nil, err
	}
	if opt.Provider != "" && !slices.Contains(providers, opt.Provider) {
		err := fmt.Errorf("%w: %q is unknown, want one of %s", ErrProvider, opt.Provider, strings.Join(providers, ", "))
		return nil, errors.Join(err, release())
	}
	opt.Threads = cmp.Or(max(opt.Threads, 0), min(max(runtime.GOMAXPROCS(0)/2, 1), 4))
	s, err := bound.Open(m, opt)
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return s, nil
}

// Version returns the version of the loaded ONNX Runtime, "": none.
func Version() string {
	library.Lock()
	defer library.Unlock()
	if bound == nil || !bound.Loaded() {
		return ""
	}
	return bound.Version()
}
