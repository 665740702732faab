package blazepose_test

import (
	"context"
	"image"
	"testing"

	xdraw "golang.org/x/image/draw"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose"
	"github.com/bodymotion/motion/inference/blazepose/full"
	"github.com/bodymotion/motion/inference/blazepose/lite"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// BenchmarkEstimate estimates one 720p frame of a movie, without a hint, and following the person of the
// frame before.
func BenchmarkEstimate(b *testing.B) {
	src := sample.Image()
	rgba := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	xdraw.BiLinear.Scale(rgba, image.Rect(280, 0, 1000, 720), src, src.Bounds(), xdraw.Src, nil)
	frame := yuv.New(rgba.Rect.Size())
	frame.FromRGBA(rgba)
	for _, m := range []blazepose.Model{lite.Model(), full.Model()} {
		e := ortkit.On(b, network(b, m), onnxruntime.Options{Threads: 1})
		person := ortkit.Estimate(b, e, frame, keypoint.Frame{})
		for name, hint := range map[string]inference.Hint{"found": {}, "followed": {Region: inference.Expected(person)}} {
			b.Run(m.Name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := e.Estimate(context.Background(), frame, hint); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
