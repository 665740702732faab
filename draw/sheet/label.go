package sheet

import (
	"image"
	"image/color"

	"github.com/fogleman/gg"
	"golang.org/x/image/font/gofont/gobold"

	"github.com/bodymotion/motion/draw/internal/text"
)

// labeller writes text onto a picture.
type labeller struct {
	dc   *gg.Context
	face *text.Face
}

func newLabeller(dst *image.RGBA, em float64, c color.Color) *labeller {
	l := &labeller{gg.NewContextForRGBA(dst), text.NewFace(gobold.TTF, em)}
	l.dc.SetFontFace(l.face)
	l.dc.SetColor(c)
	return l
}

// write centres a label in a box.
func (l *labeller) write(label string, box image.Rectangle) {
	const capHeight = 0.72 // of Go Bold, in ems
	em := l.face.Em
	label = l.face.Cut(label, float64(box.Dx())-max(em/3.5, 4))
	l.dc.DrawString(label, float64(box.Min.X)+(float64(box.Dx())-l.face.Width(label))/2, float64(box.Min.Y)+(float64(box.Dy())+capHeight*em)/2)
}
