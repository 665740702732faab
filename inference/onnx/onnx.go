package onnx

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnx/internal/decode"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/keypoint"
)

// Model is a network: an .onnx file, as a path or as bytes, and its Descriptor.
type Model struct {
	Path       string // of the file; external data is searched for beside it
	ONNX       []byte // the content of the file, instead of Path
	Descriptor Descriptor
}

// Options are the network of an Estimator and how it runs. Only Pose is required.
type Options struct {
	onnxruntime.Options

	// Pose is the network that finds the keypoints of one person in a crop (SimCC, Heatmap)
	// or of everybody in the whole picture (YOLOPose).
	Pose Model
	// Finder finds the people in a picture for a network that estimates crops: a Detector, or a movenet.Estimator.
	// Several Estimators may share it; the caller closes it after them. Without it the network first searches the
	// whole picture for one person, which is less accurate. A YOLOPose network takes none.
	Finder inference.Finder

	// PartThreshold is the least score of a part, 0 to 1; default 0.3. If the scores of the 17 parts from the nose to the ankles
	// sum to less than 2, in proportion for fewer, the Frame is empty. -1: no threshold, all parts with a score above 0.
	PartThreshold float64
	// PersonThreshold is the least score of a person for a YOLOPose network, 0 to 1; default
	// 0.3, -1: 0. For other networks, set the threshold of the Finder.
	PersonThreshold float64
}

// Estimator is an inference.Estimator and inference.Finder. It finds people with Options.Finder, or with a YOLOPose network.
type Estimator struct {
	inference.TopDown
	network *network
}

// New loads a network, and runs it once on an empty picture to check its descriptor. If ONNX
// Runtime is missing or unusable, the error wraps onnxruntime.ErrLibrary and says how to install it;
// mistakes in the descriptor are keypoint.FieldErrors. The caller closes the Estimator.
func New(opt Options) (*Estimator, error) {
	kind := opt.Pose.Descriptor.Decode.Kind
	switch {
	case kind.detector():
		return nil, fmt.Errorf("onnx: Options.Pose is a person detector (%s): give it to NewDetector", kind)
	case kind == YOLOPose && opt.Finder != nil:
		return nil, errors.New("onnx: Options.Finder must be nil for a yolopose network, which finds people itself")
	case kind != YOLOPose && opt.PersonThreshold != 0:
		return nil, fmt.Errorf("onnx: Options.PersonThreshold is for yolopose networks: with a network of the kind %q set the threshold of the Finder", kind)
	}
	n, err := load(opt.Pose, opt.Options, func(n *network, out []decode.Tensor) error {
		if kind == YOLOPose {
			_, err := n.everybody(out, 0)
			return err
		}
		spots, err := n.body(nil, out)
		if err != nil {
			return err
		}
		return n.count(len(spots))
	})
	if err != nil {
		return nil, err
	}
	n.partThreshold = max(cmp.Or(opt.PartThreshold, 0.3), 0)
	n.personThreshold = max(cmp.Or(opt.PersonThreshold, 0.3), 0)
	e := &Estimator{inference.TopDown{Network: n, Finder: opt.Finder}, n}
	if kind == YOLOPose {
		e.Finder = n
	}
	return e, nil
}

// Close waits for running estimates and frees the network. Later estimates give an error.
func (e *Estimator) Close() error { return e.network.graph.Close() }

// body decodes the output of a network that estimates crops.
func (n *network) body(spots []decode.Spot, out []decode.Tensor) ([]decode.Spot, error) {
	if n.Decode.Kind == SimCC {
		return decode.SimCC(spots, out[0], out[1], n.Input.Width, n.Input.Height, n.Decode.SplitRatio)
	}
	refine := map[string]decode.Refine{"quarter": decode.Quarter, "dark": decode.Dark, "none": decode.Cell}[n.Decode.Refine]
	return decode.Heatmaps(spots, out[0], decode.Heat{
		Width: n.Input.Width, Height: n.Input.Height, Refine: refine, Kernel: n.Decode.BlurKernel, Corners: n.Decode.UDP,
	})
}

// count checks the number of points that the network finds.
func (n *network) count(points int) error {
	if want := sets[n.Parts.Set].points; n.Parts.Set != "" && points != want {
		return keypoint.FieldErrors{{Pointer: "/parts", Detail: fmt.Sprintf("%s has %d points, but the network finds %d: name the set that fits, or list the points of the parts", n.Parts.Set, want, points)}}
	}
	if most := slices.Max(n.parts[:]); most >= points {
		return keypoint.FieldErrors{{Pointer: "/parts", Detail: fmt.Sprintf("names point %d, but the network finds %d, 0 to %d", most, points, points-1)}}
	}
	return nil
}
