// Package movenet finds keypoints with Google's MoveNet networks on ONNX Runtime:
//
//	est, err := movenet.New(movenet.Options{Pose: thunder.Model(), People: multipose.Model()})
//	if err != nil {
//		log.Fatal(err) // says how to install ONNX Runtime if it is missing
//	}
//	defer est.Close()
//	frame, err := est.Estimate(ctx, img, inference.Hint{})
//
// The networks are embedded in packages lightning, thunder and multipose: a program contains only those it names. Package pose has
// ready compositions of them and others. ONNX Runtime is a shared library, loaded at run time; see package onnxruntime.
//
// An estimate takes these steps. MultiPose finds the people in the picture, scaled down to 256 pixels on its longer side; the
// chooser selects one of them; the pose network estimates a square crop of that person, and again with the crop rotated upright if
// the torso leans; parts below the threshold are dropped. In a movie the crop comes from the keypoints of the frame before, and
// people are searched for again only if the person seems to be lost.
//
// A Model can hold another file with the same inputs and outputs, such as a quantised one.
package movenet

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/ort"
)

// Model is a network: that of package lightning, thunder or multipose, or a file with the same inputs and outputs.
type Model struct {
	Name   string
	ONNX   []byte
	SHA256 string // of ONNX, hexadecimal; "": not checked
	Size   int    // width and height of a pose network's input, pixels; 0: MultiPose
}

// Options are the networks of an Estimator and how they run. Only Pose is required.
type Options struct {
	onnxruntime.Options

	// Pose is the network that finds the keypoints of one person: lightning.Model() or thunder.Model().
	Pose Model
	// People is the network that finds the people in a picture: multipose.Model(). Without it the pose network first searches the
	// whole picture for one person, which is less accurate.
	People Model
	// Finder finds the people instead of People, such as a Detector of package inference/onnx; nil: People.
	Finder inference.Finder

	// PartThreshold is the least confidence of a part, 0 to 1; default 0.2. If the parts together are too uncertain to be a person,
	// the Frame is empty. -1: no threshold, always all 17 parts.
	PartThreshold float64
	// PersonThreshold is the least score of a person for People, 0 to 1; default 0.10, -1: 0.
	PersonThreshold float64
}

// Estimator is an inference.Estimator and inference.Finder.
type Estimator struct {
	inference.TopDown
	pose   *network
	people Finder // nil without Options.People
}

// New loads the networks. If ONNX Runtime is missing or unusable, the error wraps
// onnxruntime.ErrLibrary and says how to install it. The caller closes the Estimator.
func New(opt Options) (*Estimator, error) {
	if len(opt.Pose.ONNX) == 0 || opt.Pose.Size == 0 {
		return nil, errors.New("movenet: Options.Pose is missing: use lightning.Model() or thunder.Model()")
	}
	g, err := open(opt.Pose, opt)
	if err != nil {
		return nil, err
	}
	n := &network{graph: g, model: opt.Pose, threshold: max(cmp.Or(opt.PartThreshold, 0.2), 0)}
	e := &Estimator{TopDown: inference.TopDown{Network: n}, pose: n}
	if len(opt.People.ONNX) > 0 {
		if e.people, err = NewFinder(opt); err != nil {
			return nil, errors.Join(err, g.Close())
		}
		e.Finder = e.people
	}
	if opt.Finder != nil {
		e.Finder = opt.Finder
	}
	return e, nil
}

func open(m Model, opt Options) (*ort.Graph, error) {
	g, err := ort.OpenGraph(ort.Model{Data: m.ONNX, SHA256: m.SHA256}, ort.GraphOptions{
		Options: ort.Options(opt.Options), Input: "input", Bytes: true, Outputs: []string{"output"},
	})
	if err != nil {
		return nil, fmt.Errorf("movenet: %s: %w", m.Name, err)
	}
	return g, nil
}

// Mirrored returns a Network that looks at the mirror image of each region: a second look, whose errors
// differ, for package ensemble. Close e, not the result.
func (e *Estimator) Mirrored() inference.Network {
	return &network{graph: e.pose.graph, model: e.pose.model, threshold: e.pose.threshold, mirrored: true}
}

// Close waits for running estimates and frees the networks. Later estimates give an error.
func (e *Estimator) Close() error {
	if e.people == nil {
		return e.pose.graph.Close()
	}
	return errors.Join(e.pose.graph.Close(), e.people.Close())
}
