package crop

import (
	"image"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// Form is what a network's input looks like.
type Form struct {
	Width, Height int  // pixels
	Interleaved   bool // the channels of a pixel lie together (NHWC); else in planes (NCHW)
	BGR           bool // the channels are blue, green and red
	// A sample s of 0 to 255 becomes (s − Mean) / Scale, by channel of the input.
	Mean, Scale [3]float64
}

// Len returns how many numbers the input has.
func (f *Form) Len() int { return 3 * f.Width * f.Height }

// View is a piece of a picture as it appears in a network's input, neither turned nor
// skewed.
type View struct {
	Origin keypoint.Point // what is in the input's top left corner, in pixels of the picture
	Step   float64        // pixels of the picture per pixel of the input
}

// At returns the point of the picture that is at (x, y) in the input, both in pixels from
// the top left corner.
func (v View) At(x, y float64) keypoint.Point {
	return keypoint.Point{v.Origin[0] + x*v.Step, v.Origin[1] + y*v.Step}
}

// minSide is what a box measures at least, in pixels: less is no person but a speck.
const minSide = 16

// Around returns the smallest view of the input's aspect ratio around a box that leaves
// room: the box, stretched by the margin, fits into it, and the middle of both is the
// same.
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

// Letterbox returns the view of a whole picture, and where in the input it lies: at the
// top left, or in the middle, at whole pixels.
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
