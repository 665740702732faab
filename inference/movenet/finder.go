package movenet

import (
	"context"
	"errors"
	"image"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/person"
	"github.com/bodymotion/motion/inference/internal/pixels"
	"github.com/bodymotion/motion/keypoint"
)

// Finder finds people with MultiPose alone: an inference.Finder for the estimators of other
// networks, which may share one.
type Finder struct {
	opt     Options
	network *Session
	idle    pixels.Pool
}

var _ inference.Finder = (*Finder)(nil)

// NewFinder loads Options.People. It uses Library, Threads, Provider, PartThreshold and
// PersonThreshold, and ignores the other options. Its errors are those of New. The caller closes the
// Finder.
func NewFinder(opt Options) (*Finder, error) {
	if len(opt.People.ONNX) == 0 {
		return nil, errors.New("movenet: Options.People is missing: use multipose.Model()")
	}
	if opt.People.Size != 0 {
		return nil, errors.New("movenet: Options.People is a pose network: use multipose.Model()")
	}
	opt = opt.withDefaults()
	s, err := NewSession(opt.People, opt)
	if err != nil {
		return nil, err
	}
	return &Finder{opt: opt, network: s}, nil
}

// Close waits for running calls and frees the network. Later calls give an error.
func (f *Finder) Close() error { return f.network.Close() }

// Find implements inference.Finder.
func (f *Finder) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	if img == nil {
		return nil, person.ErrNoPicture
	}
	if err := ctx.Err(); err != nil || img.Bounds().Empty() {
		return nil, err
	}
	picture := pixels.New(img)
	cutter := f.idle.Get()
	defer f.idle.Put(cutter)
	people, err := f.find(&picture, cutter)
	return person.AllMoved(people, person.Corner(img)), err
}

// longSide is the longer side of the picture for MultiPose, pixels.
const longSide = 256

// find returns the people whose score reaches the threshold, the highest first, in coordinates that
// begin at 0. The picture is scaled down to longSide and padded with black to multiples of 32.
func (f *Finder) find(picture *pixels.Picture, cutter *pixels.Cutter) ([]inference.Candidate, error) {
	size := picture.Size
	scale := float64(longSide) / float64(max(size.X, size.Y))
	width := max(int(math.Round(float64(size.X)*scale)), 1)
	height := max(int(math.Round(float64(size.Y)*scale)), 1)
	w, h := (width+31)/32*32, (height+31)/32*32
	var people []inference.Candidate
	err := f.network.Run(h, w, func(rgb []byte) {
		clear(rgb)
		cutter.Whole(rgb, 3*w, width, height, picture)
	}, func(out []float32) {
		// Pixels of the picture per unit of the output.
		kx := float64(w) * float64(size.X) / float64(width)
		ky := float64(h) * float64(size.Y) / float64(height)
		for i := range 6 {
			row := out[56*i : 56*i+56]
			score := float64(row[55])
			if score < f.opt.PersonThreshold {
				continue
			}
			p := inference.Candidate{Score: score, Box: inference.Box{
				Min: keypoint.Point{float64(row[52]) * kx, float64(row[51]) * ky},
				Max: keypoint.Point{float64(row[54]) * kx, float64(row[53]) * ky},
			}}
			for k := range keypoint.Part(keypoint.NumBody) {
				if c := float64(row[3*k+2]); c >= f.opt.PartThreshold {
					p.Keypoints.Set(k, keypoint.Point{float64(row[3*k+1]) * kx, float64(row[3*k]) * ky}, c)
				}
			}
			people = append(people, p)
		}
	})
	return people, err
}
