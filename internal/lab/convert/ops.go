package main

import (
	"fmt"
	"math"
	"slices"
)

// same maps operations to ONNX operations with the same inputs.
var same = map[string]string{
	"Sub": "Sub", "Mul": "Mul", "RealDiv": "Div", "AddN": "Sum",
	"FloorDiv": "Div", // of integers that are never negative
	"Maximum":  "Max", "Minimum": "Min",
	"Less": "Less", "Greater": "Greater", "GreaterEqual": "GreaterOrEqual", "Equal": "Equal", "LogicalAnd": "And",
	"Sqrt": "Sqrt", "Exp": "Exp", "Abs": "Abs", "Sigmoid": "Sigmoid", "Reciprocal": "Reciprocal",
	"Reshape": "Reshape", "GatherNd": "GatherND", "Range": "Range", "Size": "Size", "Tile": "Tile", "Select": "Where",
}

// node translates one operation.
func (t *translator) node(n *tfNode) {
	if op, ok := same[n.Op]; ok {
		t.set(n, t.emit(op, nil, t.inputs(n)...))
		return
	}
	switch n.Op {
	case "Relu6":
		in := t.operand(n.Input[0])
		t.done[n.Name] = &operand{name: t.relu6(in.name), nchw: in.nchw}
	case "Pad":
		t.pad(n)
	case "AddV2":
		t.add(n)
	case "Cast":
		to := map[string]dataType{"DT_FLOAT": typeFloat, "DT_INT32": typeInt64}[n.Attr["DstT"].Type]
		if to == 0 {
			panic("Cast to " + n.Attr["DstT"].Type)
		}
		t.set(n, t.emit("Cast", []attr{{"to", int(to)}}, t.inputs(n)...))
	case "_FusedConv2D":
		t.convolution(n, false)
	case "FusedDepthwiseConv2dNative", "DepthwiseConv2dNative":
		t.convolution(n, true)
	case "MaxPool":
		k, s := n.integers("ksize"), n.integers("strides")
		out := t.emit("MaxPool", []attr{{"kernel_shape", k[1:3]}, {"strides", s[1:3]}, {"auto_pad", autoPad(n)}}, t.nchw(t.operand(n.Input[0])))
		t.done[n.Name] = &operand{name: out, nchw: true}
	case "ResizeBilinear":
		t.double(n)
	case "SquaredDifference":
		d := t.emit("Sub", nil, t.inputs(n)...)
		t.set(n, t.emit("Mul", nil, d, d))
	case "ArgMax":
		axis := t.constantInts(n, 1)[0]
		t.set(n, t.emit("ArgMax", []attr{{"axis", int(axis)}, {"keepdims", 0}}, t.nhwc(t.operand(n.Input[0]))))
	case "Max":
		axis := t.constantInts(n, 1)[0]
		t.set(n, t.emit("ReduceMax", []attr{{"axes", []int{int(axis)}}, {"keepdims", 0}}, t.nhwc(t.operand(n.Input[0]))))
	case "Sum":
		axis := t.ints(t.constantInts(n, 1)...)
		t.set(n, t.emit("ReduceSum", []attr{{"keepdims", 0}}, t.nhwc(t.operand(n.Input[0])), axis))
	case "ExpandDims":
		axis := t.ints(t.constantInts(n, 1)[0])
		t.set(n, t.emit("Unsqueeze", nil, t.nhwc(t.operand(n.Input[0])), axis))
	case "Squeeze":
		var axes []int64
		for _, a := range n.integers("squeeze_dims") {
			axes = append(axes, int64(a))
		}
		t.set(n, t.emit("Squeeze", nil, t.nhwc(t.operand(n.Input[0])), t.ints(axes...)))
	case "Fill":
		in := t.inputs(n)
		t.set(n, t.emit("Expand", nil, in[1], in[0]))
	case "Shape":
		t.shape(n)
	case "Unpack":
		t.unpack(n)
	case "Split":
		outs := t.split(t.nhwc(t.operand(n.Input[1])), int(t.constantInts(n, 0)[0]), n.integer("num_split"))
		for i, name := range outs {
			t.setOutput(n, i, name)
		}
	case "Pack":
		axis := n.integer("axis")
		var parts []string
		for _, in := range t.inputs(n) {
			parts = append(parts, t.emit("Unsqueeze", nil, in, t.ints(int64(axis))))
		}
		t.set(n, t.emit("Concat", []attr{{"axis", axis}}, parts...))
	case "ConcatV2":
		last := len(n.Input) - 1
		axis := t.constantInts(n, last)[0]
		t.set(n, t.emit("Concat", []attr{{"axis", int(axis)}}, t.inputs(n)[:last]...))
	case "TopKV2":
		k := t.emit("Unsqueeze", nil, t.nhwc(t.operand(n.Input[1])), t.ints(0))
		values, indices := t.fresh(), t.fresh()
		t.m.nodes = append(t.m.nodes, node{"TopK", []string{t.nhwc(t.operand(n.Input[0])), k}, []string{values, indices}, nil})
		t.setOutput(n, 0, values)
		t.setOutput(n, 1, indices)
	case "StridedSlice":
		t.slice(n)
	default:
		panic(fmt.Sprintf("%s: the operation %s is unknown", n.Name, n.Op))
	}
}

// add keeps NCHW if both sides have it: the shortcuts of the trunk.
func (t *translator) add(n *tfNode) {
	a, b := t.operand(n.Input[0]), t.operand(n.Input[1])
	if a.nchw && b.nchw {
		t.done[n.Name] = &operand{name: t.emit("Add", nil, a.name, b.name), nchw: true}
		return
	}
	t.set(n, t.emit("Add", nil, t.nhwc(a), t.nhwc(b)))
}

// autoPad returns ONNX's name of the node's padding. TensorFlow's SAME puts the odd
// pixel at the end.
func autoPad(n *tfNode) string {
	if n.text("padding") == "SAME" {
		return "SAME_UPPER"
	}
	return "VALID"
}

// convolution translates a convolution and the operations fused to it. It transposes kernels from
// HWIO to OIHW, depthwise ones from HWC1 to C1HW.
func (t *translator) convolution(n *tfNode, depthwise bool) {
	w, ok := t.g.weights[n.Input[1]]
	if !ok || w.half == nil || len(w.dims) != 4 {
		panic(n.Name + ": the kernel is not a constant of four dimensions")
	}
	if f := n.text("data_format"); f != "NHWC" {
		panic(n.Name + ": data format " + f)
	}
	if d := n.integers("dilations"); !slices.Equal(d, []int{1, 1, 1, 1}) {
		panic(n.Name + ": dilated")
	}
	perm, group := []int{3, 2, 0, 1}, 1
	if depthwise {
		perm, group = []int{2, 3, 0, 1}, w.dims[2]
	}
	dims, raw := permute(w.dims, w.half, perm)
	source, padding := n.Input[0], attr{"auto_pad", autoPad(n)}
	if p := t.g.nodes[source]; p != nil && p.Op == "Pad" && padding.value == "VALID" {
		if pads := t.paddings(p); pads[1] == 0 && pads[5] == 0 {
			source, padding = p.Input[0], attr{"pads", []int{pads[2], pads[3], pads[6], pads[7]}}
		}
	}
	in := []string{t.nchw(t.operand(source)), t.half(dims, raw)}
	fused := n.texts("fused_ops")
	if len(fused) > 0 && fused[0] == "BiasAdd" {
		in = append(in, t.operand(n.Input[2]).name)
		fused = fused[1:]
	}
	strides := n.integers("strides")
	out := t.emit("Conv", []attr{{"strides", strides[1:3]}, padding, {"group", group}}, in...)
	for _, f := range fused {
		switch f {
		case "Relu":
			out = t.emit("Relu", nil, out)
		case "Relu6":
			out = t.relu6(out)
		default:
			panic(n.Name + ": fused " + f)
		}
	}
	t.done[n.Name] = &operand{name: out, nchw: true}
}

func (t *translator) relu6(in string) string {
	return t.emit("Clip", nil, in, t.initializer(float32Tensor(nil, 0)), t.initializer(float32Tensor(nil, 6)))
}

// pad translates the padding with zeros. That of height and width is part of the
// convolution after it; what is left is that of channels in shortcuts.
func (t *translator) pad(n *tfNode) {
	var pads []int64
	for _, p := range t.paddings(n) {
		pads = append(pads, int64(p))
	}
	t.done[n.Name] = &operand{name: t.emit("Pad", nil, t.nchw(t.operand(n.Input[0])), t.ints(pads...)), nchw: true}
}

// paddings returns by how much a Pad grows batch, channel, height and width: first at
// their beginnings, then at their ends.
func (t *translator) paddings(n *tfNode) []int {
	p := t.constantInts(n, 1)
	if len(p) != 8 {
		panic(n.Name + ": not of four dimensions")
	}
	var begin, end []int
	for _, axis := range []int{0, 3, 1, 2} {
		begin, end = append(begin, int(p[2*axis])), append(end, int(p[2*axis+1]))
	}
	return append(begin, end...)
}

// permute permutes the axes of an array of 2-byte values.
func permute(dims []int, raw []byte, perm []int) ([]int, []byte) {
	strides := make([]int, len(dims))
	for i, s := len(dims)-1, 2; i >= 0; i-- {
		strides[i] = s
		s *= dims[i]
	}
	turned := make([]int, len(dims))
	for i, p := range perm {
		turned[i] = dims[p]
	}
	out := make([]byte, 0, len(raw))
	index := make([]int, len(dims))
	for len(out) < len(raw) {
		at := 0
		for i, p := range perm {
			at += index[i] * strides[p]
		}
		out = append(out, raw[at], raw[at+1])
		for i := len(index) - 1; i >= 0; i-- {
			if index[i]++; index[i] < turned[i] {
				break
			}
			index[i] = 0
		}
	}
	return turned, out
}

// double translates the doubling of height and width, the only resizing in these models. It ignores
// the size that the graph computes.
func (t *translator) double(n *tfNode) {
	if !n.Attr["half_pixel_centers"].B || n.Attr["align_corners"].B {
		panic(n.Name + ": not half-pixel")
	}
	scales := t.initializer(float32Tensor([]int{4}, 1, 1, 2, 2))
	attrs := []attr{{"mode", "linear"}, {"coordinate_transformation_mode", "half_pixel"}}
	out := t.emit("Resize", attrs, t.nchw(t.operand(n.Input[0])), "", scales)
	t.done[n.Name] = &operand{name: out, nchw: true}
}

// shape returns the shape in TensorFlow's order of axes without transposing the tensor.
func (t *translator) shape(n *tfNode) {
	o := t.operand(n.Input[0])
	s := t.emit("Shape", nil, o.name)
	if o.nchw {
		s = t.emit("Gather", nil, s, t.ints(0, 2, 3, 1))
	}
	t.set(n, s)
}

func (t *translator) split(in string, axis, count int) []string {
	outs := make([]string, count)
	for i := range outs {
		outs[i] = t.fresh()
	}
	t.m.nodes = append(t.m.nodes, node{"Split", []string{in}, outs, []attr{{"axis", axis}}})
	return outs
}

func (t *translator) unpack(n *tfNode) {
	axis, count := n.integer("axis"), n.integer("num")
	in := t.nhwc(t.operand(n.Input[0]))
	outs := []string{in}
	if count > 1 {
		outs = t.split(in, axis, count)
	}
	for i, name := range outs {
		t.setOutput(n, i, t.emit("Squeeze", nil, name, t.ints(int64(axis))))
	}
}

// slice translates a slice with constant bounds. Bit i of a mask belongs to the
// i-th bound.
func (t *translator) slice(n *tfNode) {
	if n.integer("ellipsis_mask") != 0 {
		panic(n.Name + ": ellipsis")
	}
	begin, end, stride := t.constantInts(n, 1), t.constantInts(n, 2), t.constantInts(n, 3)
	has := func(mask string, i int) bool { return n.integer(mask)>>i&1 != 0 }
	var starts, ends, axes, steps, squeeze, expand []int64
	axis, position := int64(0), int64(0) // in the input, in the output
	for i := range begin {
		if has("new_axis_mask", i) {
			expand = append(expand, position)
			position++
			continue
		}
		from, to := begin[i], end[i]
		if has("begin_mask", i) {
			from = 0
		}
		if has("end_mask", i) {
			to = math.MaxInt64
		}
		if has("shrink_axis_mask", i) {
			if to = from + 1; from == -1 {
				to = math.MaxInt64
			}
			squeeze = append(squeeze, axis)
		} else {
			position++
		}
		starts, ends, axes, steps = append(starts, from), append(ends, to), append(axes, axis), append(steps, stride[i])
		axis++
	}
	out := t.nhwc(t.operand(n.Input[0]))
	if len(axes) > 0 {
		out = t.emit("Slice", nil, out, t.ints(starts...), t.ints(ends...), t.ints(axes...), t.ints(steps...))
	}
	if len(squeeze) > 0 {
		out = t.emit("Squeeze", nil, out, t.ints(squeeze...))
	}
	if len(expand) > 0 {
		out = t.emit("Unsqueeze", nil, out, t.ints(expand...))
	}
	t.set(n, out)
}
