//go:build cgo

package ort

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	onnx "github.com/yalue/onnxruntime_go"
)

// Inspect loads a model, returns its inputs and outputs, and frees it.
func Inspect(m Model, library string) (in, out []Port, err error) {
	if err := m.check(); err != nil {
		return nil, nil, err
	}
	if err := acquire(library); err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
	options, err := onnx.NewSessionOptions()
	if err != nil {
		return nil, nil, err
	}
	defer options.Destroy()
	var ins, outs []onnx.InputOutputInfo
	if m.Path != "" {
		ins, outs, err = onnx.GetInputOutputInfoWithOptions(m.Path, options)
	} else {
		ins, outs, err = onnx.GetInputOutputInfoWithONNXData(m.Data)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("onnxruntime refuses the model: %w", err)
	}
	return ports(ins), ports(outs), nil
}

func ports(infos []onnx.InputOutputInfo) []Port {
	list := make([]Port, len(infos))
	for i, info := range infos {
		list[i] = Port{info.Name, typeName(info), info.Dimensions}
	}
	return list
}

func typeName(info onnx.InputOutputInfo) string {
	switch {
	case info.OrtValueType != onnx.ONNXTypeTensor:
		return "no tensor"
	case info.DataType == onnx.TensorElementDataTypeFloat:
		return "float32"
	case info.DataType == onnx.TensorElementDataTypeDouble:
		return "float64"
	}
	return strings.ToLower(strings.TrimPrefix(info.DataType.String(), "ONNX_TENSOR_ELEMENT_DATA_TYPE_"))
}

// Graph is a loaded model with one input. It is safe for concurrent use.
type Graph struct {
	session *onnx.DynamicAdvancedSession
	opt     GraphOptions

	running sync.RWMutex // held for reading while a Run is in use

	mu     sync.Mutex
	closed bool
	idle   map[[4]int64][]*Run // by shape of the input
	all    []*Run
}

// OpenGraph loads a model, and ONNX Runtime before the first one. The caller closes the Graph.
func OpenGraph(m Model, opt GraphOptions) (*Graph, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	s, err := load(m, opt)
	if err != nil {
		return nil, err
	}
	return &Graph{session: s, opt: opt, idle: map[[4]int64][]*Run{}}, nil
}

// Close waits for the calls of Use and frees the model. Later calls give an error.
func (g *Graph) Close() error {
	g.running.Lock()
	defer g.running.Unlock()
	if g.closed {
		return nil
	}
	var errs []error
	for _, r := range g.all {
		errs = append(errs, r.close())
	}
	g.closed, g.all, g.idle = true, nil, nil
	return errors.Join(append(errs, g.session.Destroy(), release())...)
}

// Use calls use with a Run for an input of the given shape, at most four sizes. out are the shapes of the float32
// outputs that are the same each time, nil for the others. The Run is valid during the call and then reused.
func (g *Graph) Use(in []int64, out [][]int64, use func(*Run) error) error {
	g.running.RLock()
	defer g.running.RUnlock()
	var key [4]int64
	copy(key[:], in)
	r, err := g.take(key, in, out)
	if err != nil {
		return err
	}
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.idle[key] = append(g.idle[key], r)
	}()
	return use(r)
}

// take returns an idle Run, or else a new one.
func (g *Graph) take(key [4]int64, in []int64, out [][]int64) (*Run, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, errors.New("the network is closed")
	}
	if n := len(g.idle[key]); n > 0 {
		r := g.idle[key][n-1]
		g.idle[key] = g.idle[key][:n-1]
		return r, nil
	}
	r, err := g.newRun(in, out)
	if err == nil {
		g.all = append(g.all, r)
	}
	return r, err
}

// Run holds the input and outputs of a run. It is not safe for concurrent use.
type Run struct {
	In    []float32 // the input
	Bytes []byte    // the input with GraphOptions.Bytes

	graph   *Graph
	options *onnx.RunOptions
	in      onnx.Value
	fixed   []bool // the output has a tensor that is reused
	out     []onnx.Value
	outputs []Output
}

func (g *Graph) newRun(in []int64, out [][]int64) (_ *Run, err error) {
	r := &Run{graph: g, fixed: make([]bool, len(out)), out: make([]onnx.Value, len(out)), outputs: make([]Output, len(out))}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	if r.options, err = onnx.NewRunOptions(); err != nil {
		return nil, err
	}
	if g.opt.Bytes {
		r.in, r.Bytes, err = tensor[uint8](in)
	} else {
		r.in, r.In, err = tensor[float32](in)
	}
	for i, shape := range out {
		if err == nil && shape != nil {
			r.out[i], _, err = tensor[float32](shape)
			r.fixed[i] = err == nil
		}
	}
	return r, err
}

// tensor returns a tensor of a shape, and its numbers; nil with an error.
func tensor[T float32 | uint8](shape []int64) (onnx.Value, []T, error) {
	t, err := onnx.NewEmptyTensor[T](onnx.NewShape(shape...))
	if err != nil {
		return nil, nil, err
	}
	return t, t.GetData(), nil
}

// Do computes the outputs. It returns ctx's error soon after ctx ends. An output of an unusual type is an error that names it.
func (r *Run) Do(ctx context.Context) error {
	if err := errors.Join(ctx.Err(), r.free()); err != nil {
		return err
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		r.options.Terminate()
	})
	err := r.graph.session.RunWithOptions([]onnx.Value{r.in}, r.out, r.options)
	if err != nil {
		// The outputs of a failed run must not be freed.
		for i := range r.out {
			if !r.fixed[i] {
				r.out[i] = nil
			}
		}
	}
	if !stop() {
		<-ended
		if unset := r.options.UnsetTerminate(); unset != nil {
			return unset
		}
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	for i, v := range r.out {
		if r.outputs[i], err = numbers(v); err != nil {
			return fmt.Errorf("output %q: %w", r.graph.opt.Outputs[i], err)
		}
	}
	return nil
}

func (r *Run) Outputs() []Output { return r.outputs }

func (r *Run) free() error {
	var errs []error
	for i, v := range r.out {
		if v != nil && !r.fixed[i] {
			errs = append(errs, v.Destroy())
			r.out[i] = nil
		}
	}
	return errors.Join(errs...)
}

func (r *Run) close() error {
	errs := []error{r.free()}
	for _, v := range r.out {
		if v != nil {
			errs = append(errs, v.Destroy())
		}
	}
	if r.in != nil {
		errs = append(errs, r.in.Destroy())
	}
	if r.options != nil {
		errs = append(errs, r.options.Destroy())
	}
	return errors.Join(errs...)
}

// numbers returns the content of a tensor as float32.
func numbers(v onnx.Value) (Output, error) {
	o := Output{Shape: []int{}}
	for _, n := range v.GetShape() {
		o.Shape = append(o.Shape, int(n))
	}
	switch t := v.(type) {
	case *onnx.Tensor[float32]:
		o.Data = t.GetData()
	case *onnx.Tensor[float64]:
		o.Data = converted(t.GetData())
	case *onnx.Tensor[int64]:
		o.Data = converted(t.GetData())
	case *onnx.Tensor[int32]:
		o.Data = converted(t.GetData())
	default:
		return o, errors.New("is neither float32, float64, int32 nor int64: export the model with one of these")
	}
	return o, nil
}

func converted[T float64 | int64 | int32](in []T) []float32 {
	out := make([]float32, len(in))
	for i, v := range in {
		out[i] = float32(v)
	}
	return out
}
