// Package person holds what several Finders do alike.
package person

import (
	"context"
	"fmt"
	"image"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// Find finds people as inference.Finder promises. look returns them in pixels from the top left corner of img, which has pixels.
func Find(ctx context.Context, img image.Image, look func() ([]inference.Candidate, error)) ([]inference.Candidate, error) {
	if img == nil {
		return nil, fmt.Errorf("%w picture: it is nil", keypoint.ErrInvalid)
	}
	if err := ctx.Err(); err != nil || img.Bounds().Empty() {
		return nil, err
	}
	people, err := look()
	corner := img.Bounds().Min
	d := keypoint.Point{float64(corner.X), float64(corner.Y)}
	for i := range people {
		p := &people[i]
		p.Box.Min, p.Box.Max = p.Box.Min.Add(d), p.Box.Max.Add(d)
		for _, k := range p.Keypoints.Present().List() {
			at, _ := p.Keypoints.At(k)
			p.Keypoints.Set(k, at.Add(d), p.Keypoints.Confidence(k))
		}
	}
	return people, err
}
