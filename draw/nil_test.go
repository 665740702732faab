package draw_test

import (
	"errors"
	"image"
	"slices"
	"testing"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// TestNil: a nil picture, frame or style is an error, and nothing is drawn.
func TestNil(t *testing.T) {
	dst, planes, f := image.NewRGBA(image.Rect(0, 0, 40, 30)), draw.NewYUV(image.Pt(40, 30)), person(40, 30)
	style, err := draw.Compile(nil, draw.Background{SkeletonOnly: true}, false)
	if err != nil {
		t.Fatal(err)
	}
	r := draw.NewRenderer(style)
	for name, err := range map[string]error{
		"Render, picture":                draw.Render(nil, &f, nil, draw.Background{}),
		"Render, picture without pixels": draw.Render(&image.RGBA{}, &f, nil, draw.Background{}),
		"Render, picture without Pix":    draw.Render(&image.RGBA{Stride: 4 * 40, Rect: dst.Rect}, &f, nil, draw.Background{}),
		"Render, picture without Stride": draw.Render(&image.RGBA{Pix: dst.Pix, Rect: dst.Rect}, &f, nil, draw.Background{}),
		"Render, frame":                  draw.Render(dst, nil, nil, draw.Background{SkeletonOnly: true}),
		"Renderer.Render, picture":       r.Render(nil, &f, draw.Inputs{}),
		"Renderer.Render, frame":         r.Render(dst, nil, draw.Inputs{}),
		"Renderer.RenderYUV, picture":    r.RenderYUV(nil, &f, draw.Inputs{}),
		"Renderer.RenderYUV, frame":      r.RenderYUV(planes, nil, draw.Inputs{}),
		"NewRenderer, style":             draw.NewRenderer(nil).Render(dst, &f, draw.Inputs{}),
		"NewRenderer, style for YUV":     draw.NewRenderer(nil).RenderYUV(planes, &f, draw.Inputs{}),
		"zero Renderer":                  new(draw.Renderer).Render(dst, &f, draw.Inputs{}),
	} {
		if !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if slices.ContainsFunc(dst.Pix, func(b uint8) bool { return b != 0 }) {
		t.Error("something was drawn")
	}
	if _, err := draw.ParseRules(nil); err == nil {
		t.Error("no rules were parsed")
	}
	if _, err := draw.ParseBackground(nil); err == nil {
		t.Error("no background was parsed")
	}
}
