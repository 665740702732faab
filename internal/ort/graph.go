package ort

import (
	"errors"
	"fmt"
	"os"
)

// Model is an .onnx file: its path, or its bytes.
type Model struct {
	Path string
	Data []byte
}

// check returns an error unless exactly one of both is set.
func (m Model) check() error {
	switch {
	case m.Path == "" && len(m.Data) == 0:
		return errors.New("there is no model: want a path or the bytes of an .onnx file")
	case m.Path != "" && len(m.Data) > 0:
		return fmt.Errorf("there are two models, the file %s and %d bytes: want one of both", m.Path, len(m.Data))
	case m.Path != "":
		if _, err := os.Stat(m.Path); err != nil {
			return fmt.Errorf("the model cannot be read: %w", err)
		}
	}
	return nil
}

// Port is an input or output of a graph.
type Port struct {
	Name  string
	Type  string  // "float32", "float16", "uint8", "int64" and so on
	Shape []int64 // −1: any size
}

// GraphOptions are the options of OpenGraph.
type GraphOptions struct {
	Library  string // path of the shared library; "": see Find
	Threads  int    // per run; default 1
	Provider string // default the processor
	Input    string // name of the only input
	Bytes    bool   // the input is uint8; else float32
	Outputs  []string
}

// Output is an output of a run, valid until the next one: the shape and the numbers in row-major
// order.
type Output struct {
	Shape []int
	Data  []float32
}
