package onnx_test

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// graph builds a small network with the parts of onnx.proto3 that the tests need, IR 8, opset 17.
// The methods add a node or constant and return the name of its output.
type graph struct {
	nodes, constants, inputs, outputs []byte
	names                             int
}

const (
	float  = 1 // element types of ONNX
	int64s = 7
)

func message(b []byte, field protowire.Number, content []byte) []byte {
	b = protowire.AppendTag(b, field, protowire.BytesType)
	return protowire.AppendBytes(b, content)
}

func varint(b []byte, field protowire.Number, v int) []byte {
	b = protowire.AppendTag(b, field, protowire.VarintType)
	return protowire.AppendVarint(b, uint64(v))
}

func (g *graph) name() string {
	g.names++
	return "n" + string(rune('0'+g.names/10)) + string(rune('0'+g.names%10))
}

// port is an input or output; a size of −1 is free.
func port(name string, kind int, shape []int) []byte {
	var sizes []byte
	for _, s := range shape {
		var size []byte
		if s < 0 {
			size = message(nil, 2, []byte("free"))
		} else {
			size = varint(nil, 1, s)
		}
		sizes = message(sizes, 1, size)
	}
	tensor := message(varint(nil, 1, kind), 2, sizes)
	return message(message(nil, 1, []byte(name)), 2, message(nil, 1, tensor))
}

func (g *graph) input(name string, kind int, shape ...int) string {
	g.inputs = message(g.inputs, 11, port(name, kind, shape))
	return name
}

// output makes the named value an output of the graph, of the given shape.
func (g *graph) output(name, from string, kind int, shape ...int) {
	node := message(message(message(nil, 1, []byte(from)), 2, []byte(name)), 4, []byte("Identity"))
	g.nodes = message(g.nodes, 1, node)
	g.outputs = message(g.outputs, 12, port(name, kind, shape))
}

func (g *graph) constant(kind int, shape []int, raw []byte) string {
	var t []byte
	for _, s := range shape {
		t = varint(t, 1, s)
	}
	name := g.name()
	t = message(varint(t, 2, kind), 8, []byte(name))
	g.constants = message(g.constants, 5, message(t, 9, raw))
	return name
}

func (g *graph) floats(shape []int, values ...float32) string {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return g.constant(float, shape, raw)
}

func (g *graph) ints(values ...int) string {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return g.constant(int64s, []int{len(values)}, raw)
}

// attr is an attribute with an int or a list of ints.
type attr struct {
	name  string
	value any
}

func (g *graph) node(op string, inputs []string, attrs ...attr) string {
	var n []byte
	for _, in := range inputs {
		n = message(n, 1, []byte(in))
	}
	out := g.name()
	n = message(message(n, 2, []byte(out)), 4, []byte(op))
	for _, a := range attrs {
		b := message(nil, 1, []byte(a.name))
		switch v := a.value.(type) {
		case int:
			b = varint(varint(b, 3, v), 20, 2)
		case []int:
			for _, x := range v {
				b = varint(b, 8, x)
			}
			b = varint(b, 20, 7)
		}
		n = message(n, 5, b)
	}
	g.nodes = message(g.nodes, 1, n)
	return out
}

// file returns the .onnx file.
func (g *graph) file() []byte {
	content := append([]byte(nil), g.nodes...)
	content = message(content, 2, []byte("test"))
	content = append(append(append(content, g.constants...), g.inputs...), g.outputs...)
	b := message(varint(nil, 1, 8), 7, content)
	return message(b, 8, varint(nil, 2, 17))
}

// colours is a 1×1 convolution whose n outputs are red, green and blue in turn.
func (g *graph) colours(in string, n, stride int) string {
	w := make([]float32, 3*n)
	for k := range n {
		w[3*k+k%3] = 1
	}
	return g.node("Conv", []string{in, g.floats([]int{n, 3, 1, 1}, w...)}, attr{"strides", []int{stride, stride}})
}

// simcc is a network whose points are where red, green and blue are brightest: point k
// takes the colour k%3. There are two bins a pixel, the second of which stays empty.
func simcc(points, width, height int) []byte {
	var g graph
	c := g.colours(g.input("input", float, -1, 3, height, width), points, 1)
	for i, name := range []string{"simcc_x", "simcc_y"} {
		axis, size := 2+i, []int{width, height}[i]
		row := g.node("ReduceMax", []string{c}, attr{"axes", []int{axis}}, attr{"keepdims", 0})
		row = g.node("Unsqueeze", []string{row, g.ints(3)})
		empty := g.node("Mul", []string{row, g.floats([]int{1}, 0)})
		both := g.node("Concat", []string{row, empty}, attr{"axis", 3})
		g.output(name, g.node("Reshape", []string{both, g.ints(-1, points, 2*size)}), float, -1, points, 2*size)
	}
	return g.file()
}

// heatmaps is a network whose maps are every fourth pixel of red, green and blue in turn,
// by planes or, with interleaved, from pixels whose channels lie together.
func heatmaps(points, width, height int, interleaved bool) []byte {
	var g graph
	var in string
	if interleaved {
		in = g.node("Transpose", []string{g.input("picture", float, 1, height, width, 3)}, attr{"perm", []int{0, 3, 1, 2}})
	} else {
		in = g.input("picture", float, 1, 3, height, width)
	}
	g.output("heat", g.colours(in, points, 4), float, 1, points, height/4, width/4)
	return g.file()
}

// red returns the red of a picture from the middle up, 0 to 1, [1, 1, height, width].
func (g *graph) red(width, height int) string {
	in := g.input("images", float, 1, 3, height, width)
	c := g.node("Conv", []string{in, g.floats([]int{1, 3, 1, 1}, 2, 0, 0), g.floats([]int{1}, -1)})
	return g.node("Relu", []string{c})
}

// boxes is a detector that finds a box of 20×40 pixels around the brightest red, where
// that is above a half. The first of its boxes is of another class and twice as large.
func boxes(width, height int) []byte {
	var g graph
	c := g.red(width, height)
	at := func(axis int) string {
		row := g.node("ReduceMax", []string{c}, attr{"axes", []int{axis}}, attr{"keepdims", 0})
		return g.node("Cast", []string{g.node("ArgMax", []string{row}, attr{"axis", 2}, attr{"keepdims", 1})}, attr{"to", float})
	}
	x, y := at(2), at(3)
	best := g.node("ReduceMax", []string{c}, attr{"axes", []int{3}}, attr{"keepdims", 0})
	best = g.node("ReduceMax", []string{best}, attr{"axes", []int{2}}, attr{"keepdims", 1})
	row := g.node("Concat", []string{x, y, x, y, best}, attr{"axis", 2})
	person := g.node("Add", []string{row, g.floats([]int{5}, -9.5, -19.5, 10.5, 20.5, 0)})
	thing := g.node("Add", []string{row, g.floats([]int{5}, -19.5, -39.5, 20.5, 40.5, 0)})
	rows := g.node("Concat", []string{thing, person}, attr{"axis", 1})
	there := g.node("Reshape", []string{g.node("Greater", []string{best, g.floats([]int{1}, 0.5)}), g.ints(1)})
	both := g.node("Concat", []string{there, there}, attr{"axis", 0})
	g.output("labels", g.node("Compress", []string{g.node("Unsqueeze", []string{g.ints(7, 0), g.ints(0)}), both}, attr{"axis", 1}), int64s, 1, -1)
	g.output("dets", g.node("Compress", []string{rows, both}, attr{"axis", 1}), float, 1, -1, 5)
	return g.file()
}

// cells returns the largest red of each cell of a stride, [1, cells, 1].
func (g *graph) cells(red string, stride int) string {
	p := g.node("MaxPool", []string{red}, attr{"kernel_shape", []int{stride, stride}}, attr{"strides", []int{stride, stride}})
	return g.node("Reshape", []string{p, g.ints(1, -1, 1)})
}

// yolox is a raw detector with six classes: in each cell of the stride 8 a person of 16×32
// pixels around its middle, as surely as there is red in it.
func yolox(width, height int) []byte {
	var g graph
	red := g.red(width, height)
	first := g.cells(red, 8)
	rest := g.node("Mul", []string{g.node("Concat", []string{g.cells(red, 16), g.cells(red, 32)}, attr{"axis", 1}), g.floats([]int{1}, 0)})
	scores := g.node("Concat", []string{first, rest}, attr{"axis", 1})
	rows := g.node("MatMul", []string{scores, g.floats([]int{1, 11}, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)})
	rows = g.node("Add", []string{rows, g.floats([]int{11}, 0.5, 0.5, float32(math.Log(2)), float32(math.Log(4)), 0, 1, 0, 0, 0, 0, 0)})
	cells := 0
	for _, s := range []int{8, 16, 32} {
		cells += (width / s) * (height / s)
	}
	g.output("output", rows, float, 1, cells, 11)
	return g.file()
}

// yolo is a raw detector with three classes, the second of which are people: in each cell of the
// stride 8 a person of 16×32 pixels around its middle, as surely as there is red in it. The rest of
// the cells are empty.
func yolo(width, height int) []byte {
	var g graph
	red := g.red(width, height)
	rest := g.node("Mul", []string{g.node("Concat", []string{g.cells(red, 16), g.cells(red, 32)}, attr{"axis", 1}), g.floats([]int{1}, 0)})
	scores := g.node("Concat", []string{g.cells(red, 8), rest}, attr{"axis", 1})
	var at []float32
	cells := 0
	for _, s := range []int{8, 16, 32} {
		for y := range height / s {
			for x := range width / s {
				at = append(at, float32(s*x+s/2), float32(s*y+s/2), 16, 32, 0, 0, 0)
				cells++
			}
		}
	}
	rows := g.node("MatMul", []string{scores, g.floats([]int{1, 7}, 0, 0, 0, 0, 0.5, 1, 0)})
	rows = g.node("Add", []string{rows, g.floats([]int{1, cells, 7}, at...)})
	g.output("output0", g.node("Transpose", []string{rows}, attr{"perm", []int{0, 2, 1}}), float, 1, 7, cells)
	return g.file()
}

// ended is a detector like yolo of six boxes that are the best of its cells, exported end to end:
// without people, their scores are 0.
func ended(width, height int) []byte {
	var g graph
	scores := g.cells(g.red(width, height), 8)
	best := g.node("ReduceMax", []string{scores}, attr{"axes", []int{1}}, attr{"keepdims", 1})
	index := g.node("Cast", []string{g.node("ArgMax", []string{scores}, attr{"axis", 1}, attr{"keepdims", 1})}, attr{"to", float})
	wide := g.floats([]int{1}, float32(width/8))
	y := g.node("Floor", []string{g.node("Div", []string{index, wide})})
	x := g.node("Sub", []string{index, g.node("Mul", []string{y, wide})})
	row := g.node("Concat", []string{x, y, x, y, best, best}, attr{"axis", 2})
	row = g.node("Mul", []string{row, g.floats([]int{6}, 8, 8, 8, 8, 1, 0)})
	row = g.node("Add", []string{row, g.floats([]int{6}, 4-8, 4-16, 4+8, 4+16, 0, 1)})
	g.output("output0", g.node("Tile", []string{row, g.ints(1, 6, 1)}), float, 1, 6, 6)
	return g.file()
}

// yolopose is a one-stage network: in each cell of 8 pixels a person of 16×32 around its
// middle, as surely as there is red in it, the points of which go from the top left to the
// bottom right of the box.
func yolopose(width, height int) []byte {
	var g graph
	rows := g.node("MatMul", []string{g.cells(g.red(width, height), 8), g.floats([]int{1, 56}, append([]float32{0, 0, 0, 0, 1}, make([]float32, 51)...)...)})
	var at []float32
	for y := range height / 8 {
		for x := range width / 8 {
			cx, cy := float32(8*x+4), float32(8*y+4)
			at = append(at, cx, cy, 16, 32, 0)
			for k := float32(0); k < 17; k++ {
				at = append(at, cx-8+k, cy-16+2*k, 0.9)
			}
		}
	}
	cells := (width / 8) * (height / 8)
	rows = g.node("Add", []string{rows, g.floats([]int{1, cells, 56}, at...)})
	g.output("output0", g.node("Transpose", []string{rows}, attr{"perm", []int{0, 2, 1}}), float, 1, 56, cells)
	return g.file()
}

// slow is a network of many layers, all zero, that answers with heat maps.
func slow(width, height, layers int) []byte {
	const channels = 32
	var g graph
	x := g.input("input", float, 1, 3, height, width)
	x = g.node("Conv", []string{x, g.floats([]int{channels, 3, 1, 1}, make([]float32, 3*channels)...)})
	w := g.floats([]int{channels, channels, 3, 3}, make([]float32, 9*channels*channels)...)
	for range layers {
		x = g.node("Conv", []string{x, w}, attr{"pads", []int{1, 1, 1, 1}})
	}
	x = g.node("Conv", []string{x, g.floats([]int{17, channels, 1, 1}, make([]float32, 17*channels)...)}, attr{"strides", []int{4, 4}})
	g.output("heat", x, float, 1, 17, height/4, width/4)
	return g.file()
}

// nonsense is a network whose outputs are not numbers for anything but black: both of the
// shape [1, 17, 2·width], for pictures that are as wide as high.
func nonsense(width int) []byte {
	var g graph
	in := g.input("input", float, -1, 3, width, width)
	sum := g.node("ReduceSum", []string{in}, attr{"keepdims", 0})
	bad := g.node("Mul", []string{g.node("Sqrt", []string{g.node("Neg", []string{sum})}), g.floats([]int{1, 17, 2 * width}, make([]float32, 34*width)...)})
	g.output("simcc_x", bad, float, 1, 17, 2*width)
	g.output("simcc_y", bad, float, 1, 17, 2*width)
	return g.file()
}

// passes is a graph that returns its inputs, with the given types and shapes.
func passes(inputs, outputs int, kind int, shape ...int) []byte {
	var g graph
	in := ""
	for i := range inputs {
		in = g.input("in"+string(rune('a'+i)), kind, shape...)
	}
	for i := range outputs {
		g.output("out"+string(rune('a'+i)), in, kind, shape...)
	}
	return g.file()
}
