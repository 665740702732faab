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
//	Fast        Lightning, its mirror image, BlazePose full   BlazePose full; Lightning if sides change
//	Balanced    Thunder, its mirror image, BlazePose full     BlazePose full; in doubt Thunder or Lightning
//	Accurate    as Balanced                                   BlazePose heavy and Thunder
//
// Networks of the two families err in different frames; package ensemble says how their looks become
// one answer. docs/how/accuracy.md and docs/use/operating.md compare the three. Accurate is for movies: in a
// picture it is Balanced. The heavy network is a module of its own, because it is large:
//
//	go get github.com/bodymotion/motion/inference/blazepose/heavy
//
//	est, err := pose.Accurate(pose.Options{}, heavy.Model())
//
// For a network of your own, see packages movenet, blazepose and onnx, and combine them with package ensemble.
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
	"github.com/bodymotion/motion/inference/onnxruntime"
)

// Options say how the networks run. All fields are optional.
type Options struct {
	onnxruntime.Options

	// PartThreshold is the least confidence of a part, 0 to 1; default 0.2. If the parts
	// together are too uncertain to be a person, the Frame is empty. -1: no threshold.
	PartThreshold float64
	// PersonThreshold is the least score of a person for MultiPose, 0 to 1; default 0.10, -1: 0.
	PersonThreshold float64
}

// Estimator is an inference.Estimator and inference.Finder. It finds heels and big toes where two looks agree on the ankle.
type Estimator struct {
	inference.TopDown
	movenet   *movenet.Estimator
	blazepose *blazepose.Estimator
	also      io.Closer // another network; nil: none
}

// Fast is faster and less accurate than Balanced: for live pictures and slow machines.
func Fast(opt Options) (*Estimator, error) {
	return open(opt, lightning.Model(), full.Model(), func(e *Estimator) (ensemble.Options, error) {
		return ensemble.Options{Following: []inference.Network{e.blazepose.Network, e.movenet.Network}, Ask: ensemble.Turned}, nil
	})
}

// Balanced is a good default, which the examples use.
func Balanced(opt Options) (*Estimator, error) {
	return open(opt, thunder.Model(), full.Model(), func(e *Estimator) (ensemble.Options, error) {
		m, err := movenet.New(movenet.Options{Options: opt.Options, Pose: lightning.Model(), PartThreshold: -1})
		if err != nil {
			return ensemble.Options{}, err
		}
		e.also = m
		return ensemble.Options{Following: []inference.Network{e.blazepose.Network, m.Network, e.movenet.Network}}, nil
	})
}

// Accurate is for movies: slower and more accurate than Balanced. At a picture it looks as Balanced does, because no ensemble with
// the heavy network was better in pictures of every kind. heavy is heavy.Model() of package inference/blazepose/heavy.
func Accurate(opt Options, heavy blazepose.Model) (*Estimator, error) {
	return open(opt, thunder.Model(), full.Model(), func(e *Estimator) (ensemble.Options, error) {
		b, err := blazepose.New(blazepose.Options{Options: opt.Options, Model: heavy, PartThreshold: -1})
		if err != nil {
			return ensemble.Options{}, err
		}
		e.also = b
		return ensemble.Options{Following: []inference.Network{b.Network, e.movenet.Network}, Ask: ensemble.Always}, nil
	})
}

// open loads a network of each family, which answer with all their parts, and makes an Estimator of them. members are those
// who follow, and when.
func open(opt Options, m movenet.Model, b blazepose.Model, members func(*Estimator) (ensemble.Options, error)) (*Estimator, error) {
	var e Estimator
	var err error
	e.movenet, err = movenet.New(movenet.Options{
		Options: opt.Options, Pose: m, People: multipose.Model(), PersonThreshold: opt.PersonThreshold, PartThreshold: -1,
	})
	if err != nil {
		return nil, err
	}
	if e.blazepose, err = blazepose.New(blazepose.Options{Options: opt.Options, Model: b, PartThreshold: -1}); err != nil {
		return nil, errors.Join(err, e.movenet.Close())
	}
	options, err := members(&e)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	options.PartThreshold = opt.PartThreshold
	options.Finding = []inference.Network{e.movenet.Network, e.movenet.Mirrored(), e.blazepose.Network}
	network, err := ensemble.New(options)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	e.TopDown = inference.TopDown{Network: network, Finder: e.movenet}
	return &e, nil
}

// Close waits for running estimates and frees the networks. Later estimates give an error.
func (e *Estimator) Close() error {
	err := errors.Join(e.movenet.Close(), e.blazepose.Close())
	if e.also != nil {
		err = errors.Join(err, e.also.Close())
	}
	return err
}
