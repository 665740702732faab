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

// Inspect returns the inputs and outputs of a model, which is loaded for that and freed.
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

// typeName returns the type of a port as Go and its users call it.
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

// Graph is a loaded model with one input of float32. It may be used from many goroutines
// at once.
type Graph struct {
	session *onnx.DynamicAdvancedSession
	outputs []string
	close   sync.Once
}

// OpenGraph loads a model, and onnxruntime before the first one. The caller closes the
// graph.
func OpenGraph(m Model, opt GraphOptions) (*Graph, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	s, err := load(m, opt)
	if err != nil {
		return nil, err
	}
	return &Graph{session: s, outputs: opt.Outputs}, nil
}

// Close frees the model. It must not be called while a Run of it is under way.
func (g *Graph) Close() (err error) {
	g.close.Do(func() { err = errors.Join(g.session.Destroy(), release()) })
	return err
}

// Run holds the input and outputs of a run. It may be used by one goroutine at a time.
type Run struct {
	In []float32

	graph   *Graph
	options *onnx.RunOptions
	in      *onnx.Tensor[float32]
	fixed   []bool // the output has a tensor that is used again and again
	out     []onnx.Value
	outputs []Output
}

// NewRun returns a Run for an input of the given shape. out are the shapes of the float32
// outputs that are the same each time, nil for the others. The caller closes it.
func (g *Graph) NewRun(in []int64, out [][]int64) (_ *Run, err error) {
	r := &Run{graph: g, fixed: make([]bool, len(out)), out: make([]onnx.Value, len(out)), outputs: make([]Output, len(out))}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	if r.options, err = onnx.NewRunOptions(); err != nil {
		return nil, err
	}
	if r.in, err = onnx.NewEmptyTensor[float32](onnx.NewShape(in...)); err != nil {
		return nil, err
	}
	r.In = r.in.GetData()
	for i, shape := range out {
		if shape == nil {
			continue
		}
		t, err := onnx.NewEmptyTensor[float32](onnx.NewShape(shape...))
		if err != nil {
			return nil, err
		}
		r.out[i], r.fixed[i] = t, true
	}
	return r, nil
}

// Do computes the outputs from In. It gives up and returns ctx's error soon after ctx
// ends. Outputs that hold no numbers of a usual type are an error that names them.
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
		// What a failed run leaves there is not made to be freed.
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
			return fmt.Errorf("output %q: %w", r.graph.outputs[i], err)
		}
	}
	return nil
}

// Outputs returns what came out of Do.
func (r *Run) Outputs() []Output { return r.outputs }

// free frees the outputs that a run has made anew.
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

// Close frees the run.
func (r *Run) Close() error {
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

// numbers returns what is in a tensor as float32.
func numbers(v onnx.Value) (Output, error) {
	o := Output{Shape: make([]int, len(v.GetShape()))}
	for i, n := range v.GetShape() {
		o.Shape[i] = int(n)
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
