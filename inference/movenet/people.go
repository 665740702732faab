package movenet

import (
	"context"
	"image"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// longSide is the longer side of the picture that MultiPose gets, in pixels.
const longSide = 256

// Find implements inference.Finder with MultiPose, or with Options.Finder: the people whose
// score reaches Options.PersonThreshold. Without either it returns inference.ErrNoFinder.
func (e *Estimator) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	if e.people == nil && e.opt.Finder == nil {
		return nil, inference.ErrNoFinder
	}
	if img.Bounds().Empty() {
		return nil, ctx.Err()
	}
	v, done := e.view(ctx, img)
	defer done()
	people, err := v.find()
	for i := range people {
		people[i].Box.Min = people[i].Box.Min.Add(v.corner)
		people[i].Box.Max = people[i].Box.Max.Add(v.corner)
		people[i].Keypoints = moved(people[i].Keypoints, v.corner)
	}
	return people, err
}

// find returns the people in the picture whose score reaches the gate, best first. For
// MultiPose the picture is shrunk to longSide, its sides filled up with black to multiples
// of 32.
func (v *view) find() ([]inference.Candidate, error) {
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	if v.opt.Finder != nil {
		return v.findWith(v.opt.Finder)
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
			for k := range keypoint.Part(keypoint.NumParts) {
				if c := float64(row[3*k+2]); c >= v.opt.PartThreshold {
					p.Keypoints.Set(k, keypoint.Point{float64(row[3*k+1]) * kx, float64(row[3*k]) * ky}, c)
				}
			}
			people = append(people, p)
		}
	})
	return people, err
}

// findWith asks a finder of the caller's, whose coordinates are those of the image.
func (v *view) findWith(f inference.Finder) ([]inference.Candidate, error) {
	found, err := f.Find(v.ctx, v.img)
	var people []inference.Candidate
	for _, p := range found {
		p.Box.Min, p.Box.Max = p.Box.Min.Sub(v.corner), p.Box.Max.Sub(v.corner)
		p.Keypoints = moved(p.Keypoints, v.corner.Mul(-1))
		people = append(people, p)
	}
	return people, err
}

// minOverlap is how much of the two boxes together must be common to both for them to
// be of the same person.
const minOverlap = 0.3

// again returns the person whose box overlaps most with the last one of somebody.
func again(people []inference.Candidate, last inference.Box) (index int, ok bool) {
	most := 0.0
	for i, p := range people {
		if o := p.Box.Overlap(last); o >= minOverlap && o > most {
			index, most = i, o
		}
	}
	return index, most > 0
}
