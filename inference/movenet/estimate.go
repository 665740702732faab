package movenet

import (
	"context"
	"image"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/person"
	"github.com/bodymotion/motion/inference/internal/pixels"
	"github.com/bodymotion/motion/keypoint"
)

// view is a picture being estimated. Its coordinates begin at 0, whatever the picture's bounds.
type view struct {
	*Estimator
	ctx     context.Context
	img     image.Image
	picture pixels.Picture
	cutter  *pixels.Cutter
	corner  keypoint.Point // of the picture's bounds
}

// view returns a view of a picture and a function that releases it.
func (e *Estimator) view(ctx context.Context, img image.Image) (*view, func()) {
	cutter := e.idle.Get()
	return &view{e, ctx, img, pixels.New(img), cutter, person.Corner(img)}, func() { e.idle.Put(cutter) }
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
	v, done := e.view(ctx, img)
	defer done()
	f, err := v.wanted(hint)
	if e.opt.Calibrated {
		f = e.opt.Pose.Calibration.calibrated(f)
	}
	return person.Moved(f, v.corner), err
}

// wanted estimates the person of the hint: hint.Person, the person of hint.Previous, or anybody.
func (v *view) wanted(hint inference.Hint) (keypoint.Frame, error) {
	back := v.corner.Mul(-1)
	if hint.Person != nil {
		return v.kept(v.look(around(person.BoxMoved(hint.Person.Box, back), detectedMargin)))
	}
	previous := person.Moved(hint.Previous, back)
	last, followed := person.Near(&previous, v.picture.Size)
	if followed {
		f, err := v.follow(&previous, last)
		if err != nil {
			return keypoint.Frame{}, err
		}
		if person.Sure(&f.frame, keypoint.NumBody) && person.Steady(&previous, &f.frame) {
			return v.kept(f, nil)
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

// kept returns the parts that reach the threshold.
func (v *view) kept(e estimate, err error) (keypoint.Frame, error) {
	if err != nil {
		return keypoint.Frame{}, err
	}
	return person.Kept(e.frame, v.opt.PartThreshold, keypoint.NumBody), nil
}

// follow estimates where the person is expected, with the crop rotated as the person was.
func (v *view) follow(previous *keypoint.Frame, last inference.Box) (estimate, error) {
	s := around(last, keypointMargin)
	if a, ok := lean(previous); ok && math.Abs(a) > maxLean {
		s.Angle = a
	}
	return v.estimate(s)
}

// search returns the crop of the chosen person; ok is false if there is nobody. It prefers a
// person who was followed and lost.
func (v *view) search(last inference.Box, followed bool, choose inference.Chooser) (s pixels.Square, ok bool, err error) {
	if v.multipose != nil || v.opt.Finder != nil {
		people, err := v.find()
		if err != nil {
			return pixels.Square{}, false, err
		}
		i := person.Pick(people, last, followed, choose, v.picture.Size)
		if i < 0 {
			return pixels.Square{}, false, nil
		}
		return around(people[i].Box, detectedMargin), true, nil
	}
	width, height := float64(v.picture.Size.X), float64(v.picture.Size.Y)
	whole := pixels.Square{Centre: keypoint.Point{width / 2, height / 2}, Side: max(width, height)}
	kept, err := v.kept(v.estimate(whole))
	if err != nil {
		return pixels.Square{}, false, err
	}
	if b, found := inference.BoundsOf(&kept); found {
		return around(b, keypointMargin), true, nil
	}
	return whole, true, nil
}

// find returns the people, in coordinates of the view.
func (v *view) find() ([]inference.Candidate, error) {
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	if v.opt.Finder != nil {
		people, err := v.opt.Finder.Find(v.ctx, v.img)
		return person.AllMoved(people, v.corner.Mul(-1)), err
	}
	return v.multipose.find(&v.picture, v.cutter)
}

// maxLean is how far a torso may lean before the crop is rotated upright, radians.
const maxLean = 25 * math.Pi / 180

// look estimates an upright crop, and a rotated one if the torso leans, and returns the one that
// scores higher.
func (v *view) look(s pixels.Square) (estimate, error) {
	best, err := v.estimate(s)
	if err != nil {
		return best, err
	}
	if a, ok := lean(&best.frame); ok && math.Abs(a) > maxLean {
		s.Angle = a
		turned, err := v.estimate(s)
		if err != nil || turned.score > best.score {
			return turned, err
		}
	}
	return best, nil
}

// estimate is the result of the pose network for a crop.
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
	err := v.pose.Run(n, n, func(rgb []byte) {
		v.cutter.Cut(rgb, n, &v.picture, s)
		if v.mirrored {
			mirror(rgb, n)
		}
	}, func(out []float32) {
		for k := range keypoint.Part(keypoint.NumBody) {
			y, x, score := float64(out[3*k]), float64(out[3*k+1]), float64(out[3*k+2])
			part := k
			if v.mirrored {
				part, x = k.Mirror(), 1-x
			}
			r.frame.Set(part, s.At(x, y), score)
			r.score += score / keypoint.NumBody
		}
	})
	return r, err
}

// mirror exchanges left and right of a picture of RGB bytes, n pixels wide.
func mirror(rgb []byte, n int) {
	for row := rgb; len(row) > 0; row = row[3*n:] {
		for i, k := 0, 3*(n-1); i < k; i, k = i+3, k-3 {
			for c := range 3 {
				row[i+c], row[k+c] = row[k+c], row[i+c]
			}
		}
	}
}
