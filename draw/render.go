package draw

import (
	"fmt"
	"image"
	"image/draw"

	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// Options say how to draw. The zero value draws keypoints onto the picture as it is.
type Options struct {
	Background Background

	// Distance returns how far a part of the target is from the source's, 0 to 1; ok is
	// false for a part that was not compared. It makes the drawing one of a comparison:
	// rules may have bands, and the default drawing shows the parts whose distance is
	// 0.2 or more in red.
	Distance func(keypoint.Part) (distance float64, ok bool)

	// Target is the target's frame of a comparison, laid over the source's (pixels of
	// the picture, see compare.Overlay). Rules with Ghost or Arrows need it.
	Target *keypoint.Frame

	// History is the recording up to and including the frame that is drawn, from which
	// Trace takes the path of its points. Without times there is no path.
	History keypoint.Sequence

	// Value returns what a Label writes for the analysis of that number (from 0) in this
	// frame, such as "87°"; ok is false where there is no value. Rules with Analysis
	// need it.
	Value func(analysis int) (text string, ok bool)
}

// Render draws the keypoints of a frame onto dst by the rules, or the default drawing
// when rules is nil: all edges of the skeleton, then all points, in grey. The
// coordinates of the frame are pixels of dst from its top left corner.
//
// An empty dst is a keypoint.ErrInvalid; what is wrong with the rules, and what they
// need and opt lacks, comes back as Errors, and dst is as it was.
//
// A Renderer does the same for many frames with less work.
func Render(dst *image.RGBA, f *keypoint.Frame, rules []Rule, opt Options) error {
	var r Renderer
	return r.Render(dst, f, rules, opt)
}

// Renderer draws frames like Render and keeps the memory it needs from one to the
// next. The zero value is ready; a Renderer is for one goroutine at a time.
type Renderer struct {
	painter painter
	painted image.Rectangle
	layer   *image.RGBA // of RenderYUV, transparent; nil before the first
	spans   []yuv.Span  // the rows of layer that were painted on
}

// Render draws one frame as the function Render does.
func (r *Renderer) Render(dst *image.RGBA, f *keypoint.Frame, rules []Rule, opt Options) error {
	r.painted = image.Rectangle{}
	if dst == nil || dst.Rect.Empty() {
		return fmt.Errorf("%w picture: it has no pixels", keypoint.ErrInvalid)
	}
	if err := opt.check(rules); err != nil {
		return err
	}
	if opt.Background.SkeletonOnly {
		draw.Draw(dst, dst.Rect, image.NewUniform(opt.Background.Color.or(White)), image.Point{}, draw.Src)
	}
	r.painter.pen.spans = nil
	r.paint(dst, f, rules, opt)
	r.painted = r.painted.Add(dst.Rect.Min)
	return nil
}

// paint draws by rules that were checked. painted is from the top left corner then.
func (r *Renderer) paint(dst *image.RGBA, f *keypoint.Frame, rules []Rule, opt Options) {
	if rules == nil {
		rules = defaultRules(opt.Distance != nil)
	}
	p := &r.painter
	p.pen.painted = image.Rectangle{}
	if opt.Background.SkeletonOnly {
		p.pen.painted.Max = dst.Rect.Size()
	}
	p.pen.dst, p.frame, p.opt = dst, f, opt
	p.pen.side = float64(max(dst.Rect.Dx(), dst.Rect.Dy()))
	p.legends = 0
	for i := range rules {
		p.rule(&rules[i])
	}
	r.painted = p.pen.painted
	p.pen.dst, p.frame, p.opt = nil, nil, Options{}
}

// Painted returns a rectangle that holds every pixel of dst that the last Render
// changed. Whoever keeps a transparent picture, draws onto it and lays it over
// something else need look no farther.
func (r *Renderer) Painted() image.Rectangle { return r.painted }

// check reports, as Errors, what is wrong with the rules, and what they need and the
// options lack.
func (o *Options) check(rules []Rule) error {
	if err := Check(rules, o.Distance != nil); err != nil {
		return err
	}
	var errs Errors
	if c := o.Background.Color; !c.valid() {
		errs = append(errs, &Error{Pointer: "/color", Detail: fmt.Sprintf("is %q, want one of %s", c, colorList())})
	}
	for i := range rules {
		r := &rules[i]
		for _, need := range [...]struct {
			lacks  bool
			member string
			detail string
		}{
			{r.Ghost != "" && o.Target == nil, "/ghost", "needs the frame of the target"},
			{r.Arrows != "" && o.Target == nil, "/arrows", "needs the frame of the target"},
			{r.Analysis != nil && o.Value == nil, "/analysis", "needs the values of an analysis"},
		} {
			if need.lacks {
				errs = append(errs, &Error{Pointer: place(rules, i) + need.member, Detail: need.detail})
			}
		}
	}
	if errs == nil {
		return nil
	}
	return errs
}

// defaultRules returns the drawing that is made without rules.
func defaultRules(comparison bool) []Rule {
	rules := []Rule{{Type: StickPicture}, {Type: Keypoint}}
	if comparison {
		for i := range rules {
			rules[i].Bands = []Band{{Threshold: DefaultThreshold}}
		}
	}
	return rules
}
