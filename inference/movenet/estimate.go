package movenet

import (
	"context"
	"image"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet/internal/pixels"
	"github.com/bodymotion/motion/keypoint"
)

// view is one picture on its way through the networks. Its coordinates begin at 0,
// wherever the bounds of the picture do.
type view struct {
	*Estimator
	ctx     context.Context
	picture pixels.Picture
	cutter  *pixels.Cutter
}

// Estimate implements inference.Estimator.
func (e *Estimator) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	if err := ctx.Err(); err != nil {
		return keypoint.Frame{}, err
	}
	if img.Bounds().Empty() {
		return keypoint.Frame{}, nil
	}
	cutter, ok := e.idle.Get().(*pixels.Cutter)
	if !ok {
		cutter = new(pixels.Cutter)
	}
	defer e.idle.Put(cutter)
	v := &view{e, ctx, pixels.New(img), cutter}
	corner := keypoint.Point{float64(img.Bounds().Min.X), float64(img.Bounds().Min.Y)}
	f, err := v.person(moved(hint.Previous, corner.Mul(-1)))
	return moved(f, corner), err
}

// person finds the person: where the previous one was, or anywhere.
func (v *view) person(previous keypoint.Frame) (keypoint.Frame, error) {
	last, followed := v.near(&previous)
	if followed {
		f, err := v.follow(&previous, last)
		if err != nil {
			return keypoint.Frame{}, err
		}
		if sure(&f.frame) && steady(&previous, &f.frame) {
			return f.kept(v.opt.PartThreshold), nil
		}
	}
	s, ok, err := v.search(last, followed)
	if err != nil || !ok {
		return keypoint.Frame{}, err
	}
	f, err := v.look(s)
	if err != nil {
		return keypoint.Frame{}, err
	}
	return f.kept(v.opt.PartThreshold), nil
}

// near returns the box of the person of the frame before; ok is false where there is
// none, or none in this picture.
func (v *view) near(previous *keypoint.Frame) (b box, ok bool) {
	b, ok = bounds(previous)
	whole := box{max: keypoint.Point{float64(v.picture.Size.X), float64(v.picture.Size.Y)}}
	return b, ok && b.meets(whole) && max(b.width(), b.height()) < 4*max(whole.width(), whole.height())
}

// follow looks where the person was in the frame before, with the crop turned as the
// person was.
func (v *view) follow(previous *keypoint.Frame, last box) (estimate, error) {
	s := around(last, keypointMargin)
	if a, ok := lean(previous); ok && math.Abs(a) > maxLean {
		s.Angle = a
	}
	return v.estimate(s)
}

// search returns the crop of the chosen person; ok is false where there is nobody. A
// person who was followed before and lost is preferred.
func (v *view) search(last box, followed bool) (s pixels.Square, ok bool, err error) {
	width, height := float64(v.picture.Size.X), float64(v.picture.Size.Y)
	if v.people != nil {
		people, err := v.find()
		if err != nil {
			return pixels.Square{}, false, err
		}
		if followed {
			if p, ok := again(people, last); ok {
				return around(p.box, detectedMargin), true, nil
			}
		}
		p, ok := choose(people, width, height)
		return around(p.box, detectedMargin), ok, nil
	}
	whole := pixels.Square{Centre: keypoint.Point{width / 2, height / 2}, Side: max(width, height)}
	f, err := v.estimate(whole)
	if err != nil {
		return pixels.Square{}, false, err
	}
	kept := f.kept(v.opt.PartThreshold)
	if b, found := bounds(&kept); found {
		return around(b, keypointMargin), true, nil
	}
	return whole, true, nil
}

// maxLean is how far a torso may lean before the crop is turned upright.
const maxLean = 25 * math.Pi / 180

// look runs the pose network on an upright crop, and once more on a turned one when
// the torso leans, which is kept if it scores higher.
func (v *view) look(s pixels.Square) (estimate, error) {
	f, err := v.estimate(s)
	if err != nil {
		return f, err
	}
	if a, ok := lean(&f.frame); ok && math.Abs(a) > maxLean {
		s.Angle = a
		g, err := v.estimate(s)
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

// estimate runs the pose network on a crop and maps the parts back to the picture.
func (v *view) estimate(s pixels.Square) (estimate, error) {
	var r estimate
	if err := v.ctx.Err(); err != nil {
		return r, err
	}
	n := v.opt.Pose.Size
	err := v.pose.Run(n, n, func(rgb []byte) { v.cutter.Cut(rgb, n, &v.picture, s) }, func(out []float32) {
		for k := range keypoint.Part(keypoint.NumParts) {
			y, x, score := float64(out[3*k]), float64(out[3*k+1]), float64(out[3*k+2])
			r.frame.Set(k, s.At(x, y), score)
			r.score += score / keypoint.NumParts
		}
	})
	return r, err
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
