package ort

import (
	"errors"
	"fmt"
	"os"
)

// Model is the content of an .onnx file: the path of the file, or its bytes.
type Model struct {
	Path string
	Data []byte
}

// check returns an error unless there is one of both.
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
	Type  string  // of its numbers: "float32", "float16", "uint8", "int64" and so on
	Shape []int64 // −1 for a size that is free
}

// GraphOptions say how a graph is opened.
type GraphOptions struct {
	Library  string // path of the shared library; "" looks for it, see Find
	Threads  int    // threads of one run; 0 means 1
	Provider string // one of Providers, "" for the processor
	Input    string // name of the only input, which holds float32
	Outputs  []string
}

// Output is what came out of a run: its shape, and the numbers, the last index running
// fastest. They are valid until the next run.
type Output struct {
	Shape []int
	Data  []float32
}
