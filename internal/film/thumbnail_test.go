package film_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"github.com/bodymotion/motion/internal/film"
)

// TestPortrait: the picture is upright, within the movie, and shows all of the person where there is room.
func TestPortrait(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	for y := 200; y < 600; y++ {
		for x := 1000; x < 1200; x++ {
			img.Set(x, y, color.White)
		}
	}
	for name, c := range map[string]struct {
		low, high [2]float64
		size      image.Point
		light     [2]float64 // the least and the most part of the picture that is the person's
	}{
		"upright":     {[2]float64{1000. / 1280, 200. / 720}, [2]float64{1200. / 1280, 600. / 720}, image.Pt(144, 180), [2]float64{0.25, 0.5}},
		"all of it":   {[2]float64{}, [2]float64{1, 1}, image.Pt(144, 180), [2]float64{0, 0}},
		"at the edge": {[2]float64{0.9, 0.9}, [2]float64{1, 1}, image.Pt(138, 173), [2]float64{0.1, 0.5}},
	} {
		b, err := film.Portrait(img, c.low, c.high)
		if err != nil {
			t.Fatal(err)
		}
		m, err := jpeg.Decode(bytes.NewReader(b))
		if err != nil || m.Bounds().Size() != c.size {
			t.Errorf("%s: %v (%v), want %v", name, m.Bounds(), err, c.size)
			continue
		}
		light := 0
		for y := range c.size.Y {
			for x := range c.size.X {
				if g := color.GrayModel.Convert(m.At(x, y)).(color.Gray); g.Y > 128 {
					light++
				}
			}
		}
		if part := float64(light) / float64(c.size.X*c.size.Y); part < c.light[0] || part > c.light[1] {
			t.Errorf("%s: %.2f of it is light", name, part)
		}
	}
}
