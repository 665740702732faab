package main

import (
	"errors"
	"io"
	"os"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/blazepose/heavy"
	"github.com/bodymotion/motion/inference/blazepose/lite"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/inference/pose"
)

// estimator is the estimator to measure.
type estimator interface {
	inference.Estimator
	io.Closer
}

// choice is a value of -estimator.
type choice struct {
	name, about string
	open        func(o options) (estimator, error)
}

// estimators is the table of estimators; the first is the default.
func estimators() []choice {
	return []choice{
		{"balanced", "pose.Balanced", func(o options) (estimator, error) { return ready(o, pose.Balanced) }},
		{"fast", "pose.Fast", func(o options) (estimator, error) { return ready(o, pose.Fast) }},
		{"accurate", "pose.Accurate", func(o options) (estimator, error) {
			return ready(o, func(opt pose.Options) (*pose.Estimator, error) { return pose.Accurate(opt, heavy.Model()) })
		}},
		{"thunder", "Thunder on the person that MultiPose finds", func(o options) (estimator, error) {
			return moveNet(o, movenet.Options{Pose: thunder.Model(), People: multipose.Model()})
		}},
		{"lightning", "Lightning on that person", func(o options) (estimator, error) {
			return moveNet(o, movenet.Options{Pose: lightning.Model(), People: multipose.Model()})
		}},
		{"thunder-alone", "Thunder on the whole picture", func(o options) (estimator, error) {
			return moveNet(o, movenet.Options{Pose: thunder.Model()})
		}},
		{"lightning-alone", "Lightning on the whole picture", func(o options) (estimator, error) {
			return moveNet(o, movenet.Options{Pose: lightning.Model()})
		}},
		{"blazepose-lite", "BlazePose lite on that person", func(o options) (estimator, error) {
			return blazePose(o, lite.Model())
		}},
		{"blazepose-full", "BlazePose full on that person", func(o options) (estimator, error) {
			return blazePose(o, full.Model())
		}},
		{"blazepose-heavy", "BlazePose heavy on that person", func(o options) (estimator, error) {
			return blazePose(o, heavy.Model())
		}},
	}
}

// ready opens an estimator of package pose.
func ready(o options, open func(pose.Options) (*pose.Estimator, error)) (estimator, error) {
	if o.pose != "" || o.people != "" {
		return nil, errors.New("-pose and -people stand in for the networks of thunder, lightning and blazepose estimators")
	}
	opt := pose.Options{Options: onnxruntime.Options{Library: o.library, Threads: o.threads}, PersonThreshold: o.person}
	if o.allParts {
		opt.PartThreshold = -1
	}
	e, err := open(opt)
	if err != nil {
		return nil, err // not e: a nil pointer in an interface is not nil
	}
	return e, nil
}

// blazePose opens a network of package blazepose with MultiPose as its Finder.
func blazePose(o options, m blazepose.Model) (estimator, error) {
	opt := blazepose.Options{Options: onnxruntime.Options{Library: o.library, Threads: o.threads}, Model: m}
	if o.allParts {
		opt.PartThreshold = -1
	}
	if o.pose != "" {
		data, err := os.ReadFile(o.pose)
		if err != nil {
			return nil, err
		}
		opt.Model = blazepose.Model{Name: o.pose, ONNX: data}
	}
	people := movenet.Options{Options: onnxruntime.Options{Library: o.library, Threads: o.threads}, People: multipose.Model(), PersonThreshold: o.person}
	if o.people != "" {
		data, err := os.ReadFile(o.people)
		if err != nil {
			return nil, err
		}
		people.People = movenet.Model{Name: o.people, ONNX: data}
	}
	finder, err := movenet.NewFinder(people)
	if err != nil {
		return nil, err
	}
	opt.Finder = finder
	e, err := blazepose.New(opt)
	if err != nil {
		return nil, errors.Join(err, finder.Close())
	}
	return withFinder{e, finder}, nil
}

// withFinder is an estimator that closes its finder too.
type withFinder struct {
	*blazepose.Estimator
	finder *movenet.Finder
}

func (w withFinder) Close() error { return errors.Join(w.Estimator.Close(), w.finder.Close()) }

// moveNet opens a composition of package movenet with the options.
func moveNet(o options, m movenet.Options) (estimator, error) {
	m.Threads, m.Library = o.threads, o.library
	if o.allParts {
		m.PartThreshold = -1
	}
	m.PersonThreshold = o.person
	for _, other := range []struct {
		path  string
		model *movenet.Model
	}{{o.pose, &m.Pose}, {o.people, &m.People}} {
		if other.path == "" {
			continue
		}
		data, err := os.ReadFile(other.path)
		if err != nil {
			return nil, err
		}
		*other.model = movenet.Model{Name: other.path, ONNX: data, Size: other.model.Size}
	}
	e, err := movenet.New(m)
	if err != nil {
		return nil, err // not e: a nil pointer in an interface is not nil
	}
	return e, nil
}
