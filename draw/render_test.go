package draw_test

import (
	"image"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// options hold everything that a drawing needs besides the frame and the rules.
type options struct {
	Background draw.Background
	Distance   func(keypoint.Part) (float64, bool) // nil: no comparison
	Target     *keypoint.Frame
	History    keypoint.Sequence
	Value      func(int) (string, bool)
	Hidden     keypoint.Parts
	Faces      []draw.Face
	Sketches   []draw.Sketch
}

func (o options) inputs() draw.Inputs {
	return draw.Inputs{o.Distance, o.Target, o.History, o.Value, o.Hidden, nil, o.Faces, o.Sketches}
}

// render draws one frame with a new Renderer.
func render(dst *image.RGBA, f *keypoint.Frame, rules []draw.Rule, o options) error {
	s, err := draw.Compile(rules, o.Background, o.Distance != nil)
	if err != nil {
		return err
	}
	return draw.NewRenderer(s).Render(dst, f, o.inputs())
}

// renderer draws with a Renderer that has drawn another frame of another size before.
type renderer struct{ *draw.Renderer }

func (r *renderer) use(rules []draw.Rule, o options) error {
	s, err := draw.Compile(rules, o.Background, o.Distance != nil)
	if err != nil {
		return err
	}
	r.Renderer = draw.NewRenderer(s)
	other, in := person(33, 21), o.inputs()
	if in.Target == nil {
		in.Target = &other
	}
	if in.Value == nil {
		in.Value = func(int) (string, bool) { return "7", true }
	}
	if err := r.Renderer.RenderYUV(draw.NewYUV(image.Pt(33, 21)), &other, in); err != nil {
		return err
	}
	return r.Renderer.Render(canvas(33, 21), &other, in)
}

func (r *renderer) Render(dst *image.RGBA, f *keypoint.Frame, rules []draw.Rule, o options) error {
	if err := r.use(rules, o); err != nil {
		return err
	}
	return r.Renderer.Render(dst, f, o.inputs())
}

func (r *renderer) RenderYUV(dst image.Image, f *keypoint.Frame, rules []draw.Rule, o options) error {
	if err := r.use(rules, o); err != nil {
		return err
	}
	return r.Renderer.RenderYUV(dst, f, o.inputs())
}

// check returns what Compile finds wrong with rules.
func check(rules []draw.Rule, comparison bool) error {
	_, err := draw.Compile(rules, draw.Background{}, comparison)
	return err
}
