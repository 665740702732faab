package movenet

import (
	"context"
	"fmt"
	"image"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/internal/pixels"
	"github.com/bodymotion/motion/internal/ort"
	"github.com/bodymotion/motion/keypoint"
)

// network is a pose network.
type network struct {
	graph     *ort.Graph
	model     Model
	threshold float64 // of a part
	mirrored  bool    // the crops are mirror images
}

func (n *network) Look(ctx context.Context, img image.Image, r inference.Region) (keypoint.Frame, error) {
	v := &view{network: n, ctx: ctx, picture: pixels.New(img)}
	var f keypoint.Frame
	var err error
	switch {
	case r.Followed: // the crop is rotated as the person was
		s := around(r.Box, keypointMargin)
		s.Angle = lean(&r.Keypoints)
		f, err = v.look(s)
	case r.Whole():
		f, err = v.whole()
	default:
		f, err = v.upright(around(r.Box, detectedMargin))
	}
	if err != nil {
		return keypoint.Frame{}, err
	}
	return r.Accept(f, n.threshold, keypoint.NumBody), nil
}

// view is a picture that a network looks at. Its coordinates begin at 0.
type view struct {
	*network
	ctx     context.Context
	picture pixels.Picture
	cutter  pixels.Cutter
}

// The side of a crop, as a factor of the longer side of the person's box. A detector's box
// reaches from hair to soles, that of the keypoints from eyes to ankles.
const (
	detectedMargin = 1.2
	keypointMargin = 1.45
)

func around(b inference.Box, margin float64) pixels.Square {
	return pixels.Square{Centre: b.Centre(), Side: max(b.Extent(), 16) * margin}
}

// maxLean is how far a torso may lean before the crop is rotated upright, radians.
const maxLean = 25 * math.Pi / 180

// lean returns the angle of the torso from upright, clockwise on screen, in radians from −π to
// π; 0 if it is at most maxLean, or shoulders or hips are missing.
func lean(f *keypoint.Frame) float64 {
	top, okTop := f.Centroid(keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder))
	bottom, okBottom := f.Centroid(keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip))
	up := top.Sub(bottom)
	angle := math.Atan2(up[0], -up[1])
	if !okTop || !okBottom || top == bottom || math.Abs(angle) <= maxLean {
		return 0
	}
	return angle
}

// whole estimates the whole picture, and then the person found in it.
func (v *view) whole() (keypoint.Frame, error) {
	width, height := float64(v.picture.Size.X), float64(v.picture.Size.Y)
	s := pixels.Square{Centre: keypoint.Point{width / 2, height / 2}, Side: max(width, height)}
	f, err := v.look(s)
	if err != nil {
		return f, err
	}
	f = (&inference.Region{}).Accept(f, v.threshold, keypoint.NumBody)
	if b, found := inference.BoundsOf(&f); found {
		s = around(b, keypointMargin)
	}
	return v.upright(s)
}

// upright estimates an upright crop, and a rotated one if the torso leans, and returns the frame that scores higher.
func (v *view) upright(s pixels.Square) (keypoint.Frame, error) {
	best, err := v.look(s)
	if s.Angle = lean(&best); err != nil || s.Angle == 0 {
		return best, err
	}
	turned, err := v.look(s)
	if err != nil || score(&turned) > score(&best) {
		return turned, err
	}
	return best, nil
}

// score returns the mean confidence of the 17 parts.
func score(f *keypoint.Frame) (mean float64) {
	for k := range keypoint.Part(keypoint.NumBody) {
		mean += f.Confidence(k) / keypoint.NumBody
	}
	return mean
}

// look runs the network on a crop and returns all 17 parts in the picture.
func (v *view) look(s pixels.Square) (f keypoint.Frame, err error) {
	n := v.model.Size
	in, out := []int64{1, int64(n), int64(n), 3}, [][]int64{{1, 1, keypoint.NumBody, 3}}
	err = v.graph.Use(in, out, func(r *ort.Run) error {
		v.cutter.Cut(r.Bytes, n, &v.picture, s)
		if v.mirrored {
			mirror(r.Bytes, n)
		}
		if err := r.Do(v.ctx); err != nil {
			return err
		}
		for k := range keypoint.Part(keypoint.NumBody) { // rows of y, x (0 to 1) and score
			row := r.Outputs()[0].Data[3*k : 3*k+3]
			part, x := k, float64(row[1])
			if v.mirrored {
				part, x = k.Mirror(), 1-x
			}
			f.Set(part, s.At(x, float64(row[0])), float64(row[2]))
		}
		return nil
	})
	if err != nil {
		return f, fmt.Errorf("movenet: %s: %w", v.model.Name, err)
	}
	return f, nil
}

// mirror exchanges left and right of a picture of RGB bytes, n pixels wide.
func mirror(rgb []byte, n int) {
	for row := rgb; len(row) > 0; row = row[3*n:] {
		for i, k := 0, 3*(n-1); i < k; i, k = i+3, k-3 {
			for c := range 3 {
				row[i+c], row[k+c] = row[k+c], row[i+c]
			}
		}
	}
}
