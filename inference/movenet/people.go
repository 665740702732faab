package movenet

import (
	"context"
	"image"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/person"
	"github.com/bodymotion/motion/keypoint"
)

// longSide is the longer side of the picture for MultiPose, pixels.
const longSide = 256

// Find implements inference.Finder with Options.Finder or Options.People. It returns
// inference.ErrNoFinder if both are missing.
func (e *Estimator) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	if e.people == nil && e.opt.Finder == nil {
		return nil, inference.ErrNoFinder
	}
	if img == nil {
		return nil, person.ErrNoPicture
	}
	if img.Bounds().Empty() {
		return nil, ctx.Err()
	}
	v, done := e.view(ctx, img)
	defer done()
	people, err := v.find()
	return person.AllMoved(people, v.corner), err
}

// find returns the people whose score reaches the threshold, the highest first. For MultiPose
// the picture is scaled down to longSide and padded with black to multiples of 32.
func (v *view) find() ([]inference.Candidate, error) {
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	if v.opt.Finder != nil {
		people, err := v.opt.Finder.Find(v.ctx, v.img)
		return person.AllMoved(people, v.corner.Mul(-1)), err
	}
	size := v.picture.Size
	scale := float64(longSide) / float64(max(size.X, size.Y))
	width := max(int(math.Round(float64(size.X)*scale)), 1)
	height := max(int(math.Round(float64(size.Y)*scale)), 1)
	w, h := (width+31)/32*32, (height+31)/32*32
	var people []inference.Candidate
	err := v.people.Run(h, w, func(rgb []byte) {
		clear(rgb)
		v.cutter.Whole(rgb, 3*w, width, height, &v.picture)
	}, func(out []float32) {
		// Pixels of the picture per unit of the output.
		kx := float64(w) * float64(size.X) / float64(width)
		ky := float64(h) * float64(size.Y) / float64(height)
		for i := range 6 {
			row := out[56*i : 56*i+56]
			score := float64(row[55])
			if score < v.opt.PersonThreshold {
				continue
			}
			p := inference.Candidate{Score: score, Box: inference.Box{
				Min: keypoint.Point{float64(row[52]) * kx, float64(row[51]) * ky},
				Max: keypoint.Point{float64(row[54]) * kx, float64(row[53]) * ky},
			}}
			for k := range keypoint.Part(keypoint.NumBody) {
				if c := float64(row[3*k+2]); c >= v.opt.PartThreshold {
					p.Keypoints.Set(k, keypoint.Point{float64(row[3*k+1]) * kx, float64(row[3*k]) * ky}, c)
				}
			}
			people = append(people, p)
		}
	})
	return people, err
}
