// Package sample has a picture of a rendered person with its keypoints, and a movie of that picture in
// motion whose keypoints are known exactly.
package sample

import (
	"bytes"
	_ "embed"
	"image"
	"image/color"
	"image/jpeg"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"github.com/bodymotion/motion/keypoint"
)

//go:embed body.jpg
var body []byte

// JPEG returns the picture, a JPEG of 1200×1200 pixels.
func JPEG() []byte { return bytes.Clone(body) }

// Image returns the decoded picture.
func Image() image.Image {
	img, err := jpeg.Decode(bytes.NewReader(body))
	if err != nil {
		panic("sample: the embedded picture is damaged: " + err.Error())
	}
	return img
}

// Visible returns the visible parts of the person, in pixels, as placed by hand. The head hides the
// right ear, the dress the hips.
func Visible() keypoint.Frame {
	var f keypoint.Frame
	for _, p := range []struct {
		part keypoint.Part
		x, y float64
	}{
		{keypoint.Nose, 571, 112}, {keypoint.LeftEye, 595, 86}, {keypoint.RightEye, 554, 87}, {keypoint.LeftEar, 652, 107},
		{keypoint.LeftShoulder, 707, 237}, {keypoint.RightShoulder, 523, 237},
		{keypoint.LeftElbow, 817, 393}, {keypoint.RightElbow, 437, 390},
		{keypoint.LeftWrist, 900, 513}, {keypoint.RightWrist, 287, 507},
		{keypoint.LeftKnee, 666, 832}, {keypoint.RightKnee, 566, 828},
		{keypoint.LeftAnkle, 670, 1086}, {keypoint.RightAnkle, 578, 1080},
	} {
		f.Set(p.part, keypoint.Point{p.x, p.y}, 1)
	}
	return f
}

// The movie. The person sways from side to side once per Period.
const (
	MovieSize = 480 // pixels, width and height
	FrameRate = 24  // frames per second
	Period    = 2.0 // seconds
)

// Movement returns the map from the picture's pixels to those of the frame at t seconds:
// x' = m[0]x + m[1]y + m[2], y' = m[3]x + m[4]y + m[5]. The person leans by 6° and moves by 24 pixels
// to each side, and grows by a tenth and back.
func Movement(t float64) f64.Aff3 {
	phase := 2 * math.Pi * t / Period
	angle := 6 * math.Pi / 180 * math.Sin(phase)
	scale := float64(MovieSize) / 1200 * (0.85 + 0.085*math.Sin(phase/2)*math.Sin(phase/2))
	sin, cos := math.Sincos(angle)
	// The picture's centre goes to the frame's centre, moved sideways.
	a, b := scale*cos, -scale*sin
	cx, cy := MovieSize/2+24*math.Sin(phase), MovieSize/2.0
	return f64.Aff3{a, b, cx - a*600 - b*600, -b, a, cy + b*600 - a*600}
}

// Moved returns the point of the frame at t seconds that shows the point p of the picture.
func Moved(p keypoint.Point, t float64) keypoint.Point {
	m := Movement(t)
	return keypoint.Point{m[0]*p[0] + m[1]*p[1] + m[2], m[3]*p[0] + m[4]*p[1] + m[5]}
}

// Mover draws the frames of the movie.
type Mover struct {
	small *image.RGBA // the picture, shrunk to avoid aliasing
	frame *image.RGBA
}

// NewMover returns a Mover.
func NewMover() *Mover {
	src := Image()
	small := image.NewRGBA(image.Rect(0, 0, 600, 600))
	draw.CatmullRom.Scale(small, small.Rect, src, src.Bounds(), draw.Src, nil)
	return &Mover{small, image.NewRGBA(image.Rect(0, 0, MovieSize, MovieSize))}
}

// Frame draws the frame at t seconds. The next call overwrites it.
func (m *Mover) Frame(t float64) *image.RGBA {
	draw.Draw(m.frame, m.frame.Rect, image.NewUniform(color.RGBA{238, 238, 238, 255}), image.Point{}, draw.Src)
	a := Movement(t)
	a[0], a[1], a[3], a[4] = 2*a[0], 2*a[1], 2*a[3], 2*a[4]
	draw.BiLinear.Transform(m.frame, a, m.small, m.small.Rect, draw.Over, nil)
	return m.frame
}
