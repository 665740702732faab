//go:build !cgo

package ort

import "fmt"

var errNoCgo = fmt.Errorf("%w: this program was built without cgo; build it with CGO_ENABLED=1 and a C compiler", ErrLibrary)

// Session is a loaded model. Without cgo there is none.
type Session struct{}

// Open returns an error: onnxruntime needs cgo.
func Open(model []byte, opt Options) (*Session, error) { return nil, errNoCgo }

// Version returns "": no onnxruntime is loaded.
func Version() string { return "" }

// Close does nothing.
func (s *Session) Close() error { return nil }

// Buffer holds the input and output of a run.
type Buffer struct {
	In  []byte
	Out []float32
}

// NewBuffer returns an error: onnxruntime needs cgo.
func (s *Session) NewBuffer(in, out []int64) (*Buffer, error) { return nil, errNoCgo }

// Run returns an error: onnxruntime needs cgo.
func (b *Buffer) Run() error { return errNoCgo }

// Close does nothing.
func (b *Buffer) Close() error { return nil }
