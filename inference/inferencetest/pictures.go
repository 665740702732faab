package inferencetest

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
)

// Pictures are what TestEstimator and TestFinder show.
type Pictures struct {
	Person image.Image // shows at least one person whom the Estimator finds; default drawn by Picture
	Nobody image.Image // shows nobody; default black
}

func (p Pictures) withDefaults() Pictures {
	if p.Person == nil {
		p.Person = Picture(image.Pt(200, 150), image.Rect(80, 20, 120, 140), image.Rect(20, 60, 40, 120))
	}
	if p.Nobody == nil {
		p.Nobody = Picture(p.Person.Bounds().Size())
	}
	return p
}

// offset is where the corner of moved pictures is.
var offset = image.Pt(101, -53)

// moved returns a copy of a picture with its corner at offset.
func moved(img image.Image) *image.RGBA {
	m := fakes.ToRGBA(img)
	m.Rect = m.Rect.Add(offset)
	return m
}

// opaque hides the type of a picture.
type opaque struct{ image.Image }

// kinds returns a picture as several types.
func kinds(img image.Image) map[string]image.Image {
	rgba := fakes.ToRGBA(img)
	nrgba := image.NewNRGBA(rgba.Rect)
	draw.Draw(nrgba, rgba.Rect, rgba, image.Point{}, draw.Src)
	ycc := image.NewYCbCr(rgba.Rect, image.YCbCrSubsampleRatio444)
	for y := range rgba.Rect.Dy() {
		for x := range rgba.Rect.Dx() {
			c := rgba.RGBAAt(x, y)
			i := ycc.YOffset(x, y)
			ycc.Y[i], ycc.Cb[i], ycc.Cr[i] = color.RGBToYCbCr(c.R, c.G, c.B)
		}
	}
	return map[string]image.Image{"RGBA": rgba, "NRGBA": nrgba, "YCbCr": ycc, "another type": opaque{rgba}}
}

// unchanged returns a function that fails the test if a picture has changed since.
func unchanged(t *testing.T, img *image.RGBA) func() {
	before := fakes.ToRGBA(img)
	return func() {
		t.Helper()
		if string(before.Pix) != string(fakes.ToRGBA(img).Pix) {
			t.Error("the picture has changed")
		}
	}
}

// tolerance is how far apart the keypoints of two pictures of one person may lie in the mean, in extents of the body.
const tolerance = 0.1

// alike reports whether two frames are of one person, as far as an Estimator can tell.
func alike(a, b keypoint.Frame) bool {
	common := a.Present() & b.Present()
	if 2*common.Len() < max(a.Len(), b.Len()) || common.Len() == 0 {
		return a.Empty() && b.Empty()
	}
	box, _ := inference.BoundsOf(&a)
	sum := 0.0
	for _, p := range common.List() {
		was, _ := a.At(p)
		is, _ := b.At(p)
		sum += was.Sub(is).Len()
	}
	return sum/float64(common.Len()) <= tolerance*max(box.Extent(), 1)
}

// shifted returns a frame moved by a number of pixels.
func shifted(f keypoint.Frame, by image.Point) keypoint.Frame {
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		f.Set(p, at.Add(keypoint.Point{float64(by.X), float64(by.Y)}), f.Confidence(p))
	}
	return f
}
