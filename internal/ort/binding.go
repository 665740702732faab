package ort

// binding calls ONNX Runtime: package onnxruntime_go in a build with cgo (cgo.go), our own table of functions in one
// without (purego.go).
type binding interface {
	loaded() bool // by this package, or by other code in the process
	load(path string) error
	unload() error
	version() string // of the loaded library
	ports(m Model) (in, out []Port, err error)
	open(m Model, opt GraphOptions) (session, error)
}

// session is a loaded model.
type session interface {
	tensor(shape []int64, bytes bool) (tensor, error) // of zeros; float32 unless bytes
	runOptions() (runOptions, error)
	// run fills out, and makes the tensors in it that have no value.
	run(in tensor, out []tensor, opt runOptions) error
	Destroy() error
}

// tensor is an input or output of a run.
type tensor struct {
	shape []int64
	data  any // a slice of its numbers, in row-major order; nil: of another type
	value interface{ Destroy() error }
}

// runOptions end a run from another goroutine.
type runOptions interface {
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
