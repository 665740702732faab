package main

import (
	"context"
	"image"
	"image/color"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// stub is an inference.Estimator of known cost. Its result depends only on the picture: a person
// who fills it, moved by the colour of its middle.
type stub struct{ cost time.Duration }

func (s stub) Estimate(ctx context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	timer := time.NewTimer(s.cost)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return keypoint.Frame{}, ctx.Err()
	case <-timer.C:
	}
	b := img.Bounds()
	c := color.RGBAModel.Convert(img.At(b.Min.X+b.Dx()/2, b.Min.Y+b.Dy()/2)).(color.RGBA)
	dx, dy := float64(c.R)/255/4, float64(c.G)/255/4
	var f keypoint.Frame
	for p, at := range map[keypoint.Part]keypoint.Point{
		keypoint.Nose:         {0.4 + dx/2, 0.05 + dy/2},
		keypoint.LeftShoulder: {0.55, 0.25 + dy}, keypoint.RightShoulder: {0.3, 0.25},
		keypoint.LeftElbow: {0.6, 0.4 + dx}, keypoint.RightElbow: {0.2 + dx, 0.4},
		keypoint.LeftWrist: {0.6 + dx, 0.5 + dy}, keypoint.RightWrist: {0.2, 0.5 + dx},
		keypoint.LeftHip: {0.5, 0.6}, keypoint.RightHip: {0.4, 0.6},
		keypoint.LeftKnee: {0.5 + dx/2, 0.75}, keypoint.RightKnee: {0.4, 0.7 + dy/2},
		keypoint.LeftAnkle: {0.5, 0.95}, keypoint.RightAnkle: {0.4 - dx/2, 0.95},
	} {
		f.Set(p, keypoint.Point{at[0] * float64(b.Dx()), at[1] * float64(b.Dy())}, 0.9)
	}
	return f, nil
}
