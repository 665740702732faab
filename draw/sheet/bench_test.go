package sheet_test

import (
	"image"
	"testing"

	"github.com/bodymotion/motion/draw/sheet"
)

// BenchmarkDraw draws a sheet of 12 cells of a movie of 1,800 frames, without pictures
// and with pictures of three sizes that are brought to 240×180.
func BenchmarkDraw(b *testing.B) {
	seq := waving(1_800)
	for _, c := range []struct {
		name string
		size image.Point
	}{{"skeletons", image.Point{}}, {"320x240", image.Pt(320, 240)}, {"960x720", image.Pt(960, 720)}, {"1600x1200", image.Pt(1600, 1200)}} {
		var picture func(int) (image.Image, error)
		if c.size.X > 0 {
			m := scene(c.size, 0)
			picture = func(int) (image.Image, error) { return m, nil }
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := sheet.Draw(seq, picture, sheet.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
