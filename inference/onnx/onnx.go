package onnx

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnx/internal/decode"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/keypoint"
)

// ErrLibrary is the kind of the errors that say that onnxruntime is missing or cannot be
// used, and how to install it.
var ErrLibrary = ort.ErrLibrary

// Model is a network: an .onnx file, as a path or as its bytes, and what must be known of
// it.
type Model struct {
	Path       string // of the file; data that the file refers to are looked for beside it
	ONNX       []byte // the content of the file, instead of Path
	Descriptor Descriptor
}

// Options say what an Estimator is made of. Pose is required.
type Options struct {
	// Pose is the network that finds the keypoints: one person's in a crop (SimCC,
	// Heatmap), or everybody's in the whole picture (YOLOPose).
	Pose Model
	// Detector finds the people in a picture for a network that looks at crops, such as
	// one that NewDetector returns, or a movenet.Estimator. It may be used by several Estimators; the caller
	// closes it after them. Without it the network looks for the person in the whole
	// picture first, which is less exact. A YOLOPose network takes none.
	Detector inference.Finder

	// Library is the path of onnxruntime, version 1.24 or newer. Default: the path in
	// $ONNXRUNTIME_LIB, else the library beside the executable, in the system's library
	// path, or in the user cache, where inference/movenet/install puts it.
	Library string
	// Threads is the number of threads that one run of the network uses; default: one a
	// core, at most 4. With many estimates at once, 1 gives the highest throughput.
	Threads int
	// Provider is what runs the network: "cpu" (the default), "cuda", "coreml", "directml"
	// or "openvino", where the loaded onnxruntime is built for it.
	Provider string

	// PartThreshold is the score from which on a part counts as found, 0 to 1; default
	// 0.3. Parts that do not make a body together are no person: their scores must sum to
	// 2 for 17 parts, in proportion for fewer. -1 for no threshold: all parts with a score
	// above 0 of whatever was looked at.
	PartThreshold float64
	// PersonThreshold is the score from which on somebody counts as a person for a
	// YOLOPose network, 0 to 1; default 0.3, -1 for 0. Other networks do not use it: their
	// detector has its own.
	PersonThreshold float64
}

// Estimator is an inference.Estimator. It may be used from many goroutines at once.
type Estimator struct {
	opt    Options
	pose   *network
	mapped int // how many parts the network knows
}

var (
	_ inference.Estimator = (*Estimator)(nil)
	_ inference.Finder    = (*Estimator)(nil)
)

// New loads a network, and runs it once on an empty picture to see whether its descriptor
// fits. An error that wraps ErrLibrary says that onnxruntime is missing or unusable, and
// how to install it; keypoint.FieldErrors say what is wrong in the descriptor. The
// caller closes the Estimator.
func New(opt Options) (*Estimator, error) {
	kind := opt.Pose.Descriptor.Decode.Kind
	switch {
	case kind == YOLOX || kind == Boxes:
		return nil, fmt.Errorf("onnx: Options.Pose is a person detector (%s): give it to NewDetector", kind)
	case kind == YOLOPose && opt.Detector != nil:
		return nil, errors.New("onnx: Options.Detector is of no use to a yolopose network, which finds people itself: leave it out")
	case kind != YOLOPose && opt.PersonThreshold != 0:
		return nil, fmt.Errorf("onnx: Options.PersonThreshold is for yolopose networks: with a network of the kind %q set the threshold of the detector", kind)
	}
	opt.Threads = threads(opt.Threads)
	opt.PartThreshold = threshold(opt.PartThreshold, 0.3)
	opt.PersonThreshold = threshold(opt.PersonThreshold, 0.3)
	e := &Estimator{opt: opt}
	var err error
	e.pose, err = load(opt.Pose, runtimeOptions{opt.Library, opt.Threads, opt.Provider}, func(n *network, out []decode.Tensor) error {
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
	for _, k := range e.pose.parts {
		if k >= 0 {
			e.mapped++
		}
	}
	return e, nil
}

// Close waits for the estimates that are under way and frees the network. Estimates begun
// later give an error.
func (e *Estimator) Close() error { return e.pose.close() }

// threads returns the number of threads of one run.
func threads(n int) int {
	if n > 0 {
		return n
	}
	return min(runtime.GOMAXPROCS(0), 4)
}

func threshold(v, def float64) float64 {
	switch {
	case v == 0:
		return def
	case v < 0:
		return 0
	}
	return v
}

// body reads the answer of a network that looks at crops.
func (n *network) body(spots []decode.Spot, out []decode.Tensor) ([]decode.Spot, error) {
	if n.Decode.Kind == SimCC {
		return decode.SimCC(spots, out[0], out[1], n.Input.Width, n.Input.Height, n.Decode.SplitRatio)
	}
	refine := map[string]decode.Refine{"quarter": decode.Quarter, "dark": decode.Dark, "none": decode.Cell}[n.Decode.Refine]
	return decode.Heatmaps(spots, out[0], decode.Heat{
		Width: n.Input.Width, Height: n.Input.Height, Refine: refine, Kernel: n.Decode.BlurKernel, Corners: n.Decode.UDP,
	})
}

// everybody reads the answer of a network that finds people itself.
func (n *network) everybody(out []decode.Tensor, minScore float64) ([]decode.Person, error) {
	return decode.YOLOPose(out[0], n.Decode.Points, minScore, n.Decode.Overlap)
}

// count checks how many points the network finds.
func (n *network) count(points int) error {
	if want := sets[n.Parts.Set]; n.Parts.Set != "" && points != want {
		return keypoint.FieldErrors{{Pointer: "/parts", Detail: fmt.Sprintf("%s has %d points, but the network finds %d: name the set that fits, or list the points of the 17 parts", n.Parts.Set, want, points)}}
	}
	if most := slices.Max(n.parts[:]); most >= points {
		return keypoint.FieldErrors{{Pointer: "/parts", Detail: fmt.Sprintf("names point %d, but the network finds %d, 0 to %d", most, points, points-1)}}
	}
	return nil
}
