// Package pose has three ready-made estimators, each an ensemble of networks that are embedded:
//
//	est, err := pose.Balanced(pose.Options{})
//	if err != nil {
//		log.Fatal(err) // says how to install ONNX Runtime if it is missing
//	}
//	defer est.Close()
//	frame, err := est.Estimate(ctx, img, inference.Hint{})
//
// A program contains only the networks of the estimators it names. All find people with MultiPose.
//
//	            in a picture, or somebody new in a movie      somebody followed in a movie
//	Fast        Lightning, its mirror image, BlazePose full   BlazePose full; Lightning if it turned
//	Balanced    Thunder, its mirror image, BlazePose full     BlazePose full; Thunder if in doubt
//	Accurate    Thunder, its mirror image, BlazePose heavy    BlazePose heavy and Thunder
//
// Networks of the two families err in different frames; package ensemble says how their looks become
// one answer. docs/accuracy.md and docs/performance.md compare the three. The heavy network is a
// module of its own, because it is large:
//
//	go get github.com/bodymotion/motion/inference/blazepose/heavy
//
//	est, err := pose.Accurate(pose.Options{}, heavy.Model())
//
// For a network of your own, see packages movenet, blazepose and onnx, and combine their estimators
// with package ensemble.
package pose

import (
	"errors"
	"io"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/ensemble"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
)

// Options say how the networks run. All fields are optional.
type Options struct {
	// Library, Threads and Provider are those of movenet.Options.
	Library  string
	Threads  int
	Provider string

	// PartThreshold is the least confidence of a part, 0 to 1; default 0.2. If the parts
	// together are too uncertain to be a person, the Frame is empty. -1: no threshold.
	PartThreshold float64
	// PersonThreshold is the least score of a person for MultiPose, 0 to 1; default 0.10, -1: 0.
	PersonThreshold float64
}

// Estimator is an inference.Estimator and inference.Finder. It finds heels and big toes where two
// looks agree on the ankle.
type Estimator struct {
	*ensemble.Estimator
	networks []io.Closer
}

// Fast is faster and less accurate than Balanced: for live pictures and slow machines.
func Fast(opt Options) (*Estimator, error) {
	e := new(Estimator)
	l, err := e.movenet(opt, lightning.Model())
	if err != nil {
		return nil, err
	}
	f, err := e.blazepose(opt, full.Model())
	if err != nil {
		return nil, err
	}
	return e.of(opt, ensemble.Options{
		Finding:   []inference.Estimator{l, l.Mirrored(), f},
		Following: []inference.Estimator{f, l},
		Ask:       ensemble.Turned,
	})
}

// Balanced is a good default, which the examples use.
func Balanced(opt Options) (*Estimator, error) {
	e := new(Estimator)
	t, err := e.movenet(opt, thunder.Model())
	if err != nil {
		return nil, err
	}
	f, err := e.blazepose(opt, full.Model())
	if err != nil {
		return nil, err
	}
	return e.of(opt, ensemble.Options{
		Finding:   []inference.Estimator{t, t.Mirrored(), f},
		Following: []inference.Estimator{f, t},
	})
}

// Accurate is slower and more accurate than Balanced. heavy is heavy.Model() of package
// inference/blazepose/heavy.
func Accurate(opt Options, heavy blazepose.Model) (*Estimator, error) {
	e := new(Estimator)
	t, err := e.movenet(opt, thunder.Model())
	if err != nil {
		return nil, err
	}
	h, err := e.blazepose(opt, heavy)
	if err != nil {
		return nil, err
	}
	// The mean over two sizes of the region is more exact.
	both, err := ensemble.New(ensemble.Options{
		Finding: []inference.Estimator{h, h.Zoomed(closer)}, Ask: ensemble.Always, PartThreshold: -1,
	})
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e.of(opt, ensemble.Options{
		Finding:   []inference.Estimator{t, t.Mirrored(), both},
		Following: []inference.Estimator{h, t},
		Ask:       ensemble.Always,
	})
}

// closer is the zoom of the second look of Accurate.
const closer = 1.2

// Close waits for running estimates and frees the networks. Later estimates give an error.
func (e *Estimator) Close() error {
	var err error
	for _, n := range e.networks {
		err = errors.Join(err, n.Close())
	}
	return err
}

// movenet opens a network of package movenet with MultiPose, and closes e if that fails.
func (e *Estimator) movenet(opt Options, m movenet.Model) (*movenet.Estimator, error) {
	n, err := movenet.New(movenet.Options{
		Pose: m, People: multipose.Model(), PersonThreshold: opt.PersonThreshold, PartThreshold: -1,
		Library: opt.Library, Threads: opt.Threads, Provider: opt.Provider,
	})
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	e.networks = append(e.networks, n)
	return n, nil
}

// blazepose opens a network of package blazepose, and closes e if that fails.
func (e *Estimator) blazepose(opt Options, m blazepose.Model) (*blazepose.Estimator, error) {
	n, err := blazepose.New(blazepose.Options{
		Model: m, PartThreshold: -1, Library: opt.Library, Threads: opt.Threads, Provider: opt.Provider,
	})
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	e.networks = append(e.networks, n)
	return n, nil
}

// of makes e of its members.
func (e *Estimator) of(opt Options, members ensemble.Options) (*Estimator, error) {
	members.PartThreshold = opt.PartThreshold
	var err error
	if e.Estimator, err = ensemble.New(members); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}
