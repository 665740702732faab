//go:build cgo

package ort

import (
	"errors"
	"fmt"
	"os"
	"sync"

	onnx "github.com/yalue/onnxruntime_go"
)

// The state of the one onnxruntime of the process.
var library struct {
	sync.Mutex
	sessions int
	path     string // "" when somebody else in the process has loaded it
	foreign  bool   // loaded by somebody else, who shuts it down
}

// acquire loads onnxruntime unless it is loaded, and counts one session more.
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

// Check finds and loads onnxruntime as Open does, and returns the path of the library
// that can be used, "" when somebody else in the process has loaded one.
func Check(path string) (string, error) {
	if err := acquire(path); err != nil {
		return "", err
	}
	library.Lock()
	found := library.path
	library.Unlock()
	return found, release()
}

// Session is a loaded model with one input of bytes and one output of float32. It
// may be used from many goroutines at once.
type Session struct {
	session *onnx.DynamicAdvancedSession
	close   sync.Once
}

// Open loads a model, and onnxruntime before the first one. The caller closes the
// session.
func Open(model []byte, opt Options) (*Session, error) {
	s, err := load(Model{Data: model}, GraphOptions{opt.Library, opt.Threads, opt.Provider, opt.Input, []string{opt.Output}})
	if err != nil {
		return nil, err
	}
	return &Session{session: s}, nil
}

// load loads a model, and onnxruntime before the first one: whoever destroys what it
// returns calls release then.
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

// Version returns the version of the loaded onnxruntime, "" when none is loaded.
func Version() string {
	library.Lock()
	defer library.Unlock()
	if !onnx.IsInitialized() {
		return ""
	}
	return onnx.GetVersion()
}

// Close frees the model. It must not be called while a Buffer of it is running.
func (s *Session) Close() (err error) {
	s.close.Do(func() { err = errors.Join(s.session.Destroy(), release()) })
	return err
}

// Buffer holds the input and output of a run. It may be used by one goroutine at a
// time.
type Buffer struct {
	In      []byte
	Out     []float32
	session *Session
	in      *onnx.Tensor[uint8]
	out     *onnx.Tensor[float32]
}

// NewBuffer returns a Buffer for an input and output of the given shapes. The caller
// closes it.
func (s *Session) NewBuffer(in, out []int64) (*Buffer, error) {
	b := &Buffer{session: s}
	var err error
	if b.in, err = onnx.NewEmptyTensor[uint8](onnx.NewShape(in...)); err != nil {
		return nil, err
	}
	if b.out, err = onnx.NewEmptyTensor[float32](onnx.NewShape(out...)); err != nil {
		return nil, errors.Join(err, b.in.Destroy())
	}
	b.In, b.Out = b.in.GetData(), b.out.GetData()
	return b, nil
}

// Run computes Out from In.
func (b *Buffer) Run() error {
	return b.session.session.Run([]onnx.Value{b.in}, []onnx.Value{b.out})
}

// Close frees the buffer.
func (b *Buffer) Close() error { return errors.Join(b.in.Destroy(), b.out.Destroy()) }
