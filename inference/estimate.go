package inference

import (
	"context"
	"fmt"
	"image"

	"github.com/bodymotion/motion/keypoint"
)

// estimate asks est for a person, and puts keypoints outside of the picture at its edge. All
// keypoints of this package come from here.
func estimate(ctx context.Context, est Estimator, img image.Image, hint Hint) (keypoint.Frame, error) {
	f, err := est.Estimate(ctx, img, hint)
	b := img.Bounds()
	f.Clamp(corner(b.Min), corner(b.Max))
	return f, err
}

func corner(p image.Point) keypoint.Point { return keypoint.Point{float64(p.X), float64(p.Y)} }

// dropFeet removes the feet from the frames of a result, unless they are wanted. It comes last, so
// that they help to follow people in any case.
func dropFeet(frames []keypoint.Frame, wanted bool) {
	if wanted {
		return
	}
	for i := range frames {
		frames[i] = frames[i].Only(keypoint.Body)
	}
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
