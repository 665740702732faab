package onnx

import (
	"context"
	"fmt"
	"image"

	"github.com/bodymotion/motion/inference/onnx/internal/crop"
	"github.com/bodymotion/motion/inference/onnx/internal/decode"
	"github.com/bodymotion/motion/keypoint"
)

// Detector finds the people in a picture.
//
// Promises: Detect may be called from many goroutines at once; it keeps no reference to img
// and does not change it; boxes are in pixels of img, finite and not empty; a picture
// without people gives none and no error. It returns ctx's error soon after ctx ends.
type Detector interface {
	Detect(ctx context.Context, img image.Image) ([]Detection, error)
}

// DetectorOptions say what a NetworkDetector is made of. Model is required.
type DetectorOptions struct {
	// Model is a network of the kind YOLOX or Boxes.
	Model Model

	// Library, Threads and Provider are as in Options.
	Library  string
	Threads  int
	Provider string

	// Threshold is the score from which on somebody counts as a person, 0 to 1; default
	// 0.3, -1 for 0.
	Threshold float64
}

// NetworkDetector is a Detector made of a network. It may be used from many goroutines at
// once.
type NetworkDetector struct {
	network   *network
	threshold float64
}

var _ Detector = (*NetworkDetector)(nil)

// NewDetector loads a person detector, and runs it once on an empty picture to see whether
// its descriptor fits. Errors are as of New. The caller closes the detector.
func NewDetector(opt DetectorOptions) (*NetworkDetector, error) {
	if kind := opt.Model.Descriptor.Decode.Kind; kind.pose() {
		return nil, fmt.Errorf("onnx: DetectorOptions.Model is a pose network (%s): give it to New", kind)
	}
	d := &NetworkDetector{threshold: threshold(opt.Threshold, 0.3)}
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

// Close waits for the runs that are under way and frees the network. Calls begun later give
// an error.
func (d *NetworkDetector) Close() error { return d.network.close() }

// Detect implements Detector. The people come with the highest score first.
func (d *NetworkDetector) Detect(ctx context.Context, img image.Image) ([]Detection, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if img.Bounds().Empty() {
		return nil, nil
	}
	picture := crop.New(img)
	corner := keypoint.Point{float64(img.Bounds().Min.X), float64(img.Bounds().Min.Y)}
	var people []Detection
	var at crop.View
	err := d.network.do(ctx, func(k *desk) {
		at = k.cutter.Letterbox(k.run.In, &d.network.form, &picture, false)
	}, func(k *desk, out []decode.Tensor) error {
		boxes, err := d.network.boxes(out, d.threshold)
		if err != nil {
			return err
		}
		for _, b := range boxes {
			p := detection(b, at)
			p.Box = p.Box.moved(corner)
			people = append(people, p)
		}
		return nil
	})
	return people, err
}

// boxes reads the answer of a detector.
func (n *network) boxes(out []decode.Tensor, minScore float64) ([]decode.Box, error) {
	if n.Decode.Kind == YOLOX {
		return decode.YOLOX(out[0], decode.Grid{
			Width: n.Input.Width, Height: n.Input.Height, Strides: n.Decode.Strides,
			Class: n.Decode.Class, MinScore: minScore, Overlap: n.Decode.Overlap,
		})
	}
	var labels decode.Tensor
	if len(out) > 1 {
		labels = out[1]
	}
	return decode.Boxes(out[0], labels, n.Decode.Class, minScore)
}
