package draw_test

import (
	"fmt"
	"image"
	"testing"

	"github.com/fogleman/gg"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/keypoint"
)

// sizes are the picture sizes of the benchmarks, up to 12 megapixels.
var sizes = []image.Point{{100, 100}, {640, 360}, {1280, 720}, {1920, 1080}, {4000, 3000}}

// BenchmarkRender draws the default skeleton with Render, with a reused Renderer and, for
// comparison, with gg, which draws all edges as one path and all dots as another.
func BenchmarkRender(b *testing.B) {
	style, err := draw.Compile(nil, draw.Background{}, false)
	if err != nil {
		b.Fatal(err)
	}
	renderer := draw.NewRenderer(style)
	for _, way := range []struct {
		name string
		draw func(dst *image.RGBA, f *keypoint.Frame) error
	}{
		{"Render", func(dst *image.RGBA, f *keypoint.Frame) error { return draw.Render(dst, f, nil, draw.Background{}) }},
		{"Renderer", func(dst *image.RGBA, f *keypoint.Frame) error { return renderer.Render(dst, f, draw.Inputs{}) }},
		{"gg", drawByGG},
	} {
		for _, size := range sizes {
			b.Run(fmt.Sprintf("%s/%dx%d", way.name, size.X, size.Y), func(b *testing.B) {
				dst := image.NewRGBA(image.Rectangle{Max: size})
				f := person(float64(size.X), float64(size.Y))
				b.ReportAllocs()
				for b.Loop() {
					if err := way.draw(dst, &f); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func drawByGG(dst *image.RGBA, f *keypoint.Frame) error {
	side := float64(max(dst.Rect.Dx(), dst.Rect.Dy()))
	c := gg.NewContextForRGBA(dst)
	c.SetRGB255(128, 128, 128)
	c.SetLineWidth(max(side/400, 2))
	for _, e := range keypoint.Skeleton() {
		p, _ := f.At(e[0])
		q, _ := f.At(e[1])
		c.DrawLine(p[0], p[1], q[0], q[1])
	}
	c.Stroke()
	for p := range keypoint.Part(keypoint.NumParts) {
		at, _ := f.At(p)
		c.DrawCircle(at[0], at[1], max(side/150, 4)/2)
	}
	c.Fill()
	return nil
}

// BenchmarkExtras draws the rules beyond the specification on 720p.
func BenchmarkExtras(b *testing.B) {
	size := image.Pt(1280, 720)
	f := person(float64(size.X), float64(size.Y))
	target := shifted(f, 30, -20)
	opt := options{
		Distance: func(keypoint.Part) (float64, bool) { return 0.25, true },
		Target:   &target,
		History:  wave(f, 30),
		Value:    func(int) (string, bool) { return "12.5", true },
	}
	one := 1
	for name, rule := range map[string]draw.Rule{
		"ghost":  {Type: "stickPicture", Ghost: draw.SkyBlue},
		"arrows": {Type: "keypoint", Arrows: draw.Yellow},
		"legend": {Type: "keypoint", Pattern: "upperBody", Bands: []draw.Band{{Threshold: 0.2}}, Legend: true},
		"angle":  {Type: "angle", Points: keypoint.PartSelectors(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)},
		"trace":  {Type: "trace", Points: keypoint.PartSelectors(keypoint.LeftWrist)},
		"label":  {Type: "label", Points: keypoint.PartSelectors(keypoint.LeftKnee), Analysis: &one},
	} {
		b.Run(name, func(b *testing.B) {
			style, err := draw.Compile([]draw.Rule{rule}, draw.Background{}, true)
			if err != nil {
				b.Fatal(err)
			}
			r := draw.NewRenderer(style)
			dst := image.NewRGBA(image.Rectangle{Max: size})
			b.ReportAllocs()
			for b.Loop() {
				if err := r.Render(dst, &f, opt.inputs()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
