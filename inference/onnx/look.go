package onnx

import (
	"context"
	"image"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/raster"
	"github.com/bodymotion/motion/inference/onnx/internal/crop"
	"github.com/bodymotion/motion/inference/onnx/internal/decode"
	"github.com/bodymotion/motion/internal/person"
	"github.com/bodymotion/motion/keypoint"
)

// The size of a crop, as a factor of the person's box. Networks are trained with the box enlarged by a quarter. A
// detector's box reaches from hair to soles, that of the keypoints from eyes to ankles.
const (
	boxMargin      = 1.25
	keypointMargin = 1.2 * boxMargin
)

func (n *network) Look(ctx context.Context, img image.Image, r inference.Region) (keypoint.Frame, error) {
	picture := crop.New(img)
	if n.Decode.Kind == YOLOPose {
		return n.among(ctx, &picture, r)
	}
	box, margin := r.Box, boxMargin
	switch {
	case r.Followed:
		margin = keypointMargin
	case r.Whole(): // the whole picture, and then the person found in it
		box, margin = inference.Box{Max: keypoint.Point{float64(picture.Size.X), float64(picture.Size.Y)}}, 1
		f, err := n.look(ctx, &picture, box, margin)
		f = r.Accept(f, n.partThreshold, n.known)
		if err != nil || f.Empty() {
			return f, err
		}
		box, margin = inference.Expected(f).Box, keypointMargin
	}
	f, err := n.look(ctx, &picture, box, margin)
	if err != nil {
		return keypoint.Frame{}, err
	}
	return r.Accept(f, n.partThreshold, n.known), nil
}

// look runs the network on a crop around a box and maps the parts back to the picture.
func (n *network) look(ctx context.Context, picture *raster.Picture, b inference.Box, margin float64) (f keypoint.Frame, err error) {
	at := crop.Around(b.Min, b.Max, margin, &n.form)
	err = n.do(ctx, func(d *buffers) {
		d.cutter.Cut(d.run.In, &n.form, picture, at)
	}, func(d *buffers, out []decode.Tensor) (err error) {
		if d.spots, err = n.body(d.spots[:0], out); err != nil {
			return err
		}
		if err := n.count(len(d.spots)); err != nil {
			return err
		}
		f = n.frame(d.spots, at)
		return nil
	})
	return f, err
}

// frame returns the parts among the points of a body, in pixels of the picture. Points with a score of 0 are absent.
func (n *network) frame(spots []decode.Spot, at crop.View) keypoint.Frame {
	var f keypoint.Frame
	for p, k := range n.parts {
		if k >= 0 && k < len(spots) && spots[k].Score > 0 {
			f.Set(keypoint.Part(p), at.At(spots[k].X, spots[k].Y), spots[k].Score)
		}
	}
	return f
}

// among looks at the whole picture with a network that finds everybody, for the person of the region.
func (n *network) among(ctx context.Context, picture *raster.Picture, r inference.Region) (keypoint.Frame, error) {
	people, err := n.people(ctx, picture)
	i := again(people, r.Box)
	if r.Whole() {
		i = min(0, len(people)-1)
	}
	if err != nil || i < 0 {
		return keypoint.Frame{}, err
	}
	return (&inference.Region{}).Accept(people[i].Keypoints, n.partThreshold, n.known), nil
}

// Find implements inference.Finder with a detector or a YOLOPose network.
func (n *network) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	return person.Find(ctx, img, func() ([]inference.Candidate, error) {
		picture := crop.New(img)
		return n.people(ctx, &picture)
	})
}

// people returns all people, the highest score first.
func (n *network) people(ctx context.Context, picture *raster.Picture) (people []inference.Candidate, err error) {
	var at crop.View
	err = n.do(ctx, func(d *buffers) {
		centred := n.Decode.Kind == YOLO || n.Decode.Kind == YOLOPose
		at = d.cutter.Letterbox(d.run.In, &n.form, picture, centred)
	}, func(d *buffers, out []decode.Tensor) error {
		found, err := n.everybody(out, n.personThreshold)
		for _, p := range found {
			people = append(people, inference.Candidate{
				Box:       inference.Box{Min: at.At(p.Box.X0, p.Box.Y0), Max: at.At(p.Box.X1, p.Box.Y1)},
				Keypoints: n.frame(p.Spots, at), Score: min(p.Box.Score, 1),
			})
		}
		return err
	})
	return people, err
}

// minOverlap is the least intersection over union of two boxes of one person.
const minOverlap = 0.3

// again returns the index of the person whose box overlaps most with that of somebody; −1: nobody.
func again(people []inference.Candidate, last inference.Box) int {
	index, most := -1, 0.0
	for i, p := range people {
		if o := p.Box.Overlap(last); o >= minOverlap && o > most {
			index, most = i, o
		}
	}
	return index
}
