// Package blazepose finds keypoints, those of heels and big toes too, with Google's BlazePose networks
// on ONNX Runtime:
//
//	finder, err := movenet.NewFinder(movenet.Options{People: multipose.Model()})
//	if err != nil {
//		log.Fatal(err) // says how to install ONNX Runtime if it is missing
//	}
//	defer finder.Close()
//	est, err := blazepose.New(blazepose.Options{Model: full.Model(), Finder: finder})
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer est.Close()
//	frame, err := est.Estimate(ctx, img, inference.Hint{})
//
// The networks are embedded in packages lite and full, and heavy in a module of its own, because it
// is large:
//
//	go get github.com/bodymotion/motion@latest github.com/bodymotion/motion/inference/blazepose/heavy@latest
//
// A program contains only the networks whose packages it imports. ONNX Runtime is a shared library,
// loaded at run time; see Options.Library.
//
// An estimate takes these steps. The Finder finds the people in the picture; the chooser selects one
// of them; the network estimates a square around the middle of that person's hips, turned so that
// the torso is upright, and again where its own estimate puts that square elsewhere, unless the Finder
// is sure of the keypoints; each point moves to the mean of its heat map nearby, whose maximum gives the
// part's confidence; parts below the threshold are dropped. In a movie the square comes from the keypoints of the frame before, and people
// are searched for again only if the person seems to be lost.
//
// A hint whose Previous is the estimate of another network in the same picture gives a better square
// than that of most Finders.
//
// The networks find 21 of the 23 parts: no small toes. (V. Bazarevsky et al., BlazePose: On-device
// Real-time Body Pose tracking, 2020, https://arxiv.org/abs/2006.10204; I. Grishchenko et al.,
// BlazePose GHUM Holistic, 2022, https://arxiv.org/abs/2206.11678.)
package blazepose

import (
	"context"
	"errors"
	"image"
	"runtime"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/person"
	"github.com/bodymotion/motion/inference/internal/pixels"
)

// Options are the network of an Estimator and how it runs. Only Model is required.
type Options struct {
	// Model is the network: lite.Model(), full.Model() or heavy.Model().
	Model Model
	// Finder finds the people in a picture, such as a movenet.Finder. Without it the whole picture is
	// taken for one person's, which is less accurate. Close does not close it.
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
	// all parts.
	PartThreshold float64
}

// Estimator is an inference.Estimator and inference.Finder.
type Estimator struct {
	opt     Options
	network *Session
	idle    pixels.Pool
	zoom    float64 // the side of the squares is that of the network's training divided by it
}

var (
	_ inference.Estimator = (*Estimator)(nil)
	_ inference.Finder    = (*Estimator)(nil)
)

// New loads the network. If ONNX Runtime is missing or unusable, the error wraps ErrLibrary and
// says how to install it. The caller closes the Estimator.
func New(opt Options) (*Estimator, error) {
	if len(opt.Model.ONNX) == 0 {
		return nil, errors.New("blazepose: Options.Model is missing: use lite.Model(), full.Model() or heavy.Model()")
	}
	if opt.Threads <= 0 {
		opt.Threads = min(max(runtime.GOMAXPROCS(0)/2, 1), 4)
	}
	opt.PartThreshold = person.Threshold(opt.PartThreshold, 0.2)
	s, err := NewSession(opt.Model, opt)
	if err != nil {
		return nil, err
	}
	return &Estimator{opt: opt, network: s, zoom: 1}, nil
}

// Zoomed returns an Estimator that looks at squares whose side is divided by a factor of more than 0,
// with the same network: a second look, whose errors differ, for package ensemble. Close e, not the
// result.
func (e *Estimator) Zoomed(factor float64) inference.Estimator {
	return &Estimator{opt: e.opt, network: e.network, zoom: e.zoom * factor}
}

// Close waits for running estimates and frees the network. Later estimates give an error.
func (e *Estimator) Close() error { return e.network.Close() }

// Find implements inference.Finder with Options.Finder. It returns inference.ErrNoFinder if that is
// nil.
func (e *Estimator) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	switch {
	case img == nil:
		return nil, person.ErrNoPicture
	case e.opt.Finder == nil:
		return nil, inference.ErrNoFinder
	}
	return e.opt.Finder.Find(ctx, img)
}
