package onnx

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/bodymotion/motion/inference/onnx/internal/crop"
	"github.com/bodymotion/motion/inference/onnx/internal/decode"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/keypoint"
)

// network is a loaded network. It is safe for concurrent use.
type network struct {
	Descriptor // with the defaults filled in
	form       crop.Form
	parts      [keypoint.NumParts]int // the network's point of each part, −1 for none
	known      int                    // how many of the 17 parts of the body it has
	graph      *ort.Graph
	shape      []int64   // of the input
	fixed      [][]int64 // of the outputs that always have the same shape

	partThreshold, personThreshold float64 // personThreshold of detectors and YOLOPose

	idle sync.Pool // of *buffers
}

// buffers are what one run needs. They are reused.
type buffers struct {
	run    *ort.Run
	cutter crop.Cutter
	spots  []decode.Spot
}

// load loads a network and runs it on an empty picture to check its descriptor.
func load(m Model, run onnxruntime.Options, try func(*network, []decode.Tensor) error) (*network, error) {
	if err := m.Descriptor.Validate(); err != nil {
		return nil, fmt.Errorf("onnx: descriptor: %w", err)
	}
	source := ort.Model{Path: m.Path, Data: m.ONNX}
	in, out, err := ort.Inspect(source, run.Library)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	n := &network{Descriptor: m.Descriptor.filled()}
	n.form, n.parts = n.Input.form(), n.Parts.points()
	for _, k := range n.parts[:keypoint.NumBody] {
		if k >= 0 {
			n.known++
		}
	}
	if err := n.connect(in, out); err != nil {
		return nil, fmt.Errorf("onnx: descriptor: %w", err)
	}
	n.graph, err = ort.OpenGraph(source, ort.GraphOptions{
		Options: ort.Options(run), Input: n.Input.Name, Outputs: n.Outputs,
	})
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	err = n.do(context.Background(), func(d *buffers) { clear(d.run.In) }, func(d *buffers, out []decode.Tensor) error {
		return try(n, out)
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w; tried on an empty picture: does the descriptor fit the network?", err), n.graph.Close())
	}
	return n, nil
}

// do runs the network on the input that fill writes. use reads the outputs, which are valid during the call.
func (n *network) do(ctx context.Context, fill func(*buffers), use func(*buffers, []decode.Tensor) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := n.graph.Use(n.shape, n.fixed, func(r *ort.Run) error {
		b, ok := n.idle.Get().(*buffers)
		if !ok {
			b = new(buffers)
		}
		defer n.idle.Put(b)
		b.run = r
		fill(b)
		if err := r.Do(ctx); err != nil {
			return err
		}
		out := make([]decode.Tensor, len(n.Outputs))
		for i, o := range r.Outputs() {
			out[i] = decode.Tensor{Name: n.Outputs[i], Shape: o.Shape, Data: o.Data}
		}
		return use(b, out)
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return fmt.Errorf("onnx: %w", err)
}
