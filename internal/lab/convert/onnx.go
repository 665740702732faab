package main

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// The parts of onnx.proto3 that the models need, written field by field. The
// numbers are the field and enumeration numbers of the ONNX specification, IR 8.

type dataType uint64

const (
	typeFloat   dataType = 1
	typeUint8   dataType = 2
	typeInt64   dataType = 7
	typeFloat16 dataType = 10
)

// tensor is an initialiser.
type tensor struct {
	name string
	kind dataType
	dims []int
	raw  []byte // little-endian values
}

func int64Tensor(dims []int, values []int64) tensor {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return tensor{kind: typeInt64, dims: dims, raw: raw}
}

func float32Tensor(dims []int, values ...float32) tensor {
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return tensor{kind: typeFloat, dims: dims, raw: raw}
}

// attr is an attribute of a node: an int, a string or a list of ints.
type attr struct {
	name  string
	value any
}

// node is an operation.
type node struct {
	op              string
	inputs, outputs []string
	attrs           []attr
}

// value is an input or output of the model; a size of -1 is free.
type value struct {
	name string
	kind dataType
	dims []int
}

// model is a whole ONNX model.
type model struct {
	name         string
	nodes        []node
	initializers []tensor
	input        value
	outputs      []value
}

func appendMessage(b []byte, field protowire.Number, msg []byte) []byte {
	b = protowire.AppendTag(b, field, protowire.BytesType)
	return protowire.AppendBytes(b, msg)
}

func appendText(b []byte, field protowire.Number, s string) []byte {
	return appendMessage(b, field, []byte(s))
}

func appendInt(b []byte, field protowire.Number, v uint64) []byte {
	b = protowire.AppendTag(b, field, protowire.VarintType)
	return protowire.AppendVarint(b, v)
}

func (t tensor) marshal() []byte {
	var b []byte
	for _, d := range t.dims {
		b = appendInt(b, 1, uint64(d))
	}
	b = appendInt(b, 2, uint64(t.kind))
	b = appendText(b, 8, t.name)
	return appendMessage(b, 9, t.raw)
}

func (a attr) marshal() []byte {
	const kindInt, kindString, kindInts = 2, 3, 7
	b := appendText(nil, 1, a.name)
	switch v := a.value.(type) {
	case int:
		b = appendInt(b, 3, uint64(v))
		return appendInt(b, 20, kindInt)
	case string:
		b = appendText(b, 4, v)
		return appendInt(b, 20, kindString)
	case []int:
		for _, x := range v {
			b = appendInt(b, 8, uint64(x))
		}
		return appendInt(b, 20, kindInts)
	}
	panic("attribute of unknown type")
}

func (n node) marshal() []byte {
	var b []byte
	for _, s := range n.inputs {
		b = appendText(b, 1, s)
	}
	for _, s := range n.outputs {
		b = appendText(b, 2, s)
	}
	b = appendText(b, 4, n.op)
	for _, a := range n.attrs {
		b = appendMessage(b, 5, a.marshal())
	}
	return b
}

func (v value) marshal() []byte {
	var shape []byte
	for i, d := range v.dims {
		var dim []byte
		if d < 0 {
			dim = appendText(nil, 2, []string{"batch", "height", "width", "channel"}[i])
		} else {
			dim = appendInt(nil, 1, uint64(d))
		}
		shape = appendMessage(shape, 1, dim)
	}
	t := appendInt(nil, 1, uint64(v.kind))
	t = appendMessage(t, 2, shape)
	b := appendText(nil, 1, v.name)
	return appendMessage(b, 2, appendMessage(nil, 1, t))
}

// marshal returns the file: IR 8, opset 17.
func (m model) marshal() []byte {
	var g []byte
	for _, n := range m.nodes {
		g = appendMessage(g, 1, n.marshal())
	}
	g = appendText(g, 2, m.name)
	for _, t := range m.initializers {
		g = appendMessage(g, 5, t.marshal())
	}
	g = appendMessage(g, 11, m.input.marshal())
	for _, o := range m.outputs {
		g = appendMessage(g, 12, o.marshal())
	}

	b := appendInt(nil, 1, 8)
	b = appendText(b, 2, "github.com/bodymotion/motion/inference/movenet/convert") // as the committed files say
	b = appendMessage(b, 7, g)
	return appendMessage(b, 8, appendInt(nil, 2, 17))
}
