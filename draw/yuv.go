package draw

import (
	"fmt"
	"image"

	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// YUV is the picture of a movie as decoders deliver and encoders take it: planes of luma
// and of chroma at half the width and height (4:2:0), in full or limited range, with the
// matrix of BT.601 or BT.709. It implements image.Image.
type YUV = yuv.Image

// NewYUV returns a black picture in limited range, pixels. Its matrix is the one that
// players assume where nothing is said: BT.709 from 720 lines on, else BT.601.
func NewYUV(size image.Point) *YUV {
	m := yuv.New(size)
	m.BT709 = min(size.X, size.Y) >= 720
	return m
}

// RenderYUV draws one frame as Render does, but straight into the planes of a movie's
// picture: luma of the pixels that the drawing covers, chroma of the blocks of 2×2 pixels
// that it touches, by the mean of their coverage. All else keeps its values to the bit.
// It differs from drawing in RGB by no more than the rounding of the conversions.
//
// A dst without pixels, or whose planes are shorter than its size says, is a
// keypoint.ErrInvalid.
func (r *Renderer) RenderYUV(dst *YUV, f *keypoint.Frame, rules []Rule, opt Options) error {
	r.painted = image.Rectangle{}
	if err := checkYUV(dst); err != nil {
		return err
	}
	if err := opt.check(rules); err != nil {
		return err
	}
	if opt.Background.SkeletonOnly {
		dst.Fill(opt.Background.Color.or(White))
	}
	if r.layer == nil || r.layer.Rect.Max != dst.Size {
		r.layer = image.NewRGBA(image.Rectangle{Max: dst.Size})
		r.spans = make([]yuv.Span, dst.Size.Y)
	}
	clear(r.spans)
	r.painter.pen.spans = r.spans
	r.paint(r.layer, f, rules, opt)
	dst.Lay(r.layer, r.spans)
	return nil
}

// checkYUV reports a picture that cannot be drawn onto.
func checkYUV(m *YUV) error {
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
