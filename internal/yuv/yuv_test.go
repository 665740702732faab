package yuv_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/bodymotion/motion/internal/yuv"
)

// exact converts one pixel by the formulae of BT.601 and BT.709, without rounding.
func exact(c color.RGBA, full, bt709 bool) [3]float64 {
	kr, kb := 0.299, 0.114
	if bt709 {
		kr, kb = 0.2126, 0.0722
	}
	r, g, b := float64(c.R)/255, float64(c.G)/255, float64(c.B)/255
	y := kr*r + (1-kr-kb)*g + kb*b
	u, v := (b-y)/(2*(1-kb)), (r-y)/(2*(1-kr))
	if full {
		return [3]float64{255 * y, 128 + 255*u, 128 + 255*v}
	}
	return [3]float64{16 + 219*y, 128 + 224*u, 128 + 224*v}
}

func TestFromRGBAFollowsTheStandards(t *testing.T) {
	for _, full := range []bool{false, true} {
		for _, bt709 := range []bool{false, true} {
			t.Run(fmt.Sprintf("full=%v 709=%v", full, bt709), func(t *testing.T) {
				for r := 0; r <= 255; r += 51 {
					for g := 0; g <= 255; g += 51 {
						for b := 0; b <= 255; b += 51 {
							c := color.RGBA{uint8(r), uint8(g), uint8(b), 255}
							src := image.NewRGBA(image.Rect(0, 0, 3, 3))
							for i := range 9 {
								src.SetRGBA(i%3, i/3, c)
							}
							m := yuv.New(image.Pt(3, 3))
							m.Full, m.BT709 = full, bt709
							m.FromRGBA(src)
							want := exact(c, full, bt709)
							for i, got := range []uint8{m.Y[8], m.Cb[3], m.Cr[3]} {
								if w := math.Min(want[i], 255); math.Abs(float64(got)-w) > 0.51 {
									t.Fatalf("%v: channel %d is %d, want %.2f", c, i, got, w)
								}
							}
						}
					}
				}
			})
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {2, 2}, {5, 3}, {64, 48}} {
		src := image.NewRGBA(image.Rectangle{Max: size})
		for y := range size.Y {
			for x := range size.X {
				// Constant over each 2×2 block, so that the shared chroma loses nothing.
				src.SetRGBA(x, y, color.RGBA{uint8(x / 2 * 37), uint8(y / 2 * 61), uint8(x/2*11 + y/2*5), 255})
			}
		}
		m := yuv.New(size)
		m.BT709 = true
		m.FromRGBA(src)
		got := image.NewRGBA(src.Rect)
		m.ToRGBA(got)
		for i, v := range got.Pix {
			if d := int(v) - int(src.Pix[i]); d < -3 || d > 3 {
				t.Fatalf("%v: byte %d is %d, want %d", size, i, v, src.Pix[i])
			}
		}
		if at := m.At(size.X-1, size.Y-1).(color.RGBA); at != got.RGBAAt(size.X-1, size.Y-1) {
			t.Errorf("%v: At gives %v, ToRGBA %v", size, at, got.RGBAAt(size.X-1, size.Y-1))
		}
	}
}

func BenchmarkToRGBA(b *testing.B) {
	m := yuv.New(image.Pt(1280, 720))
	dst := image.NewRGBA(m.Bounds())
	b.ReportAllocs()
	for b.Loop() {
		m.ToRGBA(dst)
	}
}

func BenchmarkFromRGBA(b *testing.B) {
	m := yuv.New(image.Pt(1280, 720))
	src := image.NewRGBA(m.Bounds())
	b.ReportAllocs()
	for b.Loop() {
		m.FromRGBA(src)
	}
}
