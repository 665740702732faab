package onnx

import (
	"cmp"
	"context"
	"fmt"
	"image"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnx/internal/decode"
	"github.com/bodymotion/motion/inference/onnxruntime"
)

// DetectorOptions are the network of a Detector and how it runs. Only Model is required.
type DetectorOptions struct {
	onnxruntime.Options

	Model     Model   // a network of the kind YOLO, YOLOX or Boxes
	Threshold float64 // the least score of a person, 0 to 1; default 0.3, -1: 0
}

// Detector is an inference.Finder.
type Detector struct{ network *network }

var _ inference.Finder = (*Detector)(nil)

// NewDetector loads a person detector, and runs it once on an empty picture to check its
// descriptor. Its errors are those of New. The caller closes the Detector.
func NewDetector(opt DetectorOptions) (*Detector, error) {
	if kind := opt.Model.Descriptor.Decode.Kind; kind.pose() {
		return nil, fmt.Errorf("onnx: DetectorOptions.Model is a pose network (%s): give it to New", kind)
	}
	n, err := load(opt.Model, opt.Options, func(n *network, out []decode.Tensor) error {
		_, err := n.everybody(out, 0)
		return err
	})
	if err != nil {
		return nil, err
	}
	n.personThreshold = max(cmp.Or(opt.Threshold, 0.3), 0)
	return &Detector{n}, nil
}

// Close waits for running calls and frees the network. Later calls give an error.
func (d *Detector) Close() error { return d.network.graph.Close() }

func (d *Detector) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	return d.network.Find(ctx, img)
}

// everybody decodes the output of a network that finds people. Detectors find no points.
func (n *network) everybody(out []decode.Tensor, minScore float64) ([]decode.Person, error) {
	grid := decode.Grid{
		Width: n.Input.Width, Height: n.Input.Height, Strides: n.Decode.Strides,
		Class: n.Decode.Class, MinScore: minScore, Overlap: n.Decode.Overlap,
	}
	switch n.Decode.Kind {
	case YOLOPose:
		return decode.YOLOPose(out[0], n.Decode.Points, minScore, n.Decode.Overlap)
	case YOLO:
		return decode.YOLO(out[0], grid)
	case YOLOX:
		return decode.YOLOX(out[0], grid)
	}
	var labels decode.Tensor
	if len(out) > 1 {
		labels = out[1]
	}
	return decode.Boxes(out[0], labels, n.Decode.Class, minScore)
}
