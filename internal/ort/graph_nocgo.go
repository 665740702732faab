//go:build !cgo

package ort

import "context"

// Without cgo there is no ONNX Runtime: every function returns ErrNoCgo.

func Inspect(Model, string) (in, out []Port, err error) { return nil, nil, ErrNoCgo }
func Check(string) (path, version string, err error)    { return "", "", ErrNoCgo }
func Version() string                                   { return "" }

// Graph is a loaded model.
type Graph struct{}

func OpenGraph(Model, GraphOptions) (*Graph, error)           { return nil, ErrNoCgo }
func (*Graph) Close() error                                   { return nil }
func (*Graph) Use([]int64, [][]int64, func(*Run) error) error { return ErrNoCgo }

// Run holds the input and outputs of a run.
type Run struct {
	In    []float32
	Bytes []byte
}

func (*Run) Do(context.Context) error { return ErrNoCgo }
func (*Run) Outputs() []Output        { return nil }
