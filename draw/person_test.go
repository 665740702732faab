package draw_test

import (
	"image"
	"image/color"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// person is a person in a picture of w×h pixels whose parts all have different positions and
// heights.
func person(w, h float64) keypoint.Frame {
	var f keypoint.Frame
	for p, at := range [keypoint.NumBody]keypoint.Point{
		keypoint.Nose: {.505, .14}, keypoint.LeftEye: {.53, .115}, keypoint.RightEye: {.475, .12},
		keypoint.LeftEar: {.565, .13}, keypoint.RightEar: {.445, .145},
		keypoint.LeftShoulder: {.62, .27}, keypoint.RightShoulder: {.39, .28},
		keypoint.LeftElbow: {.74, .38}, keypoint.RightElbow: {.27, .35},
		keypoint.LeftWrist: {.80, .23}, keypoint.RightWrist: {.18, .47},
		keypoint.LeftHip: {.57, .54}, keypoint.RightHip: {.43, .545},
		keypoint.LeftKnee: {.66, .71}, keypoint.RightKnee: {.41, .74},
		keypoint.LeftAnkle: {.58, .90}, keypoint.RightAnkle: {.36, .93},
	} {
		f.Set(keypoint.Part(p), keypoint.Point{at[0] * w, at[1] * h}, 1)
	}
	return f
}

// shod is person with feet.
func shod(w, h float64) keypoint.Frame {
	f := person(w, h)
	for p, at := range map[keypoint.Part]keypoint.Point{
		keypoint.LeftBigToe: {.67, .945}, keypoint.LeftSmallToe: {.64, .965}, keypoint.LeftHeel: {.56, .94},
		keypoint.RightBigToe: {.26, .965}, keypoint.RightSmallToe: {.29, .985}, keypoint.RightHeel: {.38, .97},
	} {
		f.Set(p, keypoint.Point{at[0] * w, at[1] * h}, 1)
	}
	return f
}

// shifted moves all parts.
func shifted(f keypoint.Frame, dx, dy float64) keypoint.Frame {
	for p := range keypoint.Part(keypoint.NumParts) {
		if at, ok := f.At(p); ok {
			f.Set(p, at.Add(keypoint.Point{dx, dy}), 1)
		}
	}
	return f
}

// wave is a recording of one second that ends with f and in which all parts move in circles.
func wave(f keypoint.Frame, frames int) keypoint.Sequence {
	var s keypoint.Sequence
	for i := range frames {
		t := float64(i) / float64(frames-1)
		a := 2 * math.Pi * t
		s.Frames = append(s.Frames, shifted(f, 30*math.Sin(a), 30*(1-math.Cos(a))))
		s.Times = append(s.Times, t)
	}
	return s
}

func sel(p keypoint.Part) keypoint.Selector { return keypoint.PartSelector(p) }

// canvas is a picture with a soft pattern, on which everything that is painted is visible.
func canvas(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetRGBA(x, y, color.RGBA{uint8(190 + 40*x/w), uint8(200 + 30*y/h), uint8(170 + 30*(x/16+y/16)%2), 255})
		}
	}
	return m
}
