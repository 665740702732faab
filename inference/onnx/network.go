package onnx

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/bodymotion/motion/inference/onnx/internal/crop"
	"github.com/bodymotion/motion/inference/onnx/internal/decode"
	"github.com/bodymotion/motion/internal/ort"
)

// network is a loaded network. It is safe for concurrent use.
type network struct {
	Descriptor // with the defaults filled in
	form       crop.Form
	parts      [17]int // the network's point of each part, −1 for none
	graph      *ort.Graph
	shape      []int64   // of the input
	fixed      [][]int64 // of the outputs that always have the same shape

	running sync.RWMutex // held for reading while a run is under way

	mu     sync.Mutex
	closed bool
	idle   []*buffers
	all    []*buffers
}

// buffers are what one run needs. They are reused.
type buffers struct {
	run    *ort.Run
	cutter crop.Cutter
	spots  []decode.Spot
}

// runtimeOptions say how onnxruntime runs a network.
type runtimeOptions struct {
	library  string
	threads  int
	provider string
}

// load loads a network and runs it on an empty picture to check its descriptor.
func load(m Model, run runtimeOptions, try func(*network, []decode.Tensor) error) (*network, error) {
	if err := m.Descriptor.Validate(); err != nil {
		return nil, fmt.Errorf("onnx: descriptor: %w", err)
	}
	source := ort.Model{Path: m.Path, Data: m.ONNX}
	in, out, err := ort.Inspect(source, run.library)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	n := &network{Descriptor: m.Descriptor.filled()}
	n.form, n.parts = n.Input.form(), n.Parts.points()
	if err := n.connect(in, out); err != nil {
		return nil, fmt.Errorf("onnx: descriptor: %w", err)
	}
	n.graph, err = ort.OpenGraph(source, ort.GraphOptions{Library: run.library, Threads: run.threads, Provider: run.provider, Input: n.Input.Name, Outputs: n.Outputs})
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	err = n.do(context.Background(), func(d *buffers) { clear(d.run.In) }, func(d *buffers, out []decode.Tensor) error {
		return try(n, out)
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w; tried on an empty picture: does the descriptor fit the network?", err), n.close())
	}
	return n, nil
}

// do runs the network on the input that fill writes. use reads the outputs, which are valid during
// the call.
func (n *network) do(ctx context.Context, fill func(*buffers), use func(*buffers, []decode.Tensor) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	n.running.RLock()
	defer n.running.RUnlock()
	d, err := n.take()
	if err != nil {
		return err
	}
	defer n.release(d)
	fill(d)
	if err := d.run.Do(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("onnx: %w", err)
	}
	out := make([]decode.Tensor, len(n.Outputs))
	for i, o := range d.run.Outputs() {
		out[i] = decode.Tensor{Name: n.Outputs[i], Shape: o.Shape, Data: o.Data}
	}
	if err := use(d, out); err != nil {
		return fmt.Errorf("onnx: %w", err)
	}
	return nil
}

func (n *network) take() (*buffers, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, errors.New("onnx: the network is closed")
	}
	if k := len(n.idle); k > 0 {
		d := n.idle[k-1]
		n.idle = n.idle[:k-1]
		return d, nil
	}
	run, err := n.graph.NewRun(n.shape, n.fixed)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	d := &buffers{run: run}
	n.all = append(n.all, d)
	return d, nil
}

func (n *network) release(d *buffers) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.idle = append(n.idle, d)
}

// close waits for running calls and frees the network. Later calls give an error.
func (n *network) close() error {
	n.running.Lock()
	defer n.running.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	var errs []error
	for _, d := range n.all {
		errs = append(errs, d.run.Close())
	}
	n.closed, n.all, n.idle = true, nil, nil
	return errors.Join(append(errs, n.graph.Close())...)
}
