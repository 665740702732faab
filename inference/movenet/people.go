package movenet

import (
	"context"
	"image"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/person"
)

// Find implements inference.Finder with Options.Finder or Options.People. It returns
// inference.ErrNoFinder if both are missing.
func (e *Estimator) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	switch {
	case img == nil:
		return nil, person.ErrNoPicture
	case e.opt.Finder != nil:
		return e.opt.Finder.Find(ctx, img)
	case e.multipose != nil:
		return e.multipose.Find(ctx, img)
	}
	return nil, inference.ErrNoFinder
}
