package pixels_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/inference/internal/pixels"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// noise returns a picture of random colours; grey gives every pixel one of grey.
func noise(w, h int, grey bool) *image.RGBA {
	r := rand.New(rand.NewPCG(1, 2))
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := 0; i < len(m.Pix); i += 4 {
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), 255
		if grey {
			m.Pix[i+1], m.Pix[i+2] = m.Pix[i], m.Pix[i]
		}
	}
	return m
}

// smooth returns a picture whose colours are linear in x and y, and thus known between the pixels
// too.
func smooth(w, h int) (*image.RGBA, func(p keypoint.Point) [3]float64) {
	value := func(p keypoint.Point) [3]float64 {
		x, y := p[0]/float64(w), p[1]/float64(h)
		return [3]float64{40 + 150*x, 60 + 100*y, 200 - 60*x - 70*y}
	}
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			v := value(keypoint.Point{float64(x) + 0.5, float64(y) + 0.5})
			m.SetRGBA(x, y, color.RGBA{uint8(v[0] + 0.5), uint8(v[1] + 0.5), uint8(v[2] + 0.5), 255})
		}
	}
	return m, value
}

func cut(img image.Image, n int, s pixels.Square) []byte {
	var c pixels.Cutter
	p := pixels.New(img)
	out := make([]byte, 3*n*n)
	c.Cut(out, n, &p, s)
	return out
}

// area returns the mean colour of a rectangle, weighted by the overlap with each pixel. Outside,
// the picture is black.
func area(m *image.RGBA, x0, y0, x1, y1 float64) [3]float64 {
	var s [3]float64
	for y := max(int(y0), 0); y < min(int(math.Ceil(y1)), m.Rect.Dy()); y++ {
		for x := max(int(x0), 0); x < min(int(math.Ceil(x1)), m.Rect.Dx()); x++ {
			w := (math.Min(x1, float64(x+1)) - math.Max(x0, float64(x))) * (math.Min(y1, float64(y+1)) - math.Max(y0, float64(y)))
			for k := range s {
				s[k] += max(w, 0) * float64(m.Pix[m.PixOffset(x, y)+k]) / ((x1 - x0) * (y1 - y0))
			}
		}
	}
	return s
}

// TestShrink compares upright squares with the exact mean over each pixel's area.
func TestShrink(t *testing.T) {
	m := noise(97, 61, false)
	for _, s := range []pixels.Square{
		{Centre: keypoint.Point{48, 30}, Side: 32},
		{Centre: keypoint.Point{40.3, 30.9}, Side: 50.7},
		{Centre: keypoint.Point{3.1, 58.7}, Side: 70.2}, // partly outside
		{Centre: keypoint.Point{48.5, 30.5}, Side: 400}, // far larger than the picture
		{Centre: keypoint.Point{-500, 30}, Side: 100},   // beside the picture
	} {
		t.Run(fmt.Sprint(s.Centre, s.Side), func(t *testing.T) {
			const n = 32
			got := cut(m, n, s)
			step := s.Side / n
			for v := range n {
				for u := range n {
					x, y := s.Centre[0]-s.Side/2+float64(u)*step, s.Centre[1]-s.Side/2+float64(v)*step
					want := area(m, x, y, x+step, y+step)
					for k := range want {
						if g := float64(got[3*(v*n+u)+k]); math.Abs(g-want[k]) > 2 {
							t.Fatalf("pixel (%d,%d) channel %d is %v, want %.2f", u, v, k, g, want[k])
						}
					}
				}
			}
		})
	}
}

// TestPlace cuts squares of all sizes and angles out of a picture that is known between its
// pixels: each pixel shows the colour at its centre.
func TestPlace(t *testing.T) {
	m, value := smooth(300, 200)
	pictures := map[string]image.Image{"RGBA": m, "yuv": toYUV(m, false, true), "yuv full range": toYUV(m, true, false)}
	// Movies have half as many chroma samples, whose rounding counts double in blue.
	tolerance := map[string]float64{"RGBA": 2, "yuv": 5, "yuv full range": 5}
	for name, img := range pictures {
		for _, side := range []float64{20, 64, 130.7, 240} {
			for _, angle := range []float64{0, 0.3, math.Pi / 2, 2.5, -math.Pi} {
				t.Run(fmt.Sprintf("%s/%v/%.1f", name, side, angle), func(t *testing.T) {
					const n = 48
					s := pixels.Square{Centre: keypoint.Point{150.4, 99.7}, Side: side, Angle: angle}
					got := cut(img, n, s)
					for v := range n {
						for u := range n {
							p := s.At((float64(u)+0.5)/n, (float64(v)+0.5)/n)
							if p[0] < 8 || p[1] < 8 || p[0] > 292 || p[1] > 192 { // the edge blurs into black
								continue
							}
							for k, want := range value(p) {
								if g := float64(got[3*(v*n+u)+k]); math.Abs(g-want) > tolerance[name] {
									t.Fatalf("pixel (%d,%d) channel %d is %v, want %.1f", u, v, k, g, want)
								}
							}
						}
					}
				})
			}
		}
	}
}

func toYUV(m *image.RGBA, full, bt709 bool) *yuv.Image {
	out := yuv.New(m.Rect.Size())
	out.Full, out.BT709 = full, bt709
	out.FromRGBA(m)
	return out
}

// TestOutsideIsBlack: the outside is black for every type of picture, whatever its code for black.
func TestOutsideIsBlack(t *testing.T) {
	white := image.NewRGBA(image.Rect(0, 0, 64, 64))
	draw.Draw(white, white.Rect, image.White, image.Point{}, draw.Src)
	for name, img := range map[string]image.Image{"RGBA": white, "yuv": toYUV(white, false, false), "YCbCr": toYCbCr(white, image.YCbCrSubsampleRatio420)} {
		for _, angle := range []float64{0, 0.5} {
			got := cut(img, 16, pixels.Square{Centre: keypoint.Point{32, 32}, Side: 640, Angle: angle})
			for _, corner := range []int{0, 15, 16 * 15, 16*16 - 1} {
				if p := got[3*corner : 3*corner+3]; p[0] > 1 || p[1] > 1 || p[2] > 1 {
					t.Errorf("%s, angle %v: corner is %v, want black", name, angle, p)
				}
			}
		}
	}
}

func toYCbCr(m *image.RGBA, ratio image.YCbCrSubsampleRatio) *image.YCbCr {
	out := image.NewYCbCr(m.Rect, ratio)
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			c := m.RGBAAt(x, y)
			out.Y[out.YOffset(x, y)], out.Cb[out.COffset(x, y)], out.Cr[out.COffset(x, y)] = color.RGBToYCbCr(c.R, c.G, c.B)
		}
	}
	return out
}

// TestKinds: the same colours give the same bytes for every type of picture, and for a part of a
// larger picture.
func TestKinds(t *testing.T) {
	src := noise(90, 70, true)
	squares := []pixels.Square{
		{Centre: keypoint.Point{31.2, 29.8}, Side: 77.7},
		{Centre: keypoint.Point{31.2, 29.8}, Side: 77.7, Angle: 1},
		{Centre: keypoint.Point{30, 30}, Side: 12.3},
	}
	kinds := map[string]func(b image.Rectangle) draw.Image{
		"NRGBA":    func(b image.Rectangle) draw.Image { return image.NewNRGBA(b) },
		"Gray":     func(b image.Rectangle) draw.Image { return image.NewGray(b) },
		"Gray16":   func(b image.Rectangle) draw.Image { return image.NewGray16(b) },
		"RGBA64":   func(b image.Rectangle) draw.Image { return image.NewRGBA64(b) },
		"NRGBA64":  func(b image.Rectangle) draw.Image { return image.NewNRGBA64(b) },
		"CMYK":     func(b image.Rectangle) draw.Image { return image.NewCMYK(b) },
		"Paletted": func(b image.Rectangle) draw.Image { return image.NewPaletted(b, greys()) },
	}
	sub := image.Rect(5, 3, 85, 64)
	for name, make := range kinds {
		t.Run(name, func(t *testing.T) {
			m := make(src.Rect)
			draw.Draw(m, m.Bounds(), src, image.Point{}, draw.Src)
			part := m.(interface {
				SubImage(image.Rectangle) image.Image
			}).SubImage(sub)
			for _, s := range squares {
				if d := cmp.Diff(cut(src, 24, s), cut(m, 24, s)); d != "" {
					t.Errorf("%v differs (-RGBA +%s):\n%s", s, name, d)
				}
				if d := cmp.Diff(cut(src.SubImage(sub), 24, s), cut(part, 24, s)); d != "" {
					t.Errorf("%v of a part differs (-RGBA +%s):\n%s", s, name, d)
				}
			}
		})
	}
}

func greys() color.Palette {
	p := make(color.Palette, 256)
	for i := range p {
		p[i] = color.Gray{uint8(i)}
	}
	return p
}

// TestSubsampling compares every subsampling with the same picture in RGB, also for a part that
// begins inside a chroma sample.
func TestSubsampling(t *testing.T) {
	m, _ := smooth(121, 83)
	for _, ratio := range []image.YCbCrSubsampleRatio{
		image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
		image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
	} {
		for _, b := range []image.Rectangle{m.Rect, image.Rect(3, 1, 120, 82)} {
			t.Run(fmt.Sprint(ratio, b.Min), func(t *testing.T) {
				s := pixels.Square{Centre: keypoint.Point{58.3, 41.1}, Side: 70}
				want := cut(m.SubImage(b), 32, s)
				got := cut(toYCbCr(m, ratio).SubImage(b), 32, s)
				for i := range want {
					if math.Abs(float64(got[i])-float64(want[i])) > 6 {
						t.Fatalf("byte %d is %d, want about %d", i, got[i], want[i])
					}
				}
			})
		}
	}
}

// TestTransparencyIsIgnored: colours count as if they were opaque.
func TestTransparencyIsIgnored(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	for y := range 8 {
		for x := range 8 {
			m.SetNRGBA(x, y, color.NRGBA{200, 100, 50, uint8(x * 30)})
		}
	}
	got := cut(m, 4, pixels.Square{Centre: keypoint.Point{4, 4}, Side: 8})
	for i := 0; i < len(got); i += 3 {
		if got[i] != 200 || got[i+1] != 100 || got[i+2] != 50 {
			t.Fatalf("pixel %d is %v, want 200 100 50", i/3, got[i:i+3])
		}
	}
}

func TestWhole(t *testing.T) {
	m, value := smooth(200, 100)
	p := pixels.New(m)
	var c pixels.Cutter
	out := make([]byte, 25*200)
	c.Whole(out, 200, 50, 25, &p) // rows of 150 bytes, 200 apart
	for v := range 25 {
		for u := range 50 {
			for k, want := range value(keypoint.Point{4*float64(u) + 2, 4*float64(v) + 2}) {
				if g := float64(out[200*v+3*u+k]); math.Abs(g-want) > 2 {
					t.Fatalf("pixel (%d,%d) channel %d is %v, want %.1f", u, v, k, g, want)
				}
			}
		}
	}
}

// TestAnySquare: any square gives a picture, and one cutter can be used for all of them.
func TestAnySquare(t *testing.T) {
	pictures := []image.Image{
		noise(1, 1, false), noise(3, 200, false), toYUV(noise(33, 7, false), false, false),
		toYCbCr(noise(5, 5, false), image.YCbCrSubsampleRatio410), image.NewRGBA(image.Rect(4, 4, 4, 9)),
	}
	out := make([]byte, 3*16*16)
	rapid.Check(t, func(t *rapid.T) {
		var c pixels.Cutter
		for range rapid.IntRange(1, 3).Draw(t, "squares") {
			p := pixels.New(rapid.SampledFrom(pictures).Draw(t, "picture"))
			number := rapid.OneOf(rapid.Float64Range(-300, 300), rapid.Float64())
			c.Cut(out, 16, &p, pixels.Square{
				Centre: keypoint.Point{number.Draw(t, "x"), number.Draw(t, "y")},
				Side:   number.Draw(t, "side"), Angle: number.Draw(t, "angle"),
			})
		}
	})
	p := pixels.New(noise(9, 9, false))
	var c pixels.Cutter
	c.Cut(out, 16, &p, pixels.Square{Centre: keypoint.Point{math.NaN(), 4}, Side: 8})
	for i, b := range out {
		if b != 0 {
			t.Fatalf("byte %d of a square at NaN is %d, want black", i, b)
		}
	}
}

// BenchmarkCut cuts a person out of a 720p picture for Thunder.
func BenchmarkCut(b *testing.B) {
	size := image.Pt(1280, 720)
	for _, kind := range []struct {
		name string
		img  image.Image
	}{{"yuv", yuv.New(size)}, {"RGBA", image.NewRGBA(image.Rectangle{Max: size})}} {
		for _, c := range []struct {
			name        string
			side, angle float64
		}{{"360", 360, 0}, {"720", 720, 0}, {"1000", 1000, 0}, {"720 turned", 720, 0.8}, {"720 leaning", 720, 0.1}} {
			b.Run(kind.name+"/"+c.name, func(b *testing.B) {
				out := make([]byte, 3*256*256)
				var cutter pixels.Cutter
				s := pixels.Square{Centre: keypoint.Point{640.3, 360.7}, Side: c.side, Angle: c.angle}
				b.ReportAllocs()
				for b.Loop() {
					p := pixels.New(kind.img)
					cutter.Cut(out, 256, &p, s)
				}
			})
		}
		b.Run(kind.name+"/whole", func(b *testing.B) {
			out := make([]byte, 3*256*144)
			var cutter pixels.Cutter
			b.ReportAllocs()
			for b.Loop() {
				p := pixels.New(kind.img)
				cutter.Whole(out, 3*256, 256, 144, &p)
			}
		})
	}
}
