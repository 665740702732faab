//go:build !cgo

package ort

import "context"

// Inspect returns an error: onnxruntime needs cgo.
func Inspect(m Model, library string) (in, out []Port, err error) { return nil, nil, ErrNoCgo }

// Graph is a loaded model. Without cgo there is none.
type Graph struct{}

// OpenGraph returns an error: onnxruntime needs cgo.
func OpenGraph(m Model, opt GraphOptions) (*Graph, error) { return nil, ErrNoCgo }

// Close does nothing.
func (g *Graph) Close() error { return nil }

// Run holds the input and outputs of a run.
type Run struct{ In []float32 }

// NewRun returns an error: onnxruntime needs cgo.
func (g *Graph) NewRun(in []int64, out [][]int64) (*Run, error) { return nil, ErrNoCgo }

// Do returns an error: onnxruntime needs cgo.
func (r *Run) Do(ctx context.Context) error { return ErrNoCgo }

// Outputs returns nothing.
func (r *Run) Outputs() []Output { return nil }

// Close does nothing.
func (r *Run) Close() error { return nil }
