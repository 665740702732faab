// Package ensemble makes one Estimator of several: several looks at a person, one answer. Networks
// of different families err in different frames, so that where they agree they are right more often
// than either, and steadier:
//
//	est, err := ensemble.New(ensemble.Options{
//		Finding:   []inference.Estimator{thunder, full},
//		Following: []inference.Estimator{full, thunder},
//	})
//	if err != nil {
//		log.Fatal(err)
//	}
//	frame, err := est.Estimate(ctx, img, inference.Hint{})
//
// It works part by part: the looks that agree give the median of their points, and a look that
// disagrees does not count. If the left limb of one look lies on the right limb of another, one of
// them has exchanged the sides, and the frame before decides which. Package pose has ensembles that
// are ready for use; this package embeds no network.
package ensemble

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/person"
	"github.com/bodymotion/motion/keypoint"
)

// Options are the members of an Estimator. Only Finding is required.
//
// Members should return all their parts, however unsure, with confidences on one scale. The
// Estimator closes none of them.
type Options struct {
	// Finding look at somebody who is not followed: in a picture, in the first frame of a
	// movie, or after the person was lost. The first member chooses the person; the others look
	// where it has found them, all at the same time.
	Finding []inference.Estimator
	// Following look at the person of Hint.Previous; default Finding. The first member looks at
	// every frame.
	Following []inference.Estimator
	// Ask is when the members of Following after the first look too.
	Ask When
	// PartThreshold is the least confidence of a part, 0 to 1; default 0.2. If the parts
	// together are too uncertain to be a person, the Frame is empty. -1: no threshold.
	PartThreshold float64
}

// When is when more than one member looks at somebody who is followed.
type When int

const (
	// InDoubt: a part of the first look is missing, uncertain, or not where the frame before leads
	// to expect it.
	InDoubt When = iota
	// Turned: left and right of the trunk have changed places since the frame before, as networks
	// mistake front and back.
	Turned
	// Always: in every frame.
	Always
)

// Estimator is an inference.Estimator and inference.Finder. It is safe for concurrent use if its
// members are.
type Estimator struct{ opt Options }

var (
	_ inference.Estimator = (*Estimator)(nil)
	_ inference.Finder    = (*Estimator)(nil)
)

// New makes an Estimator of its members.
func New(opt Options) (*Estimator, error) {
	if len(opt.Finding) == 0 {
		return nil, errors.New("ensemble: Options.Finding is empty")
	}
	if len(opt.Following) == 0 {
		opt.Following = opt.Finding
	}
	for _, list := range [][]inference.Estimator{opt.Finding, opt.Following} {
		if slices.Contains(list, nil) {
			return nil, fmt.Errorf("%w ensemble.Options: a member is nil", keypoint.ErrInvalid)
		}
	}
	opt.PartThreshold = person.Threshold(opt.PartThreshold, 0.2)
	return &Estimator{opt}, nil
}

// Find implements inference.Finder with the first of Options.Finding that is a Finder or wraps one.
// It returns inference.ErrNoFinder if there is none.
func (e *Estimator) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	for _, m := range e.opt.Finding {
		if f, ok := inference.FinderOf(m); ok {
			return f.Find(ctx, img)
		}
	}
	return nil, inference.ErrNoFinder
}
