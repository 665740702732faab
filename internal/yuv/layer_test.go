package yuv_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/bodymotion/motion/internal/yuv"
)

// TestCopyLimited holds every value of the planes against the formulae of the ranges.
func TestCopyLimited(t *testing.T) {
	src := yuv.New(image.Pt(255, 3))
	src.Full = true
	for i := range src.Y {
		src.Y[i] = uint8(i)
	}
	for i := range src.Cb {
		src.Cb[i], src.Cr[i] = uint8(i), uint8(255-i)
	}
	got := yuv.New(image.Pt(256, 4))
	got.CopyLimited(src)
	for y := range 4 {
		for x := range 256 {
			sx, sy := min(x, 254), min(y, 2)
			if want := 16 + 219*float64(src.Y[sy*src.YStride+sx])/255; math.Abs(float64(got.Y[y*got.YStride+x])-want) > 0.51 {
				t.Fatalf("luma at %d,%d is %d, want %.2f", x, y, got.Y[y*got.YStride+x], want)
			}
		}
	}
	for i := range got.Cb {
		for _, c := range [][2]uint8{{src.Cb[i], got.Cb[i]}, {src.Cr[i], got.Cr[i]}} {
			if want := 128 + 224*(float64(c[0])-128)/255; math.Abs(float64(c[1])-want) > 0.51 {
				t.Fatalf("chroma of %d is %d, want %.2f", c[0], c[1], want)
			}
		}
	}
}

// TestLay: opaque pixels take the layer's colour, those outside the spans keep their
// values, chroma takes as much as its pixels are covered, and the layer is clear again.
func TestLay(t *testing.T) {
	size := image.Pt(5, 3)
	red := color.RGBA{255, 0, 0, 255}
	whole := yuv.New(size)
	whole.Fill(red)
	layer := image.NewRGBA(image.Rectangle{Max: size})
	for _, at := range []image.Point{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {4, 2}} {
		layer.SetRGBA(at.X, at.Y, red)
	}
	m := yuv.New(size)
	m.Lay(layer, []yuv.Span{{Left: 0, Right: 3}, {Left: 0, Right: 2}, {Left: 4, Right: 5}})
	for i, want := range []bool{
		true, true, true, false, false,
		true, true, false, false, false,
		false, false, false, false, true,
	} {
		if got := m.Y[i] == whole.Y[0]; got != want || !got && m.Y[i] != 16 {
			t.Errorf("luma %d is %d", i, m.Y[i])
		}
	}
	quarter := uint8(math.Round(128 + (float64(whole.Cr[0])-128)/4))
	for i, want := range []uint8{whole.Cr[0], quarter, 128, 128, 128, whole.Cr[0]} {
		if m.Cr[i] != want {
			t.Errorf("chroma %d is %d, want %d", i, m.Cr[i], want)
		}
	}
	for i, v := range layer.Pix {
		if v != 0 {
			t.Fatalf("byte %d of the layer is %d", i, v)
		}
	}
}
