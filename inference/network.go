package inference

import (
	"context"
	"image"

	"github.com/bodymotion/motion/keypoint"
)

// Network is a pose network: it looks at one region of a picture for one person. TopDown makes it an
// Estimator, and package ensemble makes one Network of several.
//
// Look is safe for concurrent use. It does not change img and keeps no reference to it. Coordinates of the region and
// of the answer are pixels from the picture's top left corner, whatever its bounds. The picture has pixels. If there
// is no person, or if the Region is Followed and the person is lost, the answer is the zero Frame; Region.Accept
// decides that for all networks. Look returns ctx's error soon after ctx ends.
type Network interface {
	Look(ctx context.Context, img image.Image, r Region) (keypoint.Frame, error)
}

// TopDown is the Estimator of a Network: it finds the people in a picture, chooses one of them, and looks
// at that region. Without a Finder the Network looks at the whole picture. It is a Finder, too.
type TopDown struct {
	Network Network
	Finder  Finder // nil: none
}

var (
	_ Estimator = TopDown{}
	_ Finder    = TopDown{}
)

func (t TopDown) Estimate(ctx context.Context, img image.Image, hint Hint) (keypoint.Frame, error) {
	switch {
	case img == nil:
		return keypoint.Frame{}, missing("picture")
	case t.Network == nil:
		return keypoint.Frame{}, missing("network")
	}
	bounds := img.Bounds()
	if err := ctx.Err(); err != nil || bounds.Empty() {
		return keypoint.Frame{}, err
	}
	at := corner(bounds.Min)
	r := hint.Region.moved(at.Mul(-1))
	if r.Followed && !r.within(bounds.Size()) {
		return keypoint.Frame{}, nil
	}
	if r.Whole() && t.Finder != nil {
		people, err := t.Finder.Find(ctx, img)
		if err != nil {
			return keypoint.Frame{}, err
		}
		i := hint.Choose.Choose(bounds, people)
		if i < 0 {
			return keypoint.Frame{}, nil
		}
		r = people[i].Region().moved(at.Mul(-1))
	}
	f, err := t.Network.Look(ctx, img, r)
	return moved(f, at), err
}

// Find implements Finder. It returns ErrNoFinder if t.Finder is nil.
func (t TopDown) Find(ctx context.Context, img image.Image) ([]Candidate, error) {
	switch {
	case img == nil:
		return nil, missing("picture")
	case t.Finder == nil:
		return nil, ErrNoFinder
	}
	return t.Finder.Find(ctx, img)
}
