package onnx

import (
	"context"
	"fmt"
	"image"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/person"
	"github.com/bodymotion/motion/inference/onnx/internal/crop"
	"github.com/bodymotion/motion/inference/onnx/internal/decode"
	"github.com/bodymotion/motion/keypoint"
)

// DetectorOptions are the network of a Detector and how it runs. Only Model is required.
type DetectorOptions struct {
	// Model is a network of the kind YOLO, YOLOX or Boxes.
	Model Model

	// Library, Threads and Provider are as in Options.
	Library  string
	Threads  int
	Provider string

	// Threshold is the least score of a person, 0 to 1; default 0.3, -1: 0.
	Threshold float64
}

// Detector is an inference.Finder.
type Detector struct {
	network   *network
	threshold float64
}

var _ inference.Finder = (*Detector)(nil)

// NewDetector loads a person detector, and runs it once on an empty picture to check its
// descriptor. Its errors are those of New. The caller closes the Detector.
func NewDetector(opt DetectorOptions) (*Detector, error) {
	if kind := opt.Model.Descriptor.Decode.Kind; kind.pose() {
		return nil, fmt.Errorf("onnx: DetectorOptions.Model is a pose network (%s): give it to New", kind)
	}
	d := &Detector{threshold: person.Threshold(opt.Threshold, 0.3)}
	var err error
	d.network, err = load(opt.Model, runtimeOptions{opt.Library, threads(opt.Threads), opt.Provider}, func(n *network, out []decode.Tensor) error {
		_, err := n.boxes(out, 0)
		return err
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Close waits for running calls and frees the network. Later calls give an error.
func (d *Detector) Close() error { return d.network.close() }

// Find implements inference.Finder.
func (d *Detector) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if img == nil {
		return nil, person.ErrNoPicture
	}
	if img.Bounds().Empty() {
		return nil, nil
	}
	picture := crop.New(img)
	var people []inference.Candidate
	var at crop.View
	err := d.network.do(ctx, func(k *buffers) {
		at = k.cutter.Letterbox(k.run.In, &d.network.form, &picture, d.network.Decode.Kind == YOLO)
	}, func(k *buffers, out []decode.Tensor) error {
		boxes, err := d.network.boxes(out, d.threshold)
		for _, b := range boxes {
			people = append(people, candidate(b, at))
		}
		return err
	})
	corner := keypoint.Point{float64(img.Bounds().Min.X), float64(img.Bounds().Min.Y)}
	return person.AllMoved(people, corner), err
}

// boxes decodes the output of a detector.
func (n *network) boxes(out []decode.Tensor, minScore float64) ([]decode.Box, error) {
	grid := decode.Grid{
		Width: n.Input.Width, Height: n.Input.Height, Strides: n.Decode.Strides,
		Class: n.Decode.Class, MinScore: minScore, Overlap: n.Decode.Overlap,
	}
	switch n.Decode.Kind {
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
