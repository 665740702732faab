package onnx

import (
	"context"
	"image"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/person"
	"github.com/bodymotion/motion/inference/internal/raster"
	"github.com/bodymotion/motion/inference/onnx/internal/crop"
	"github.com/bodymotion/motion/inference/onnx/internal/decode"
	"github.com/bodymotion/motion/keypoint"
)

// The size of a crop, as a factor of the person's box. Networks are trained with the box enlarged
// by a quarter. A detector's box reaches from hair to soles, that of the keypoints from eyes to
// ankles.
const (
	boxMargin      = 1.25
	keypointMargin = 1.2 * boxMargin
)

// view is a picture being estimated. Its coordinates begin at 0, whatever the picture's bounds.
type view struct {
	*Estimator
	ctx     context.Context
	img     image.Image
	picture raster.Picture
	corner  keypoint.Point // of the picture's bounds
}

func (e *Estimator) view(ctx context.Context, img image.Image) *view {
	return &view{e, ctx, img, crop.New(img), person.Corner(img)}
}

// Estimate implements inference.Estimator.
func (e *Estimator) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	if err := ctx.Err(); err != nil {
		return keypoint.Frame{}, err
	}
	if img == nil {
		return keypoint.Frame{}, person.ErrNoPicture
	}
	if img.Bounds().Empty() {
		return keypoint.Frame{}, nil
	}
	v := e.view(ctx, img)
	wanted := v.inCrop
	if e.pose.Decode.Kind == YOLOPose {
		wanted = v.amongAll
	}
	f, err := wanted(hint)
	if err != nil {
		return keypoint.Frame{}, err
	}
	return person.Moved(f, v.corner), nil
}

// Find implements inference.Finder with Options.Finder, or with a YOLOPose network. Otherwise it
// returns inference.ErrNoFinder.
func (e *Estimator) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	if img == nil {
		return nil, person.ErrNoPicture
	}
	if e.opt.Finder != nil {
		return e.opt.Finder.Find(ctx, img)
	}
	if e.pose.Decode.Kind != YOLOPose {
		return nil, inference.ErrNoFinder
	}
	if err := ctx.Err(); err != nil || img.Bounds().Empty() {
		return nil, err
	}
	v := e.view(ctx, img)
	people, err := v.everybody()
	return person.AllMoved(people, v.corner), err
}

// inCrop estimates the person of the hint in a crop: hint.Person, the person of hint.Previous, or
// anybody.
func (v *view) inCrop(hint inference.Hint) (keypoint.Frame, error) {
	back := v.corner.Mul(-1)
	if hint.Person != nil {
		return v.kept(v.look(person.BoxMoved(hint.Person.Box, back), boxMargin))
	}
	previous := person.Moved(hint.Previous, back)
	last, followed := person.Near(&previous, v.picture.Size)
	if followed {
		f, err := v.look(last, keypointMargin)
		if err != nil {
			return keypoint.Frame{}, err
		}
		if person.Sure(&f, v.mapped) && person.Steady(&previous, &f) {
			return v.kept(f, nil)
		}
	}
	if hint.Only {
		return keypoint.Frame{}, nil
	}
	if v.opt.Finder == nil {
		return v.search()
	}
	people, err := v.opt.Finder.Find(v.ctx, v.img)
	if err != nil {
		return keypoint.Frame{}, err
	}
	people = person.AllMoved(people, back)
	i := person.Pick(people, last, followed, hint.Choose, v.picture.Size)
	if i < 0 {
		return keypoint.Frame{}, nil
	}
	return v.kept(v.look(people[i].Box, boxMargin))
}

// kept returns the parts that reach the threshold.
func (v *view) kept(f keypoint.Frame, err error) (keypoint.Frame, error) {
	if err != nil {
		return keypoint.Frame{}, err
	}
	return person.Kept(f, v.opt.PartThreshold, v.mapped), nil
}

// search estimates the whole picture, and then the person found in it.
func (v *view) search() (keypoint.Frame, error) {
	size := v.picture.Size
	f, err := v.kept(v.look(inference.Box{Max: keypoint.Point{float64(size.X), float64(size.Y)}}, 1))
	if err != nil {
		return keypoint.Frame{}, err
	}
	b, found := person.Near(&f, size)
	if !found {
		return f, nil
	}
	return v.kept(v.look(b, keypointMargin))
}

// look runs the network on a crop around a box and maps the parts back to the picture.
func (v *view) look(b inference.Box, margin float64) (keypoint.Frame, error) {
	at := crop.Around(b.Min, b.Max, margin, &v.pose.form)
	var f keypoint.Frame
	err := v.pose.do(v.ctx, func(d *buffers) {
		d.cutter.Cut(d.run.In, &v.pose.form, &v.picture, at)
	}, func(d *buffers, out []decode.Tensor) (err error) {
		if d.spots, err = v.pose.body(d.spots[:0], out); err != nil {
			return err
		}
		if err := v.pose.count(len(d.spots)); err != nil {
			return err
		}
		f = v.pose.frame(d.spots, at)
		return nil
	})
	return f, err
}

// frame returns the parts among the points of a body, in pixels of the picture. Points with a
// score of 0 are absent.
func (n *network) frame(spots []decode.Spot, at crop.View) keypoint.Frame {
	var f keypoint.Frame
	for p, k := range n.parts {
		if k >= 0 && spots[k].Score > 0 {
			f.Set(keypoint.Part(p), at.At(spots[k].X, spots[k].Y), spots[k].Score)
		}
	}
	return f
}

// amongAll estimates the person of the hint with a network that finds everybody: hint.Person, the
// person of hint.Previous, or anybody.
func (v *view) amongAll(hint inference.Hint) (keypoint.Frame, error) {
	back := v.corner.Mul(-1)
	previous := person.Moved(hint.Previous, back)
	last, followed := person.Near(&previous, v.picture.Size)
	if hint.Person != nil {
		last, followed = person.BoxMoved(hint.Person.Box, back), true
	}
	people, err := v.everybody()
	if err != nil {
		return keypoint.Frame{}, err
	}
	var i int
	switch {
	case hint.Person == nil && !hint.Only:
		i = person.Pick(people, last, followed, hint.Choose, v.picture.Size)
	case followed:
		i = person.Again(people, last)
	default:
		i = -1
	}
	if i < 0 {
		return keypoint.Frame{}, nil
	}
	return v.kept(people[i].Keypoints, nil)
}

// everybody returns all people, in coordinates of the view.
func (v *view) everybody() (people []inference.Candidate, err error) {
	var at crop.View
	err = v.pose.do(v.ctx, func(d *buffers) {
		at = d.cutter.Letterbox(d.run.In, &v.pose.form, &v.picture, true)
	}, func(d *buffers, out []decode.Tensor) error {
		found, err := v.pose.everybody(out, v.opt.PersonThreshold)
		for _, p := range found {
			c := candidate(p.Box, at)
			c.Keypoints = v.pose.frame(p.Spots, at)
			people = append(people, c)
		}
		return err
	})
	return people, err
}

// candidate maps a box back to the picture.
func candidate(b decode.Box, at crop.View) inference.Candidate {
	return inference.Candidate{Box: inference.Box{Min: at.At(b.X0, b.Y0), Max: at.At(b.X1, b.Y1)}, Score: min(b.Score, 1)}
}
