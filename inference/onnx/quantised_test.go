package onnx_test

import (
	"image"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnx"
	"github.com/bodymotion/motion/keypoint"
)

// levels passes values through 8 bits: steps of 1/255 from 0 on.
func (g *graph) levels(in string) string {
	scale, zero := g.floats(nil, 1.0/255), g.constant(2, nil, []byte{0})
	return g.node("DequantizeLinear", []string{g.node("QuantizeLinear", []string{in, scale, zero}), scale, zero})
}

// quantised is heatmaps as a tool for 8-bit networks writes it: activations in unsigned
// bytes, the weights in signed ones, with a scale of its own for each channel.
func quantised(points, width, height int) []byte {
	var g graph
	w, scales := make([]byte, 3*points), make([]float32, points)
	for k := range points {
		// A weight of 1 as 80, 100 or 50 steps.
		steps := []byte{80, 100, 50}[k%3]
		w[3*k+k%3], scales[k] = steps, 1/float32(steps)
	}
	weights := g.node("DequantizeLinear", []string{
		g.constant(3, []int{points, 3, 1, 1}, w), g.floats([]int{points}, scales...), g.constant(3, []int{points}, make([]byte, points)),
	}, attr{"axis", 0})
	in := g.levels(g.input("picture", float, 1, 3, height, width))
	maps := g.levels(g.node("Conv", []string{in, weights}, attr{"strides", []int{4, 4}}))
	g.output("heat", maps, float, 1, points, height/4, width/4)
	return g.file()
}

// TestQuantised: an 8-bit network works like any other and gives the results of the same network in
// floating point.
func TestQuantised(t *testing.T) {
	centre := keypoint.Point{200, 150}
	blobs := body(centre, 80)
	picture := paint(image.Rect(0, 0, 400, 300), blobs...)
	d := descriptor(onnx.Heatmap, 96, 128)
	d.Decode.Refine = "dark"
	var frames [2]keypoint.Frame
	for i, file := range [][]byte{heatmaps(17, 96, 128, false), quantised(17, 96, 128)} {
		e := newEstimator(t, onnx.Options{
			Pose:   onnx.Model{ONNX: file, Descriptor: d},
			Finder: &found{people: []inference.Candidate{at(centre, 80)}},
		})
		frames[i] = estimate(t, e, picture, keypoint.Frame{})
		check(t, &frames[i], blobs, 1.5)
	}
	for _, part := range frames[0].Present().List() {
		whole, _ := frames[0].At(part)
		bytes, ok := frames[1].At(part)
		if apart := bytes.Sub(whole).Len(); !ok || apart > 0.5 {
			t.Errorf("%v is %.2f pixels from where the network in floating point finds it (%v)", part, apart, ok)
		}
	}
}
