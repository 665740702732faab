// Package movenet finds keypoints with Google's MoveNet networks on ONNX Runtime.
//
// The networks are embedded in the packages lightning, thunder and multipose below
// this one, so that a program carries only those that it names:
//
//	est, err := movenet.New(movenet.Options{Pose: thunder.Model(), People: multipose.Model()})
//
// ONNX Runtime is a shared library, loaded at run time: see Options.Library.
//
// One estimate goes through these steps. MultiPose finds the people in the picture,
// shrunk to 256 pixels on its longer side; the one most in the centre and in the
// foreground is chosen; the pose network sees a square crop of that person, once more
// with the crop turned upright when the torso leans; parts below the threshold are
// dropped. In a movie the crop comes from the keypoints of the frame before, and
// people are looked for again only when the person seems to be lost.
package movenet

import (
	"context"
	"errors"
	"image"
	"math"
	"runtime"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
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

	// Library is the path of onnxruntime, version 1.24 or newer. Default: the path in
	// $ONNXRUNTIME_LIB, else the library beside the executable, in the system's
	// library path, or in the user cache, where inference/movenet/install puts it.
	Library string
	// Threads is the number of threads that one estimate uses; default: one a core, at
	// most 4. With many estimates at once, 1 gives the highest throughput.
	Threads int

	// PartThreshold is the confidence from which on a part counts as found, 0 to 1;
	// default 0.2, -1 for 0.
	PartThreshold float64
	// PersonThreshold is the score of People from which on somebody counts as a
	// person, 0 to 1; default 0.1, -1 for 0.
	PersonThreshold float64
}

// Estimator is an inference.Estimator. It may be used from many goroutines at once.
type Estimator struct {
	opt    Options
	pose   *Session
	people *Session // nil without Options.People
}

var _ inference.Estimator = (*Estimator)(nil)

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
		opt.Threads = min(runtime.NumCPU(), 4)
	}
	opt.PartThreshold = threshold(opt.PartThreshold, 0.2)
	opt.PersonThreshold = threshold(opt.PersonThreshold, 0.1)
	e := &Estimator{opt: opt}
	var err error
	if e.pose, err = Load(opt.Pose, opt.Library, opt.Threads); err != nil {
		return nil, err
	}
	if len(opt.People.ONNX) > 0 {
		if e.people, err = Load(opt.People, opt.Library, opt.Threads); err != nil {
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

// Close frees the networks. No estimate may be under way.
func (e *Estimator) Close() error {
	if e.people == nil {
		return e.pose.Close()
	}
	return errors.Join(e.pose.Close(), e.people.Close())
}

// Estimate implements inference.Estimator.
func (e *Estimator) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	if err := ctx.Err(); err != nil {
		return keypoint.Frame{}, err
	}
	if img.Bounds().Empty() {
		return keypoint.Frame{}, nil
	}
	p := newPicture(img)
	if b, ok := bounds(&hint.Previous); ok {
		f, err := e.follow(p, &hint.Previous, b)
		if err != nil || plausible(&f.frame) {
			return f.kept(e.opt.PartThreshold), err
		}
	}
	c, ok, err := e.search(p)
	if err != nil || !ok {
		return keypoint.Frame{}, err
	}
	if err := ctx.Err(); err != nil {
		return keypoint.Frame{}, err
	}
	f, err := e.look(p, c)
	return f.kept(e.opt.PartThreshold), err
}

// search returns the crop of the chosen person; ok is false where there is nobody.
func (e *Estimator) search(p picture) (c crop, ok bool, err error) {
	if e.people != nil {
		people, err := find(e.people, p, e.opt.PersonThreshold)
		if err != nil {
			return crop{}, false, err
		}
		chosen, ok := choose(people, float64(p.size.X), float64(p.size.Y))
		return around(chosen.box, detectedMargin), ok, nil
	}
	whole := crop{
		centre: keypoint.Point{float64(p.size.X) / 2, float64(p.size.Y) / 2},
		side:   float64(max(p.size.X, p.size.Y)),
	}
	f, err := e.estimate(p, whole)
	if err != nil {
		return crop{}, false, err
	}
	kept := f.kept(e.opt.PartThreshold)
	if b, found := bounds(&kept); found {
		return around(b, keypointMargin), true, nil
	}
	return whole, true, nil
}

// follow looks where the person was in the frame before, with the crop turned as the
// person was.
func (e *Estimator) follow(p picture, previous *keypoint.Frame, b box) (estimate, error) {
	c := around(b, keypointMargin)
	if a, ok := lean(previous); ok && math.Abs(a) > maxLean {
		c.angle = a
	}
	return e.estimate(p, c)
}

// maxLean is how far a torso may lean before the crop is turned upright.
const maxLean = 25 * math.Pi / 180

// look runs the pose network on an upright crop, and once more on a turned one when
// the torso leans, which is kept if it scores higher.
func (e *Estimator) look(p picture, c crop) (estimate, error) {
	f, err := e.estimate(p, c)
	if err != nil {
		return f, err
	}
	if a, ok := lean(&f.frame); ok && math.Abs(a) > maxLean {
		c.angle = a
		g, err := e.estimate(p, c)
		if err != nil {
			return f, err
		}
		if g.score > f.score {
			return g, nil
		}
	}
	return f, nil
}

// estimate is what the pose network says about a crop.
type estimate struct {
	frame keypoint.Frame // all 17 parts
	score float64        // mean confidence of the 17 parts
}

// kept returns the parts that reach the threshold.
func (e *estimate) kept(threshold float64) keypoint.Frame {
	f := e.frame
	for p := range keypoint.Part(keypoint.NumParts) {
		if f.Confidence(p) < threshold {
			f.Unset(p)
		}
	}
	return f
}

// plausible reports whether a followed person is still there: enough parts are seen
// with some certainty.
func plausible(f *keypoint.Frame) bool {
	sure, sum := 0, 0.0
	for p := range keypoint.Part(keypoint.NumParts) {
		c := f.Confidence(p)
		sum += c
		if c >= 0.3 {
			sure++
		}
	}
	return sure >= 6 && sum >= 0.3*keypoint.NumParts
}

// estimate runs the pose network on a crop.
func (e *Estimator) estimate(p picture, c crop) (estimate, error) {
	var r estimate
	n := e.opt.Pose.Size
	err := e.pose.Run(n, n, func(rgb []byte) { p.cut(rgb, n, c) }, func(out []float32) {
		for k := range keypoint.Part(keypoint.NumParts) {
			y, x, score := float64(out[3*k]), float64(out[3*k+1]), float64(out[3*k+2])
			r.frame.Set(k, c.at(x, y), score)
			r.score += score / keypoint.NumParts
		}
	})
	return r, err
}
