// Package movenet finds keypoints with Google's MoveNet networks on ONNX Runtime:
//
//	est, err := movenet.New(movenet.Options{Pose: thunder.Model(), People: multipose.Model()})
//	if err != nil {
//		log.Fatal(err) // says how to install ONNX Runtime if it is missing
//	}
//	defer est.Close()
//	frame, err := est.Estimate(ctx, img, inference.Hint{})
//
// The networks are embedded in packages lightning, thunder and multipose: a program contains only
// those it names. Package pose has ready compositions of them and others. ONNX Runtime is a shared
// library, loaded at run time; see Options.Library.
//
// An estimate takes these steps. MultiPose finds the people in the picture, scaled down to
// 256 pixels on its longer side; the chooser selects one of them; the pose network estimates
// a square crop of that person, and again with the crop rotated upright if the torso leans;
// parts below the threshold are dropped. In a movie the crop comes from the keypoints of the
// frame before, and people are searched for again only if the person seems to be lost.
//
// A Model can hold another file with the same inputs and outputs, such as a quantised one.
package movenet

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/person"
	"github.com/bodymotion/motion/inference/internal/pixels"
)

// Options are the networks of an Estimator and how they run. Only Pose is required.
type Options struct {
	// Pose is the network that finds the keypoints of one person: lightning.Model()
	// or thunder.Model().
	Pose Model
	// People is the network that finds the people in a picture: multipose.Model(). Without
	// it the pose network first searches the whole picture for one person, which is less
	// accurate.
	People Model

	// Finder finds the people instead of People, such as a Detector of package
	// inference/onnx; nil: People.
	Finder inference.Finder

	// Library is the path of ONNX Runtime, version 1.24 or newer. Default: the path in
	// $ONNXRUNTIME_LIB, else the library beside the executable, in the system's library
	// path, or in the user cache, where inference/movenet/install puts it.
	Library string
	// Threads is the number of threads per estimate; default GOMAXPROCS/2, 1 to 4, for the
	// two estimates that inference.Extract runs at once. With more estimates at once, 1
	// gives the highest throughput.
	Threads int

	// Provider is the execution provider: "cpu" (the default), "cuda", "coreml", "directml"
	// or "openvino". One that this ONNX Runtime was built without, or that finds no hardware,
	// gives an error that wraps ErrProvider.
	Provider string

	// PartThreshold is the least confidence of a part, 0 to 1; default 0.2. If the parts
	// together are too uncertain to be a person, the Frame is empty. -1: no threshold, always
	// all 17 parts.
	PartThreshold float64
	// Calibrated makes the confidences of Estimate probabilities: a part of confidence 0.8 is right,
	// within 0.2 torso lengths, in 80 of 100 cases. The networks' own scores are in the same order
	// and lower. PartThreshold applies to the scores before, so that the same parts are found.
	// The confidences that quality.Uncertainty and the thresholds of packages clean and quality
	// expect are the networks' own scores. The Keypoints of Find are not calibrated. It needs a
	// Pose with a Calibration, as lightning.Model() and thunder.Model() have.
	Calibrated bool
	// PersonThreshold is the least score of a person for People, 0 to 1; default 0.10, -1: 0.
	PersonThreshold float64
}

// Estimator is an inference.Estimator and inference.Finder.
type Estimator struct {
	opt       Options
	pose      *Session
	multipose *Finder // nil without Options.People
	idle      pixels.Pool
	mirrored  bool // the crops are mirror images
}

var (
	_ inference.Estimator = (*Estimator)(nil)
	_ inference.Finder    = (*Estimator)(nil)
)

// New loads the networks. If ONNX Runtime is missing or unusable, the error wraps ErrLibrary and
// says how to install it. The caller closes the Estimator.
func New(opt Options) (*Estimator, error) {
	if len(opt.Pose.ONNX) == 0 || opt.Pose.Size == 0 {
		return nil, errors.New("movenet: Options.Pose is missing: use lightning.Model() or thunder.Model()")
	}
	if opt.Calibrated && opt.Pose.Calibration == (Calibration{}) {
		return nil, fmt.Errorf("movenet: Options.Calibrated needs a Pose with a Calibration, and %s has none", opt.Pose.Name)
	}
	e := &Estimator{opt: opt.withDefaults()}
	var err error
	if e.pose, err = NewSession(opt.Pose, e.opt); err != nil {
		return nil, err
	}
	if len(opt.People.ONNX) > 0 {
		if e.multipose, err = NewFinder(opt); err != nil {
			return nil, errors.Join(err, e.pose.Close())
		}
	}
	return e, nil
}

// withDefaults returns the options with the defaults of those that are 0.
func (o Options) withDefaults() Options {
	if o.Threads <= 0 {
		o.Threads = min(max(runtime.GOMAXPROCS(0)/2, 1), 4)
	}
	o.PartThreshold = person.Threshold(o.PartThreshold, 0.2)
	o.PersonThreshold = person.Threshold(o.PersonThreshold, 0.10)
	return o
}

// Mirrored returns an Estimator that looks at the mirror image of each crop, with the same networks: a
// second look, whose errors differ, for package ensemble. Close e, not the result.
func (e *Estimator) Mirrored() inference.Estimator {
	return &Estimator{opt: e.opt, pose: e.pose, multipose: e.multipose, mirrored: !e.mirrored}
}

// Close waits for running estimates and frees the networks. Later estimates give an error.
func (e *Estimator) Close() error {
	if e.multipose == nil {
		return e.pose.Close()
	}
	return errors.Join(e.pose.Close(), e.multipose.Close())
}
