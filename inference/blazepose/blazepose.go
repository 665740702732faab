// Package blazepose finds keypoints, those of heels and big toes too, with Google's BlazePose networks on ONNX Runtime:
//
//	finder, err := movenet.NewFinder(movenet.Options{People: multipose.Model()})
//	if err != nil {
//		log.Fatal(err) // says how to install ONNX Runtime if it is missing
//	}
//	est, err := blazepose.New(blazepose.Options{Model: full.Model(), Finder: finder})
//	if err != nil {
//		log.Fatal(err)
//	}
//	frame, err := est.Estimate(ctx, img, inference.Hint{})
//
// Close both in the end. The networks are embedded in packages lite and full, and heavy in a module of its own, because it is large:
//
//	go get github.com/bodymotion/motion@latest github.com/bodymotion/motion/inference/blazepose/heavy@latest
//
// An estimate takes these steps. The Finder finds the people in the picture; the chooser selects one of them; the network estimates
// a square around the middle of that person's hips, turned so that the torso is upright, and again where its own estimate puts that
// square elsewhere, unless the Finder is sure of the keypoints; each point moves to the mean of its heat map nearby, whose maximum
// gives the part's confidence; parts below the threshold are dropped. In a movie the square comes from the keypoints of the frame
// before, and people are searched for again only if the person seems to be lost.
//
// The Frame has positions in space too: where the network guesses the parts to be, with x, y and z turned back with the square.
//
// The networks find 21 of the 23 parts: no small toes. (V. Bazarevsky et al., BlazePose: On-device Real-time Body Pose tracking,
// 2020, https://arxiv.org/abs/2006.10204; I. Grishchenko et al., BlazePose GHUM Holistic, 2022, https://arxiv.org/abs/2206.11678.)
package blazepose

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/ort"
)

// Model is a network: that of package lite, full or heavy, or a file with the same input and outputs.
type Model struct {
	Name   string
	ONNX   []byte
	SHA256 string // of ONNX, hexadecimal; "": not checked
}

// Options are the network of an Estimator and how it runs. Only Model is required.
type Options struct {
	onnxruntime.Options

	// Model is the network: lite.Model(), full.Model() or heavy.Model().
	Model Model
	// Finder finds the people in a picture, such as a movenet.Finder. Without it the whole picture is
	// taken for one person's, which is less accurate. Close does not close it.
	Finder inference.Finder

	// PartThreshold is the least confidence of a part, 0 to 1; default 0.2. If the parts together are too uncertain to be a person,
	// the Frame is empty. -1: no threshold, always all parts.
	PartThreshold float64
}

// Estimator is an inference.Estimator and inference.Finder.
type Estimator struct {
	inference.TopDown
	network *network
}

// New loads the network. If ONNX Runtime is missing or unusable, the error wraps
// onnxruntime.ErrLibrary and says how to install it. The caller closes the Estimator.
func New(opt Options) (*Estimator, error) {
	if len(opt.Model.ONNX) == 0 {
		return nil, errors.New("blazepose: Options.Model is missing: use lite.Model(), full.Model() or heavy.Model()")
	}
	g, err := ort.OpenGraph(ort.Model{Data: opt.Model.ONNX, SHA256: opt.Model.SHA256}, ort.GraphOptions{
		Options: ort.Options(opt.Options), Input: "input", Bytes: true, Outputs: []string{"landmarks", "person", "heatmap", "world"},
	})
	if err != nil {
		return nil, fmt.Errorf("blazepose: %s: %w", opt.Model.Name, err)
	}
	n := &network{graph: g, name: opt.Model.Name, threshold: max(cmp.Or(opt.PartThreshold, 0.2), 0)}
	return &Estimator{inference.TopDown{Network: n, Finder: opt.Finder}, n}, nil
}

// Close waits for running estimates and frees the network. Later estimates give an error.
func (e *Estimator) Close() error { return e.network.graph.Close() }
