package ort

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
)

// Binding calls ONNX Runtime: package onnxruntime_go in a build with cgo (cgo.go), our own table of functions in one
// without (purego.go), and in a browser what a program binds (web_js.go).
type Binding interface {
	Loaded() bool // by this package, or by other code in the process
	Load(path string) error
	Unload() error
	Version() string // of the loaded library
	Ports(m Model) (in, out []Port, err error)
	Open(m Model, opt GraphOptions) (Session, error)
}

// Session is a loaded model.
type Session interface {
	Tensor(shape []int64, bytes bool) (Tensor, error) // of zeros; float32 unless bytes
	RunOptions() (RunOptions, error)
	// Run fills out, and makes the tensors in it that have no value.
	Run(in Tensor, out []Tensor, opt RunOptions) error
	Destroy() error
}

// Tensor is an input or output of a run.
type Tensor struct {
	Shape []int64
	Data  any // a slice of its numbers, in row-major order; nil: of another type
	Value interface{ Destroy() error }
}

// RunOptions end a run from another goroutine.
type RunOptions interface {
	Terminate() error
	UnsetTerminate() error // before the next run
	Destroy() error
}

// elementTypes are the names of ONNX Runtime's types of numbers.
var elementTypes = []string{
	"undefined", "float32", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool", "float16", "float64", "uint32", "uint64",
	"complex64", "complex128", "bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "uint4", "int4", "unknown",
}

// typeName returns the name of a type by its number.
func typeName(number int) string { return elementTypes[min(number, len(elementTypes)-1)] }

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
