package ort

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
)

// Model is an .onnx file: its path, or its bytes.
type Model struct {
	Path   string
	Data   []byte
	SHA256 string // of Data, hexadecimal; "": not checked
}

// check returns an error unless exactly one of Path and Data is set, and undamaged.
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
	if sum := sha256.Sum256(m.Data); m.SHA256 != "" && hex.EncodeToString(sum[:]) != m.SHA256 {
		return fmt.Errorf("the model is damaged: its SHA-256 is %x, want %s", sum, m.SHA256)
	}
	return nil
}

// Port is an input or output of a graph.
type Port struct {
	Name  string
	Type  string  // "float32", "float16", "uint8", "int64" and so on
	Shape []int64 // −1: any size
}

// Options are those of package inference/onnxruntime, which documents them.
type Options struct {
	Library  string
	Threads  int
	Provider string
}

// GraphOptions are the options of OpenGraph.
type GraphOptions struct {
	Options
	Input   string // name of the only input
	Bytes   bool   // the input is uint8; else float32
	Outputs []string
}

// Output is an output of a run, valid until the next one: the shape and the numbers in row-major order.
type Output struct {
	Shape []int
	Data  []float32
}
