package movenet

import (
	"context"
	"image"
	"math"
	"slices"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/movenet/internal/pixels"
	"github.com/bodymotion/motion/keypoint"
)

// view is one picture on its way through the networks. Its coordinates begin at 0,
// wherever the bounds of the picture do.
type view struct {
	*Estimator
	ctx     context.Context
	img     image.Image
	picture pixels.Picture
	cutter  *pixels.Cutter
	corner  keypoint.Point // of the picture's bounds
}

// view returns a view of a picture, and what gives back what it holds.
func (e *Estimator) view(ctx context.Context, img image.Image) (*view, func()) {
	cutter, ok := e.idle.Get().(*pixels.Cutter)
	if !ok {
		cutter = new(pixels.Cutter)
	}
	corner := keypoint.Point{float64(img.Bounds().Min.X), float64(img.Bounds().Min.Y)}
	return &view{e, ctx, img, pixels.New(img), cutter, corner}, func() { e.idle.Put(cutter) }
}

// Estimate implements inference.Estimator.
func (e *Estimator) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	if err := ctx.Err(); err != nil {
		return keypoint.Frame{}, err
	}
	if img.Bounds().Empty() {
		return keypoint.Frame{}, nil
	}
	v, done := e.view(ctx, img)
	defer done()
	f, err := v.person(hint)
	return moved(f, v.corner), err
}

// person finds the person: the one who is named, where the previous one was, or anywhere.
func (v *view) person(hint inference.Hint) (keypoint.Frame, error) {
	if hint.Person != nil {
		box := hint.Person.Box
		return v.kept(v.look(around(inference.Box{Min: box.Min.Sub(v.corner), Max: box.Max.Sub(v.corner)}, detectedMargin)))
	}
	previous := moved(hint.Previous, v.corner.Mul(-1))
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
	if hint.Only {
		return keypoint.Frame{}, nil
	}
	s, ok, err := v.search(last, followed, hint.Choose)
	if err != nil || !ok {
		return keypoint.Frame{}, err
	}
	return v.kept(v.look(s))
}

// kept returns the parts of an estimate that count.
func (v *view) kept(e estimate, err error) (keypoint.Frame, error) {
	if err != nil {
		return keypoint.Frame{}, err
	}
	return e.kept(v.opt.PartThreshold), nil
}

// near returns the box of the person of the frame before; ok is false where there is
// none, or none in this picture.
func (v *view) near(previous *keypoint.Frame) (b inference.Box, ok bool) {
	b, ok = inference.BoundsOf(previous)
	whole := inference.Box{Max: keypoint.Point{float64(v.picture.Size.X), float64(v.picture.Size.Y)}}
	return b, ok && meet(b, whole) && b.Extent() < 4*whole.Extent()
}

// follow looks where the person is expected, with the crop turned as the person was.
func (v *view) follow(previous *keypoint.Frame, last inference.Box) (estimate, error) {
	s := around(last, keypointMargin)
	if a, ok := lean(previous); ok && math.Abs(a) > maxLean {
		s.Angle = a
	}
	return v.estimate(s)
}

// search returns the crop of the chosen person; ok is false where there is nobody. A
// person who was followed before and lost is preferred.
func (v *view) search(last inference.Box, followed bool, choose inference.Chooser) (s pixels.Square, ok bool, err error) {
	if v.people != nil || v.opt.Finder != nil {
		people, err := v.find()
		if err != nil {
			return pixels.Square{}, false, err
		}
		i, ok := 0, false
		if followed {
			i, ok = again(people, last)
		}
		if !ok {
			i, ok = v.chosen(people, choose)
		}
		if !ok {
			return pixels.Square{}, false, nil
		}
		return around(people[i].Box, detectedMargin), true, nil
	}
	width, height := float64(v.picture.Size.X), float64(v.picture.Size.Y)
	whole := pixels.Square{Centre: keypoint.Point{width / 2, height / 2}, Side: max(width, height)}
	f, err := v.estimate(whole)
	if err != nil {
		return pixels.Square{}, false, err
	}
	kept := f.kept(v.opt.PartThreshold)
	if b, found := inference.BoundsOf(&kept); found {
		return around(b, keypointMargin), true, nil
	}
	return whole, true, nil
}

// chosen returns the index of the one whom a chooser wants. It sees the coordinates of the
// image.
func (v *view) chosen(people []inference.Candidate, choose inference.Chooser) (index int, ok bool) {
	if choose == nil {
		choose = inference.CentreFront{}
	}
	size := v.picture.Size
	if v.corner != (keypoint.Point{}) {
		people = slices.Clone(people)
		for i := range people {
			people[i].Box.Min, people[i].Box.Max = people[i].Box.Min.Add(v.corner), people[i].Box.Max.Add(v.corner)
			people[i].Keypoints = moved(people[i].Keypoints, v.corner)
		}
	}
	i := choose.Choose(size, people)
	return i, i >= 0 && i < len(people)
}

// maxLean is how far a torso may lean before the crop is turned upright.
const maxLean = 25 * math.Pi / 180

// look runs the pose network on an upright crop, and once more on a turned one when
// the torso leans, which is kept if it scores higher; or more thoroughly.
func (v *view) look(s pixels.Square) (estimate, error) {
	if v.opt.Thorough {
		return v.thorough(s)
	}
	f, err := v.straight(s, maxLean)
	return f.better(), err
}

// pair is an estimate of a crop, and of the crop turned upright where the torso leans.
type pair struct {
	asIs, turned estimate
	two          bool // there is a turned one
}

// better returns the one that scores higher.
func (p pair) better() estimate {
	if p.two && p.turned.score > p.asIs.score {
		return p.turned
	}
	return p.asIs
}

// straight looks at a crop, and once more when the torso leans by more than an angle.
func (v *view) straight(s pixels.Square, least float64) (p pair, err error) {
	if p.asIs, err = v.estimate(s); err != nil {
		return p, err
	}
	if a, ok := lean(&p.asIs.frame); ok && math.Abs(math.Remainder(a-s.Angle, 2*math.Pi)) > least {
		s.Angle = a
		p.turned, err = v.estimate(s)
		p.two = err == nil
	}
	return p, err
}

// estimate is what the pose network says about a crop.
type estimate struct {
	frame keypoint.Frame // all 17 parts
	score float64        // mean confidence of the 17 parts
	crop  pixels.Square
}

// estimate runs the pose network on a crop and maps the parts back to the picture.
func (v *view) estimate(s pixels.Square) (estimate, error) {
	r := estimate{crop: s}
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
