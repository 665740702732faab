package movenet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/pixels"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/internal/person"
	"github.com/bodymotion/motion/keypoint"
)

// Finder finds people with MultiPose alone, for the estimators of other networks, which may share one.
type Finder interface {
	inference.Finder

	// Close waits for running calls and frees the network. Later calls give an error.
	Close() error
}

type finder struct {
	graph                          *ort.Graph
	name                           string
	partThreshold, personThreshold float64
}

// NewFinder loads Options.People. It ignores Pose and Finder. Its errors are those of New. The caller closes the Finder.
func NewFinder(opt Options) (Finder, error) {
	if len(opt.People.ONNX) == 0 {
		return nil, errors.New("movenet: Options.People is missing: use multipose.Model()")
	}
	if opt.People.Size != 0 {
		return nil, errors.New("movenet: Options.People is a pose network: use multipose.Model()")
	}
	g, err := open(opt.People, opt)
	if err != nil {
		return nil, err
	}
	return &finder{
		graph: g, name: opt.People.Name,
		partThreshold: max(cmp.Or(opt.PartThreshold, 0.2), 0), personThreshold: max(cmp.Or(opt.PersonThreshold, 0.10), 0),
	}, nil
}

func (f *finder) Close() error { return f.graph.Close() }

func (f *finder) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	return person.Find(ctx, img, func() ([]inference.Candidate, error) {
		picture := pixels.New(img)
		return f.find(ctx, &picture)
	})
}

// longSide is the longer side of the picture for MultiPose, pixels.
const longSide = 256

// find returns the people whose score reaches the threshold, the highest first. The picture is scaled
// down to longSide and padded with black to multiples of 32.
func (f *finder) find(ctx context.Context, picture *pixels.Picture) (people []inference.Candidate, err error) {
	var cutter pixels.Cutter
	size := picture.Size
	scale := float64(longSide) / float64(max(size.X, size.Y))
	width := max(int(math.Round(float64(size.X)*scale)), 1)
	height := max(int(math.Round(float64(size.Y)*scale)), 1)
	w, h := (width+31)/32*32, (height+31)/32*32
	err = f.graph.Use([]int64{1, int64(h), int64(w), 3}, [][]int64{{1, 6, 56}}, func(r *ort.Run) error {
		clear(r.Bytes)
		cutter.Whole(r.Bytes, 3*w, width, height, picture)
		if err := r.Do(ctx); err != nil {
			return err
		}
		// Pixels of the picture per unit of the output.
		kx := float64(w) * float64(size.X) / float64(width)
		ky := float64(h) * float64(size.Y) / float64(height)
		for i := range 6 {
			// 17 rows of y, x and score, the box as ymin, xmin, ymax and xmax, and the person's score.
			row := r.Outputs()[0].Data[56*i : 56*i+56]
			score := float64(row[55])
			if score < f.personThreshold {
				continue
			}
			p := inference.Candidate{Score: score, Box: inference.Box{
				Min: keypoint.Point{float64(row[52]) * kx, float64(row[51]) * ky},
				Max: keypoint.Point{float64(row[54]) * kx, float64(row[53]) * ky},
			}}
			for k := range keypoint.Part(keypoint.NumBody) {
				if c := float64(row[3*k+2]); c >= f.partThreshold {
					p.Keypoints.Set(k, keypoint.Point{float64(row[3*k+1]) * kx, float64(row[3*k]) * ky}, c)
				}
			}
			people = append(people, p)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("movenet: %s: %w", f.name, err)
	}
	return people, nil
}
