package inference

import (
	"context"
	"fmt"
	"image"
	"math"

	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/keypoint"
)

// estimate asks est for a person, and puts keypoints outside of the picture at its edge. All
// keypoints of this package come from here. A panic of est, and a keypoint far outside, are errors.
func estimate(ctx context.Context, est Estimator, img image.Image, hint Hint) (f keypoint.Frame, err error) {
	defer panics.Catch(&err)
	f, err = est.Estimate(ctx, img, hint)
	b := img.Bounds()
	for _, p := range f.Present().List() {
		if at, _ := f.At(p); !plausible(at, b) {
			return keypoint.Frame{}, fmt.Errorf("the estimator puts %v at %v, far outside of the picture %v", p, at, b)
		}
	}
	f.Clamp(corner(b.Min), corner(b.Max))
	return f.Only(f.Present()), err
}

// checkedFinder is a Finder whose panics, and boxes and scores that are no numbers or far outside, are errors.
type checkedFinder struct{ Finder }

func (c checkedFinder) Find(ctx context.Context, img image.Image) (people []Candidate, err error) {
	defer panics.Catch(&err)
	people, err = c.Finder.Find(ctx, img)
	b := img.Bounds()
	for i, p := range people {
		if !plausible(p.Box.Min, b) || !plausible(p.Box.Max, b) || !(p.Score >= 0 && p.Score <= 1) {
			return nil, fmt.Errorf("the finder puts person %d into %v with a score of %v, in the picture %v", i+1, p.Box, p.Score, b)
		}
	}
	return people, err
}

// finderOf is FinderOf with a checkedFinder; nil if there is none.
func finderOf(est Estimator) Finder {
	if finder, ok := FinderOf(est); ok {
		return checkedFinder{finder}
	}
	return nil
}

// farOutside is how far a point may lie outside of a picture, in its longer sides. A network may put a part that it
// does not see a little outside; what is farther is a mistake in its numbers.
const farOutside = 10

// plausible reports whether a point is in a picture or not far outside; NaN is not.
func plausible(at keypoint.Point, b image.Rectangle) bool {
	low, high, most := corner(b.Min), corner(b.Max), farOutside*float64(max(b.Dx(), b.Dy()))
	for axis := range at {
		if !(math.Abs(at[axis]-(low[axis]+high[axis])/2) <= (high[axis]-low[axis])/2+most) {
			return false
		}
	}
	return true
}

func corner(p image.Point) keypoint.Point { return keypoint.Point{float64(p.X), float64(p.Y)} }

// withoutFeet returns a frame of a result without its feet, unless they are wanted. It comes last, so
// that they help to follow people in any case.
func withoutFeet(f keypoint.Frame, wanted bool) keypoint.Frame {
	if wanted {
		return f
	}
	return f.Only(keypoint.Body)
}

// missing returns the error of an argument that must not be nil.
func missing(argument string) error {
	return fmt.Errorf("%w %s: it is nil", keypoint.ErrInvalid, argument)
}

func checkPicture(img image.Image) error {
	if img == nil || img.Bounds().Empty() {
		return fmt.Errorf("%w picture: it has no pixels", keypoint.ErrInvalid)
	}
	return nil
}
