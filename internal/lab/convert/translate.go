package main

import (
	"fmt"
	"strings"
)

// operand is a TensorFlow tensor in the ONNX graph. Only the order of its axes may differ.
type operand struct {
	name  string
	nchw  bool    // batch, channel, height, width; TensorFlow has NHWC
	other string  // the same tensor with the other order of axes, if used
	konst *weight // the value, of constants
}

// translator writes the ONNX graph node by node in topological order. All integers have 64 bits.
// The trunk of convolutions stays in NCHW; everything else is NHWC, as in TensorFlow.
type translator struct {
	g    *graph
	m    model
	done map[string]*operand
	next int
}

// translate returns the ONNX model of what a source needs of its graph.
func translate(g *graph, s source) (m model, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %v", s.file, p)
		}
	}()
	t := &translator{g: g, done: map[string]*operand{}}
	t.m.name = s.file
	t.m.input = value{"input", typeUint8, []int{1, s.size, s.size, 3}}
	in := "input"
	if s.unit {
		in = t.emit("Div", nil, t.emit("Cast", []attr{{"to", int(typeFloat)}}, in), t.initializer(float32Tensor(nil, 255)))
	}
	t.done[g.input] = &operand{name: in}
	for _, o := range s.outputs {
		n, ok := g.nodes[o.node]
		if !ok {
			return model{}, fmt.Errorf("%s: there is no output %s", s.file, o.node)
		}
		name := ""
		if from := t.operand(n.Input[0]); o.planes {
			name = t.nchw(from)
		} else {
			name = t.nhwc(from)
		}
		t.m.nodes = append(t.m.nodes, node{op: "Identity", inputs: []string{name}, outputs: []string{o.name}})
		t.m.outputs = append(t.m.outputs, value{o.name, typeFloat, o.dims})
	}
	return t.m, nil
}

// operand returns the tensor with a TensorFlow name, "node" or "node:output", and translates its
// node first.
func (t *translator) operand(name string) *operand {
	if o, ok := t.done[name]; ok {
		return o
	}
	base, _, _ := strings.Cut(name, ":")
	n, ok := t.g.nodes[base]
	if !ok {
		panic("there is no node " + base)
	}
	if w, ok := t.g.weights[base]; ok {
		t.done[base] = t.constant(w)
		return t.done[base]
	}
	t.node(n)
	o, ok := t.done[name]
	if !ok {
		panic(n.Op + " has no output " + name)
	}
	return o
}

func (t *translator) fresh() string {
	t.next++
	return fmt.Sprintf("t%d", t.next)
}

// emit adds a node with one output and returns the output's name.
func (t *translator) emit(op string, attrs []attr, inputs ...string) string {
	out := t.fresh()
	t.m.nodes = append(t.m.nodes, node{op, inputs, []string{out}, attrs})
	return out
}

// initializer adds a constant and returns its name.
func (t *translator) initializer(c tensor) string {
	c.name = t.fresh()
	t.m.initializers = append(t.m.initializers, c)
	return c.name
}

func (t *translator) ints(values ...int64) string {
	return t.initializer(int64Tensor([]int{len(values)}, values))
}

// constant adds a weight. float16 values stay as they are in the file and are converted when the
// model runs.
func (t *translator) constant(w weight) *operand {
	if w.half == nil {
		return &operand{name: t.initializer(int64Tensor(w.dims, w.values)), konst: &w}
	}
	return &operand{name: t.half(w.dims, w.half), konst: &w}
}

func (t *translator) half(dims []int, raw []byte) string {
	c := t.initializer(tensor{kind: typeFloat16, dims: dims, raw: raw})
	return t.emit("Cast", []attr{{"to", int(typeFloat)}}, c)
}

// nhwc returns the tensor's name in TensorFlow's order of axes.
func (t *translator) nhwc(o *operand) string {
	return t.turned(o, o.nchw, []int{0, 2, 3, 1})
}

// nchw returns the tensor's name with the channels before height and width.
func (t *translator) nchw(o *operand) string {
	return t.turned(o, !o.nchw, []int{0, 3, 1, 2})
}

// turned returns the name of the tensor with its axes permuted, if it is the other one that it has.
func (t *translator) turned(o *operand, other bool, perm []int) string {
	if !other {
		return o.name
	}
	if o.other == "" {
		o.other = t.emit("Transpose", []attr{{"perm", perm}}, o.name)
	}
	return o.other
}

// constantInts returns the integers of an input that must be constant.
func (t *translator) constantInts(n *tfNode, input int) []int64 {
	o := t.operand(n.Input[input])
	if o.konst == nil || o.konst.half != nil {
		panic(fmt.Sprintf("%s: input %d of %s is not an integer constant", n.Name, input, n.Op))
	}
	return o.konst.values
}

// set names the result of a node.
func (t *translator) set(n *tfNode, name string) { t.done[n.Name] = &operand{name: name} }

// setOutput names one of several results of a node.
func (t *translator) setOutput(n *tfNode, i int, name string) {
	key := n.Name
	if i > 0 {
		key = fmt.Sprintf("%s:%d", n.Name, i)
	}
	t.done[key] = &operand{name: name}
}

// inputs returns the names of all inputs in TensorFlow's order of axes.
func (t *translator) inputs(n *tfNode) []string {
	names := make([]string, len(n.Input))
	for i, in := range n.Input {
		names[i] = t.nhwc(t.operand(in))
	}
	return names
}
