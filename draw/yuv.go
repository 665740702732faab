package draw

import (
	"cmp"
	"fmt"
	"image"
	"image/color"

	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

const maxPixels = 1 << 28 // of a picture from NewYUV

// NewYUV returns a black picture of a size in pixels, as encoders take it: planes of luma and of chroma at half the width and
// height (4:2:0), in limited range. Its matrix is the one that players assume by default: BT.709 from 720 lines on, BT.601 below. A
// negative size, and one of more than 2²⁸ pixels, gives a picture without pixels.
func NewYUV(size image.Point) image.Image {
	if size.X <= 0 || size.Y <= 0 || size.X > maxPixels/size.Y {
		size = image.Point{}
	}
	m := yuv.New(size)
	m.BT709 = min(size.X, size.Y) >= 720
	return m
}

// RenderYUV draws one frame as Render does, but directly into the planes of a movie's picture: luma of the pixels
// that the drawing covers, and chroma of the blocks of 2×2 pixels that it touches, by their mean coverage. All other
// values stay exactly as they are. The result differs from drawing in RGB only by the rounding of the conversions.
//
// The picture is one from NewYUV or from the decoder in inference/ffmpeg. Another one, one without pixels and one
// with planes too short for its size are keypoint.ErrInvalid. Errors are otherwise those of Render.
func (r *Renderer) RenderYUV(picture image.Image, f *keypoint.Frame, in Inputs) error {
	dst, ok := picture.(*yuv.Image)
	if !ok {
		return fmt.Errorf("%w picture: RenderYUV cannot draw onto a %T", keypoint.ErrInvalid, picture)
	}
	if err := cmp.Or(checkYUV(dst), r.missing(f, &in)); err != nil {
		return err
	}
	if r.style.fill != nil {
		dst.Fill(r.style.fill.C.(color.RGBA))
	} else {
		blurYUV(dst, in.Faces)
	}
	if r.layer == nil || r.layer.Rect.Max != dst.Size {
		r.layer = image.NewRGBA(image.Rectangle{Max: dst.Size})
		r.spans = make([]yuv.Span, dst.Size.Y)
	}
	clear(r.spans)
	r.painter.pen.spans = r.spans
	r.paint(r.layer, f, in)
	dst.Lay(r.layer, r.spans)
	return nil
}

// checkYUV reports a picture that cannot be drawn onto.
func checkYUV(m *yuv.Image) error {
	if m == nil || m.Size.X <= 0 || m.Size.Y <= 0 {
		return fmt.Errorf("%w picture: it has no pixels", keypoint.ErrInvalid)
	}
	w, h := (m.Size.X+1)/2, (m.Size.Y+1)/2
	chroma := (h-1)*m.CStride + w
	if m.YStride < m.Size.X || m.CStride < w || len(m.Y) < (m.Size.Y-1)*m.YStride+m.Size.X || len(m.Cb) < chroma || len(m.Cr) < chroma {
		return fmt.Errorf("%w picture: its planes are too short for %v pixels", keypoint.ErrInvalid, m.Size)
	}
	return nil
}
