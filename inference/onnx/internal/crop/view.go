package crop

import (
	"image"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// Form describes a network's input.
type Form struct {
	Width, Height int  // pixels
	Interleaved   bool // NHWC; else NCHW
	BGR           bool // channels in the order blue, green, red; else red, green, blue
	// A sample s of 0 to 255 becomes (s − Mean) / Scale, by channel of the input.
	Mean, Scale [3]float64
}

// Len returns the number of values of the input.
func (f *Form) Len() int { return 3 * f.Width * f.Height }

// View maps a network's input to an upright region of a picture.
type View struct {
	Origin keypoint.Point // the point of the picture in the input's top left corner, pixels
	Step   float64        // pixels of the picture per pixel of the input
}

// At returns the point of the picture at (x, y) in the input, both in pixels from the top left corner.
func (v View) At(x, y float64) keypoint.Point {
	return keypoint.Point{v.Origin[0] + x*v.Step, v.Origin[1] + y*v.Step}
}

// minSide is the least longer side of a box, pixels: smaller ones are no people.
const minSide = 16

// Around returns the smallest view in the input's aspect ratio that contains the box enlarged by margin. Both have the same centre.
func Around(low, high keypoint.Point, margin float64, f *Form) View {
	width, height := high[0]-low[0], high[1]-low[1]
	if long := max(width, height); long < minSide {
		width, height = minSide, minSide
	}
	step := max(width/float64(f.Width), height/float64(f.Height)) * margin
	return View{
		keypoint.Point{(low[0] + high[0] - step*float64(f.Width)) / 2, (low[1] + high[1] - step*float64(f.Height)) / 2},
		step,
	}
}

// Letterbox returns the view of a whole picture, and the rectangle of the input that it fills, at
// whole pixels: at the top left, or in the centre.
func Letterbox(size image.Point, centred bool, f *Form) (View, image.Rectangle) {
	step := max(float64(size.X)/float64(f.Width), float64(size.Y)/float64(f.Height))
	width := min(max(int(math.Round(float64(size.X)/step)), 1), f.Width)
	height := min(max(int(math.Round(float64(size.Y)/step)), 1), f.Height)
	var at image.Point
	if centred {
		at = image.Pt((f.Width-width)/2, (f.Height-height)/2)
	}
	origin := keypoint.Point{-float64(at.X) * step, -float64(at.Y) * step}
	return View{origin, step}, image.Rectangle{at, at.Add(image.Pt(width, height))}
}
