package sheet_test

import (
	"image"
	"image/color"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// waving is somebody who waves both arms in a movie of 320×240 pixels, 25 frames a
// second.
func waving(frames int) keypoint.Sequence {
	s := keypoint.Sequence{Size: image.Pt(320, 240)}
	for i := range frames {
		var f keypoint.Frame
		t := float64(i) / 25
		swing := 50 * math.Sin(2*math.Pi*t)
		for p, at := range [keypoint.NumBody]keypoint.Point{
			keypoint.Nose: {160, 40}, keypoint.LeftEye: {165, 35}, keypoint.RightEye: {155, 35},
			keypoint.LeftEar: {172, 38}, keypoint.RightEar: {148, 38},
			keypoint.LeftShoulder: {185, 70}, keypoint.RightShoulder: {135, 70},
			keypoint.LeftElbow: {215, 80 - swing/2}, keypoint.RightElbow: {105, 80 - swing/2},
			keypoint.LeftWrist: {235, 85 - swing}, keypoint.RightWrist: {85, 85 - swing},
			keypoint.LeftHip: {175, 135}, keypoint.RightHip: {145, 135},
			keypoint.LeftKnee: {180, 175}, keypoint.RightKnee: {140, 175},
			keypoint.LeftAnkle: {182, 220}, keypoint.RightAnkle: {138, 220},
		} {
			f.Set(keypoint.Part(p), at, 1)
		}
		s.Frames = append(s.Frames, f)
		s.Times = append(s.Times, t)
	}
	return s
}

// scene is a picture of a size with a soft pattern that depends on the frame.
func scene(size image.Point, frame int) image.Image {
	m := image.NewRGBA(image.Rectangle{Max: size}.Add(image.Pt(7, -3))) // origins other than 0 are sound
	for y := range size.Y {
		for x := range size.X {
			i := m.PixOffset(x+7, y-3)
			u, v := 16*x/size.X, 12*y/size.Y
			c := color.RGBA{uint8(120 + 6*u), uint8(150 + 6*v), uint8(150 + 40*((u+v+frame/5)%2)), 255}
			m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = c.R, c.G, c.B, c.A
		}
	}
	return m
}
