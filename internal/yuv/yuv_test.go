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

// TestToRGBAFollowsTheStandards checks every luma with chroma values all over their range.
func TestToRGBAFollowsTheStandards(t *testing.T) {
	for _, full := range []bool{false, true} {
		for _, bt709 := range []bool{false, true} {
			t.Run(fmt.Sprintf("full=%v 709=%v", full, bt709), func(t *testing.T) {
				kr, kb := 0.299, 0.114
				if bt709 {
					kr, kb = 0.2126, 0.0722
				}
				m := yuv.New(image.Pt(256, 1))
				m.Full, m.BT709 = full, bt709
				for i := range m.Y {
					m.Y[i] = uint8(i)
				}
				const rounding = 0.53 // half a step, and 13 bits behind the point
				got := image.NewRGBA(m.Bounds())
				for cb := 0; cb < 256; cb += 15 {
					for cr := 0; cr < 256; cr += 15 {
						for i := range m.Cb {
							m.Cb[i], m.Cr[i] = uint8(cb), uint8(cr)
						}
						m.ToRGBA(got)
						for y := range 256 {
							l, u, v := float64(y)/255, float64(cb-128)/255, float64(cr-128)/255
							if !full {
								l, u, v = float64(y-16)/219, float64(cb-128)/224, float64(cr-128)/224
							}
							r, b := l+2*(1-kr)*v, l+2*(1-kb)*u
							g := (l - kr*r - kb*b) / (1 - kr - kb)
							for i, want := range []float64{r, g, b, 1} {
								want = min(max(255*want, 0), 255)
								if v := float64(got.Pix[4*y+i]); math.Abs(v-want) > rounding {
									t.Fatalf("y=%d cb=%d cr=%d: channel %d is %v, want %.2f", y, cb, cr, i, v, want)
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

// TestWithin: a size is the largest even one of its shape below a limit.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		size   image.Point
		pixels int
		want   image.Point
	}{
		{image.Pt(3840, 2160), 2_100_000, image.Pt(1932, 1086)},
		{image.Pt(2160, 3840), 2_100_000, image.Pt(1086, 1932)},
		{image.Pt(1920, 1080), 2_100_000, image.Pt(1920, 1080)},
		{image.Pt(1920, 1080), 1920 * 1080, image.Pt(1918, 1078)},
		{image.Pt(3840, 2160), 0, image.Pt(3840, 2160)},
		{image.Pt(65536, 2), 100, image.Pt(1800, 2)},
	} {
		if got := yuv.Within(c.size, c.pixels); got != c.want {
			t.Errorf("%v within %d: %v, want %v", c.size, c.pixels, got, c.want)
		}
	}
}
