// Package movenet finds keypoints with Google's MoveNet networks on ONNX Runtime.
//
// The networks are embedded in the packages lightning, thunder and multipose below
// this one, so that a program carries only those that it names:
//
//	est, err := movenet.New(movenet.Options{Pose: thunder.Model(), People: multipose.Model()})
//
// Package settings has ready compositions of them.
//
// ONNX Runtime is a shared library, loaded at run time: see Options.Library.
//
// One estimate goes through these steps. MultiPose finds the people in the picture,
// shrunk to 256 pixels on its longer side; the one most in the centre and in the
// foreground is chosen; the pose network sees a square crop of that person, once more
// with the crop turned upright when the torso leans; parts below the threshold are
// dropped. In a movie the crop comes from the keypoints of the frame before, and
// people are looked for again only when the person seems to be lost.
//
// # Networks of 8 bits
//
// A Model can hold another file of the same inputs and outputs, such as one of the embedded
// networks quantised by onnxruntime's tools; internal/lab/eval -pose and -people measure it.
// There is none here, because what it gains in time it loses in accuracy. Static
// quantisation (QDQ, a scale a channel) on one core with AVX-512 VNNI makes Thunder 1.7 and
// MultiPose 1.45 times as fast, dynamic quantisation 8 to 9 times slower; with the first
// layers, neck and heads left as they are Thunder is 1.3 times as fast. The share of people
// who are found (the mean over OKS .50:.05:.95, as in README.md of the module):
//
//	                                                LSP extended  COCO  PFG
//	Balanced                                        .580          .633  .909
//	Thunder quantised, by the extremes              .545          .562  .855
//	Thunder quantised, by the 99.99th percentile    .555          .614  .882
//	the same, first layers, neck and heads left     .577          .629  .868
//	MultiPose quantised, by the extremes            .575          .595  .877
package movenet

import (
	"errors"
	"runtime"
	"sync"

	"github.com/bodymotion/motion/inference"
)

// Options say what an Estimator is made of. Pose is required.
type Options struct {
	// Pose is the network that finds the keypoints of one person: lightning.Model()
	// or thunder.Model().
	Pose Model
	// People is the network that finds the people in a picture: multipose.Model().
	// Without it the pose network looks for the person in the whole picture first,
	// which is less exact and cannot tell a picture without a person.
	People Model

	// Finder finds the people in People's place, such as a detector of package
	// inference/onnx; nil for People.
	Finder inference.Finder
	// Thorough looks at a person who is not followed in four turns and several sizes, up to
	// 14 times, where the first look is not sure: slower, and better for people who are
	// upside down or lie.
	Thorough bool

	// Library is the path of onnxruntime, version 1.24 or newer. Default: the path in
	// $ONNXRUNTIME_LIB, else the library beside the executable, in the system's
	// library path, or in the user cache, where inference/movenet/install puts it.
	Library string
	// Threads is the number of threads that one estimate uses; default: half the cores
	// that the process may use (GOMAXPROCS), 1 to 4, for the two estimates that
	// inference.Extract runs at a time. With more estimates at once, 1 gives the highest
	// throughput.
	Threads int

	// Provider is what runs the networks: "cpu" (the default), "cuda", "coreml",
	// "directml" or "openvino". One that the loaded onnxruntime is not built for, or that
	// finds no hardware, gives an error that wraps ErrProvider.
	Provider string

	// PartThreshold is the confidence from which on a part counts as found, 0 to 1;
	// default 0.2. Parts that do not make a body together are no person. -1 for no
	// threshold: all 17 parts of whatever was looked at.
	PartThreshold float64
	// PersonThreshold is the score of People from which on somebody counts as a
	// person, 0 to 1; default 0.07, -1 for 0.
	PersonThreshold float64
}

// Estimator is an inference.Estimator. It may be used from many goroutines at once.
type Estimator struct {
	opt    Options
	pose   *Session
	people *Session  // nil without Options.People
	idle   sync.Pool // of *pixels.Cutter
}

var (
	_ inference.Estimator = (*Estimator)(nil)
	_ inference.Finder    = (*Estimator)(nil)
)

// New loads the networks. An error that wraps ErrLibrary says that onnxruntime is
// missing or unusable, and how to install it. The caller closes the Estimator.
func New(opt Options) (*Estimator, error) {
	if len(opt.Pose.ONNX) == 0 || opt.Pose.Size == 0 {
		return nil, errors.New("movenet: Options.Pose is missing: use lightning.Model() or thunder.Model()")
	}
	if len(opt.People.ONNX) > 0 && opt.People.Size != 0 {
		return nil, errors.New("movenet: Options.People is a pose network: use multipose.Model()")
	}
	if opt.Threads <= 0 {
		opt.Threads = min(max(runtime.GOMAXPROCS(0)/2, 1), 4)
	}
	opt.PartThreshold = threshold(opt.PartThreshold, 0.2)
	opt.PersonThreshold = threshold(opt.PersonThreshold, 0.07)
	e := &Estimator{opt: opt}
	var err error
	if e.pose, err = load(opt.Pose, opt); err != nil {
		return nil, err
	}
	if len(opt.People.ONNX) > 0 {
		if e.people, err = load(opt.People, opt); err != nil {
			return nil, errors.Join(err, e.pose.Close())
		}
	}
	return e, nil
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

// Close waits for the estimates that are under way and frees the networks. Estimates
// begun later give an error.
func (e *Estimator) Close() error {
	if e.people == nil {
		return e.pose.Close()
	}
	return errors.Join(e.pose.Close(), e.people.Close())
}
