package onnx

import (
	"context"
	"image"
	"slices"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/onnx/internal/crop"
	"github.com/bodymotion/motion/inference/onnx/internal/decode"
	"github.com/bodymotion/motion/keypoint"
)

// The room around a person, as a factor of the box: the networks are trained with a quarter
// more than the box. A detector's box reaches from the hair to the soles, the keypoints only
// from the eyes to the ankles.
const (
	boxMargin      = 1.25
	keypointMargin = 1.2 * boxMargin
)

// view is one picture on its way through the networks. Its coordinates begin at 0,
// wherever the bounds of the picture do.
type view struct {
	*Estimator
	ctx     context.Context
	img     image.Image
	picture crop.Picture
}

// Estimate implements inference.Estimator.
func (e *Estimator) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	if err := ctx.Err(); err != nil {
		return keypoint.Frame{}, err
	}
	if img.Bounds().Empty() {
		return keypoint.Frame{}, nil
	}
	v := &view{e, ctx, img, crop.New(img)}
	corner := v.corner()
	previous := moved(hint.Previous, corner.Mul(-1))
	find := v.person
	if e.pose.Decode.Kind == YOLOPose {
		find = v.oneStage
	}
	f, err := find(previous)
	if err != nil {
		return keypoint.Frame{}, err
	}
	return moved(f, corner), nil
}

// corner returns where the picture's coordinates begin.
func (v *view) corner() keypoint.Point {
	at := v.img.Bounds().Min
	return keypoint.Point{float64(at.X), float64(at.Y)}
}

// whole returns the box of the picture.
func (v *view) whole() Box {
	return Box{Max: keypoint.Point{float64(v.picture.Size.X), float64(v.picture.Size.Y)}}
}

// near returns the box of the person of the frame before; ok is false where there is none,
// or none in this picture.
func (v *view) near(previous *keypoint.Frame) (b Box, ok bool) {
	b, ok = bounds(previous)
	whole := v.whole()
	return b, ok && b.meets(whole) && max(b.width(), b.height()) < 4*max(whole.width(), whole.height())
}

// person finds the person by crops: where the previous one was, or anywhere.
func (v *view) person(previous keypoint.Frame) (keypoint.Frame, error) {
	last, followed := v.near(&previous)
	if followed {
		f, err := v.look(last, keypointMargin)
		if err != nil {
			return keypoint.Frame{}, err
		}
		if v.sure(&f) && steady(&previous, &f) {
			return v.kept(f), nil
		}
	}
	if v.opt.Detector == nil {
		return v.search()
	}
	people, err := v.opt.Detector.Detect(v.ctx, v.img)
	if err != nil {
		return keypoint.Frame{}, err
	}
	shift := v.corner().Mul(-1)
	people = slices.Clone(people)
	for i := range people {
		people[i].Box = people[i].Box.moved(shift)
	}
	whole := v.whole()
	i := pick(people, last, followed, whole.width(), whole.height())
	if i < 0 {
		return keypoint.Frame{}, nil
	}
	f, err := v.look(people[i].Box, boxMargin)
	return v.kept(f), err
}

// search looks at the whole picture, and then at the person who is found there.
func (v *view) search() (keypoint.Frame, error) {
	f, err := v.look(v.whole(), 1)
	if err != nil {
		return keypoint.Frame{}, err
	}
	f = v.kept(f)
	b, found := bounds(&f)
	if !found {
		return f, nil
	}
	closer, err := v.look(b, keypointMargin)
	return v.kept(closer), err
}

// look runs the network on a crop around a box and maps the parts back to the picture.
func (v *view) look(b Box, margin float64) (keypoint.Frame, error) {
	at := crop.Around(b.Min, b.Max, margin, &v.pose.form)
	var f keypoint.Frame
	err := v.pose.do(v.ctx, func(d *desk) {
		d.cutter.Cut(d.run.In, &v.pose.form, &v.picture, at)
	}, func(d *desk, out []decode.Tensor) (err error) {
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

// frame returns the parts among the points of a body, in pixels of the picture. Points of
// the score 0 are none.
func (n *network) frame(spots []decode.Spot, at crop.View) keypoint.Frame {
	var f keypoint.Frame
	for p, k := range n.parts {
		if k >= 0 && spots[k].Score > 0 {
			f.Set(keypoint.Part(p), at.At(spots[k].X, spots[k].Y), spots[k].Score)
		}
	}
	return f
}

// oneStage finds the person with a network that finds everybody: the one of the frame
// before, or anybody.
func (v *view) oneStage(previous keypoint.Frame) (keypoint.Frame, error) {
	last, followed := v.near(&previous)
	var f keypoint.Frame
	var at crop.View
	err := v.pose.do(v.ctx, func(d *desk) {
		at = d.cutter.Letterbox(d.run.In, &v.pose.form, &v.picture, true)
	}, func(d *desk, out []decode.Tensor) error {
		people, err := v.pose.everybody(out, v.opt.PersonThreshold)
		if err != nil {
			return err
		}
		boxes := make([]Detection, len(people))
		for i, p := range people {
			boxes[i] = detection(p.Box, at)
		}
		whole := v.whole()
		if i := pick(boxes, last, followed, whole.width(), whole.height()); i >= 0 {
			f = v.kept(v.pose.frame(people[i].Spots, at))
		}
		return nil
	})
	return f, err
}

// detection maps a box back to the picture.
func detection(b decode.Box, at crop.View) Detection {
	return Detection{Box{at.At(b.X0, b.Y0), at.At(b.X1, b.Y1)}, min(b.Score, 1)}
}

// moved returns the frame with every part moved by d.
func moved(f keypoint.Frame, d keypoint.Point) keypoint.Frame {
	if d == (keypoint.Point{}) {
		return f
	}
	for p := range keypoint.Part(keypoint.NumParts) {
		if pt, ok := f.At(p); ok {
			f.Set(p, pt.Add(d), f.Confidence(p))
		}
	}
	return f
}
