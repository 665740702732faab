package onnx

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/inference/onnx/internal/crop"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/keypoint"
)

// filled returns the descriptor with its defaults, except for the names of the input and outputs.
func (d Descriptor) filled() Descriptor {
	d.Input.Layout = cmp.Or(d.Input.Layout, "nchw")
	d.Input.Channels = cmp.Or(d.Input.Channels, "rgb")
	d.Input.Scale = cmp.Or(d.Input.Scale, [3]float64{1, 1, 1})
	c := &d.Decode
	switch c.Kind {
	case SimCC:
		c.SplitRatio = cmp.Or(c.SplitRatio, 2)
	case Heatmap:
		c.Refine = cmp.Or(c.Refine, "quarter")
		c.BlurKernel = cmp.Or(c.BlurKernel, 11)
	case YOLOPose:
		c.Points = cmp.Or(c.Points, sets[d.Parts.Set].points, keypoint.NumBody)
		c.Overlap = cmp.Or(c.Overlap, 0.45)
	case YOLO, YOLOX:
		c.Overlap = cmp.Or(c.Overlap, 0.45)
		if c.Strides = slices.Clone(c.Strides); c.Strides == nil {
			c.Strides = []int{8, 16, 32}
		}
	}
	d.Outputs = slices.Clone(d.Outputs)
	return d
}

// form returns the layout of the input.
func (in *Input) form() crop.Form {
	return crop.Form{
		Width: in.Width, Height: in.Height, Interleaved: in.Layout == "nhwc", BGR: in.Channels == "bgr",
		Mean: in.Mean, Scale: in.Scale,
	}
}

// points returns the network's point for each part; −1: none.
func (p *Parts) points() (n [keypoint.NumParts]int) {
	for i := range n {
		n[i] = -1
	}
	if p.List != nil {
		copy(n[:], p.List)
		return n
	}
	for i := range keypoint.NumBody {
		n[i] = i
	}
	copy(n[keypoint.NumBody:], sets[p.Set].feet)
	return n
}

// connect finds the input and outputs in the graph and checks them.
func (n *network) connect(in, out []ort.Port) error {
	if len(in) != 1 {
		return fmt.Errorf("the graph has the inputs %v, want one: export the network with the picture as its only input", names(in))
	}
	if n.Input.Name != "" && n.Input.Name != in[0].Name {
		return keypoint.FieldErrors{{Pointer: "/input/name", Detail: fmt.Sprintf("is %q, but the graph's input is %q", n.Input.Name, in[0].Name)}}
	}
	n.Input.Name = in[0].Name
	if in[0].Type != "float32" {
		return fmt.Errorf("the graph's input %q is %s, want float32: export the network with a float32 input", in[0].Name, in[0].Type)
	}
	n.shape = []int64{1, 3, int64(n.Input.Height), int64(n.Input.Width)}
	if n.form.Interleaved {
		n.shape = []int64{1, int64(n.Input.Height), int64(n.Input.Width), 3}
	}
	if !slices.EqualFunc(n.shape, in[0].Shape, func(want, has int64) bool { return has < 0 || has == want }) {
		return keypoint.FieldErrors{{Pointer: "/input", Detail: fmt.Sprintf("a width of %d, a height of %d and the layout %s make the shape %v, but the graph's input %q is %v (-1 is free)",
			n.Input.Width, n.Input.Height, n.Input.Layout, n.shape, in[0].Name, in[0].Shape)}}
	}
	if err := n.choose(out); err != nil {
		return err
	}
	n.fixed = make([][]int64, len(n.Outputs))
	for i, name := range n.Outputs {
		port := out[slices.IndexFunc(out, func(p ort.Port) bool { return p.Name == name })]
		n.fixed[i] = fixed(port)
	}
	return nil
}

// choose names the outputs.
func (n *network) choose(out []ort.Port) error {
	has := names(out)
	for i, name := range n.Outputs {
		if !slices.Contains(has, name) {
			return keypoint.FieldErrors{{Pointer: fmt.Sprintf("/outputs/%d", i), Detail: fmt.Sprintf("is %q, but the graph's outputs are %q", name, has)}}
		}
	}
	if len(n.Outputs) > 0 {
		return nil
	}
	usual, least := []string{}, 1
	switch n.Decode.Kind {
	case SimCC:
		usual, least = []string{"simcc_x", "simcc_y"}, 2
	case Boxes:
		usual = []string{"dets", "labels"}
	}
	switch {
	case len(has) < least:
		return fmt.Errorf("the graph has %d outputs, %q: %s wants %d", len(has), has, n.Decode.Kind, least)
	case len(usual) > 0 && !slices.ContainsFunc(usual, func(name string) bool { return !slices.Contains(has, name) }):
		n.Outputs = usual
	default:
		n.Outputs = has[:min(len(has), max(len(usual), 1))]
	}
	return nil
}

func names(ports []ort.Port) []string {
	list := make([]string, len(ports))
	for i, p := range ports {
		list[i] = p.Name
	}
	return list
}

// fixed returns the shape of an output if it is always the same and not too large, else nil. If the
// first of three or more sizes is free, it is the batch size, 1.
func fixed(p ort.Port) []int64 {
	shape := slices.Clone(p.Shape)
	if len(shape) >= 3 && shape[0] < 0 {
		shape[0] = 1
	}
	if p.Type != "float32" || len(shape) == 0 || slices.ContainsFunc(shape, func(n int64) bool { return n < 1 }) {
		return nil
	}
	const most = 1 << 26 // numbers
	total := int64(1)
	for _, n := range shape {
		if n > most/total {
			return nil
		}
		total *= n
	}
	return shape
}
