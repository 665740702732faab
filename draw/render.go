package draw

import (
	"fmt"
	"image"
	"image/draw"
	"slices"

	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// Inputs holds what is drawn in addition to the keypoints of a frame. The zero value is enough unless Style.Needs says otherwise.
type Inputs struct {
	// Distance returns how far a part of the target is from the source's, 0 to 1; ok is
	// false if the part was not compared. nil means that no part was.
	Distance func(keypoint.Part) (distance float64, ok bool)

	// Target is the target's frame of a comparison, moved onto the source's (pixels of the
	// picture, see compare.Overlay). Rules with Ghost or Arrows need it.
	Target *keypoint.Frame

	// History is the recording up to and including the frame, from which Trace takes the
	// path of its points. Without times there is no path.
	History keypoint.Sequence

	// Value returns what a Label writes for the analysis of that number (from 0) in this
	// frame, such as "87°"; ok is false if there is no value. Rules with Analysis need it.
	Value func(analysis int) (text string, ok bool)

	// Hidden are the parts of the body that cannot be seen, such as by quality.Hidden. They are left out.
	Hidden keypoint.Parts

	// Captions are lines in the lower left corner, in which letters that the fonts lack are boxes.
	Captions []string

	// Faces are blurred in the picture before anything is drawn onto it, see Faces. A SkeletonOnly background has none.
	Faces []Face

	Sketches []Sketch // drawn over everything else, whatever their frames
}

// Render draws the keypoints of one frame onto dst. The coordinates of the frame are pixels
// from the top left corner of dst. nil rules select the default drawing, see Compile.
//
// An empty dst and a nil f are a keypoint.ErrInvalid. Mistakes in the rules are keypoint.FieldErrors. dst is not changed then.
//
// To draw many frames, or a comparison, use Compile and NewRenderer.
func Render(dst *image.RGBA, f *keypoint.Frame, rules []Rule, background Background) error {
	s, err := Compile(rules, background, false)
	if err != nil {
		return err
	}
	return NewRenderer(s).Render(dst, f, Inputs{})
}

// Renderer draws frames in a Style and reuses its memory from one to the next. A Renderer is for one goroutine at a time.
type Renderer struct {
	style   *Style
	painter painter
	layer   *image.RGBA // of RenderYUV, transparent; nil before the first
	spans   []yuv.Span  // the rows of layer that were painted on
}

// NewRenderer returns a Renderer of a Style, which must not be nil.
func NewRenderer(s *Style) *Renderer {
	r := &Renderer{style: s}
	if s != nil {
		r.painter.text.More = s.fonts
	}
	return r
}

// Render draws one frame onto dst. The coordinates of the frame are pixels from the top left
// corner of dst. An empty dst, a nil f and a Renderer without a Style are a keypoint.ErrInvalid;
// what the rules need and in lacks is returned as keypoint.FieldErrors. dst is not changed then.
func (r *Renderer) Render(dst *image.RGBA, f *keypoint.Frame, in Inputs) error {
	if dst == nil || dst.Rect.Empty() {
		return fmt.Errorf("%w picture: it has no pixels", keypoint.ErrInvalid)
	}
	if w, h := dst.Rect.Dx(), dst.Rect.Dy(); dst.Stride < 4*w || len(dst.Pix) < (h-1)*dst.Stride+4*w {
		return fmt.Errorf("%w picture: its Pix is too short for %v pixels", keypoint.ErrInvalid, dst.Rect.Size())
	}
	if err := r.missing(f, &in); err != nil {
		return err
	}
	if r.style.fill != nil {
		draw.Draw(dst, dst.Rect, r.style.fill, image.Point{}, draw.Src)
	} else {
		blurRGBA(dst, in.Faces)
	}
	r.painter.pen.spans = nil
	r.paint(dst, f, in)
	return nil
}

// missing reports a nil Style or frame, and what the rules need and in lacks.
func (r *Renderer) missing(f *keypoint.Frame, in *Inputs) error {
	switch {
	case r.style == nil:
		return fmt.Errorf("%w style: it is nil, want one from Compile", keypoint.ErrInvalid)
	case f == nil:
		return fmt.Errorf("%w frame: it is nil", keypoint.ErrInvalid)
	}
	return r.style.missing(in)
}

func (r *Renderer) paint(dst *image.RGBA, f *keypoint.Frame, in Inputs) {
	if in.Hidden != 0 {
		seen := f.Only(^in.Hidden)
		f = &seen
	}
	p := &r.painter
	p.pen.dst, p.frame, p.in = dst, f, in
	p.pen.side = float64(max(dst.Rect.Dx(), dst.Rect.Dy()))
	p.legends, p.texts = 0, p.texts[:0]
	for i := range r.style.rules {
		p.rule(&r.style.rules[i])
	}
	for _, line := range slices.Backward(in.Captions) {
		p.caption(line)
	}
	for _, s := range in.Sketches {
		p.sketch(s)
	}
	p.pen.dst, p.frame, p.in = nil, nil, Inputs{}
}
