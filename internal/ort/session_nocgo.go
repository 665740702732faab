//go:build !cgo

package ort

// Session is a loaded model. Without cgo there is none.
type Session struct{}

// Open returns an error: onnxruntime needs cgo.
func Open(model []byte, opt Options) (*Session, error) { return nil, ErrNoCgo }

// Check returns an error: onnxruntime needs cgo.
func Check(path string) (string, error) { return "", ErrNoCgo }

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
func (s *Session) NewBuffer(in, out []int64) (*Buffer, error) { return nil, ErrNoCgo }

// Run returns an error: onnxruntime needs cgo.
func (b *Buffer) Run() error { return ErrNoCgo }

// Close does nothing.
func (b *Buffer) Close() error { return nil }
