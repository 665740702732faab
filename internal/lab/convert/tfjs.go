package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
)

// graph is a TensorFlow.js graph model.
type graph struct {
	nodes   map[string]*tfNode
	weights map[string]weight
	input   string
}

// tfNode is an operation of the graph.
type tfNode struct {
	Name  string            `json:"name"`
	Op    string            `json:"op"`
	Input []string          `json:"input"`
	Attr  map[string]tfAttr `json:"attr"`
}

type tfAttr struct {
	I    *string `json:"i"`
	B    bool    `json:"b"`
	S    string  `json:"s"` // base64
	Type string  `json:"type"`
	List struct {
		I []string `json:"i"`
		S []string `json:"s"` // base64
	} `json:"list"`
	Shape struct {
		Dim []struct {
			Size string `json:"size"`
		} `json:"dim"`
	} `json:"shape"`
}

// weight is a constant of the graph, float16 or int32.
type weight struct {
	dims   []int
	half   []byte  // float16 values, little-endian; nil for integers
	values []int64 // integer values
}

// parseGraph reads the two files of a graph model.
func parseGraph(topology, binary []byte) (*graph, error) {
	var doc struct {
		ModelTopology   struct{ Node []*tfNode }
		WeightsManifest []struct {
			Weights []struct {
				Name         string
				Shape        []int
				Dtype        string
				Quantization *struct{ Dtype string }
			}
		}
	}
	if err := json.Unmarshal(topology, &doc); err != nil {
		return nil, err
	}
	g := &graph{nodes: map[string]*tfNode{}, weights: map[string]weight{}}
	for _, n := range doc.ModelTopology.Node {
		g.nodes[n.Name] = n
		if n.Op == "Placeholder" {
			g.input = n.Name
		}
	}
	rest := binary
	for _, group := range doc.WeightsManifest {
		for _, w := range group.Weights {
			count := 1
			for _, d := range w.Shape {
				count *= d
			}
			width := 4
			isHalf := w.Dtype == "float32" && w.Quantization != nil && w.Quantization.Dtype == "float16"
			if isHalf {
				width = 2
			} else if w.Dtype != "int32" || w.Quantization != nil {
				return nil, fmt.Errorf("weight %s is of type %s, want float16 or int32", w.Name, w.Dtype)
			}
			if len(rest) < count*width {
				return nil, fmt.Errorf("the weights end before %s", w.Name)
			}
			raw := rest[:count*width]
			rest = rest[count*width:]
			if isHalf {
				g.weights[w.Name] = weight{dims: w.Shape, half: raw}
			} else {
				g.weights[w.Name] = weight{dims: w.Shape, values: integers(raw)}
			}
		}
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%d extra bytes of weights", len(rest))
	}
	return g, nil
}

func integers(raw []byte) []int64 {
	values := make([]int64, len(raw)/4)
	for i := range values {
		values[i] = int64(int32(binary.LittleEndian.Uint32(raw[4*i:])))
	}
	return values
}

// integer returns an integer attribute; 0 if it is missing.
func (n *tfNode) integer(name string) int {
	if a := n.Attr[name]; a.I != nil {
		return n.number(name, *a.I)
	}
	return 0
}

// number reads a number of an attribute.
func (n *tfNode) number(name, text string) int {
	v, err := strconv.Atoi(text)
	if err != nil {
		panic(n.Name + ": attribute " + name + ": " + err.Error())
	}
	return v
}

// integers returns an attribute that is a list of integers.
func (n *tfNode) integers(name string) []int {
	list := n.Attr[name].List.I
	values := make([]int, len(list))
	for i, s := range list {
		values[i] = n.number(name, s)
	}
	return values
}

// text returns a string attribute.
func (n *tfNode) text(name string) string { return decodeText(n.Attr[name].S) }

// texts returns an attribute that is a list of strings.
func (n *tfNode) texts(name string) []string {
	var list []string
	for _, s := range n.Attr[name].List.S {
		list = append(list, decodeText(s))
	}
	return list
}

func decodeText(s string) string {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic("attribute is not base64: " + err.Error())
	}
	return string(b)
}
