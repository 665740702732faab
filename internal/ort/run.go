package ort

import (
	"context"
	"errors"
	"fmt"
	"sync"
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
	return bound.Ports(m)
}

// Graph is a loaded model with one input. It is safe for concurrent use.
type Graph struct {
	session Session
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
	options RunOptions
	in      Tensor
	fixed   []bool // the output has a tensor that is reused
	out     []Tensor
	outputs []Output
}

func (g *Graph) newRun(in []int64, out [][]int64) (_ *Run, err error) {
	options, err := g.session.RunOptions()
	if err != nil {
		return nil, err
	}
	r := &Run{graph: g, options: options, fixed: make([]bool, len(out)), out: make([]Tensor, len(out)), outputs: make([]Output, len(out))}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	if r.in, err = g.session.Tensor(in, g.opt.Bytes); err != nil {
		return nil, err
	}
	r.In, _ = r.in.Data.([]float32)
	r.Bytes, _ = r.in.Data.([]byte)
	for i, shape := range out {
		if shape == nil {
			continue
		}
		if r.out[i], err = g.session.Tensor(shape, false); err != nil {
			return nil, err
		}
		r.fixed[i] = true
	}
	return r, nil
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
	err := r.graph.session.Run(r.in, r.out, r.options)
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
	for i, t := range r.out {
		if t.Value != nil && !r.fixed[i] {
			errs = append(errs, t.Value.Destroy())
			r.out[i] = Tensor{}
		}
	}
	return errors.Join(errs...)
}

func (r *Run) close() error {
	errs := []error{r.free()}
	for _, t := range append(r.out, r.in) {
		if t.Value != nil {
			errs = append(errs, t.Value.Destroy())
		}
	}
	return errors.Join(append(errs, r.options.Destroy())...)
}

// numbers returns the content of a tensor as float32.
func numbers(t Tensor) (Output, error) {
	o := Output{Shape: make([]int, len(t.Shape))}
	for i, n := range t.Shape {
		o.Shape[i] = int(n)
	}
	switch data := t.Data.(type) {
	case []float32:
		o.Data = data
	case []float64:
		o.Data = converted(data)
	case []int64:
		o.Data = converted(data)
	case []int32:
		o.Data = converted(data)
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
