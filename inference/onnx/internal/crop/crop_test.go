package crop_test

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/inference/onnx/internal/crop"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// plain is an input without normalisation.
func plain(width, height int) *crop.Form {
	return &crop.Form{Width: width, Height: height, Scale: [3]float64{1, 1, 1}}
}

// ramp returns a picture whose red grows to the right and whose green grows downwards, by
// 2 and 3 a pixel; blue is 50.
func ramp(r image.Rectangle) *image.RGBA {
	m := image.NewRGBA(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			m.SetRGBA(x, y, color.RGBA{uint8(2 * (x - r.Min.X)), uint8(3 * (y - r.Min.Y)), 50, 255})
		}
	}
	return m
}

// TestLinear: if the picture is linear in x and y, each pixel of the input has the value of the
// position that it shows.
func TestLinear(t *testing.T) {
	p := crop.New(ramp(image.Rect(5, 7, 105, 87)))
	f := plain(12, 16)
	dst := make([]float32, f.Len())
	var c crop.Cutter
	rapid.Check(t, func(t *rapid.T) {
		v := crop.View{Step: rapid.Float64Range(0.1, 4).Draw(t, "step")}
		for i, limit := range []float64{100 - 12*v.Step, 80 - 16*v.Step} {
			v.Origin[i] = rapid.Float64Range(0.5, limit-0.5).Draw(t, "origin")
		}
		c.Cut(dst, f, &p, v)
		for y := range 16 {
			for x := range 12 {
				at := v.At(float64(x)+0.5, float64(y)+0.5)
				for k, want := range []float64{2 * (at[0] - 0.5), 3 * (at[1] - 0.5), 50} {
					if got := float64(dst[(k*16+y)*12+x]); math.Abs(got-want) > 0.01 {
						t.Fatalf("channel %d at %d,%d is %g, want %g", k, x, y, got, want)
					}
				}
			}
		}
	})
}

// TestForms covers layout, order of channels and normalisation.
func TestForms(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 4, 4))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{10, 20, 30, 255}), image.Point{}, draw.Src)
	p := crop.New(m)
	var c crop.Cutter
	for _, form := range []crop.Form{
		{Width: 4, Height: 4},
		{Width: 4, Height: 4, BGR: true},
		{Width: 4, Height: 4, Interleaved: true},
		{Width: 4, Height: 4, Interleaved: true, BGR: true},
	} {
		form.Mean, form.Scale = [3]float64{1, 2, 3}, [3]float64{2, 4, 8}
		dst := make([]float32, form.Len())
		c.Cut(dst, &form, &p, crop.View{Step: 1})
		rgb := [3]float64{10, 20, 30}
		if form.BGR {
			rgb = [3]float64{30, 20, 10}
		}
		for i, got := range dst {
			k := i / 16
			if form.Interleaved {
				k = i % 3
			}
			if want := (rgb[k] - form.Mean[k]) / form.Scale[k]; math.Abs(float64(got)-want) > 1e-4 {
				t.Fatalf("%+v: number %d is %g, want %g", form, i, got, want)
			}
		}
	}
}

// TestPictureTypes: the same picture in every type gives about the same numbers.
func TestPictureTypes(t *testing.T) {
	size := image.Pt(40, 30)
	rgba := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			rgba.SetRGBA(x, y, color.RGBA{uint8(40 + 3*x), uint8(200 - 4*y), uint8(60 + 2*x + y), 255})
		}
	}
	into := func(m draw.Image) image.Image {
		draw.Draw(m, m.Bounds(), rgba, image.Point{}, draw.Src)
		return m
	}
	jpeg := func(ratio image.YCbCrSubsampleRatio) *image.YCbCr {
		m := image.NewYCbCr(rgba.Rect, ratio)
		for y := range size.Y {
			for x := range size.X {
				r, g, b, _ := rgba.At(x, y).RGBA()
				yy, cb, cr := color.RGBToYCbCr(uint8(r>>8), uint8(g>>8), uint8(b>>8))
				m.Y[m.YOffset(x, y)], m.Cb[m.COffset(x, y)], m.Cr[m.COffset(x, y)] = yy, cb, cr
			}
		}
		return m
	}
	planes := func(full, bt709 bool) image.Image {
		m := yuv.New(size)
		m.Full, m.BT709 = full, bt709
		m.FromRGBA(rgba)
		return m
	}
	part := image.NewRGBA(image.Rect(-10, -10, 90, 90)).SubImage(image.Rect(3, 5, 43, 35)).(*image.RGBA)
	draw.Draw(part, part.Rect, rgba, image.Point{}, draw.Src)
	f := plain(20, 15)
	v := crop.View{Origin: keypoint.Point{3.3, 2.2}, Step: 1.7}
	var c crop.Cutter
	numbers := func(img image.Image) []float32 {
		p := crop.New(img)
		dst := make([]float32, f.Len())
		c.Cut(dst, f, &p, v)
		return dst
	}
	want := numbers(rgba)
	for name, m := range map[string]image.Image{
		"part of an RGBA": part,
		"NRGBA":           into(image.NewNRGBA(rgba.Rect)),
		"RGBA64":          into(image.NewRGBA64(rgba.Rect)),
		"YCbCr 4:4:4":     jpeg(image.YCbCrSubsampleRatio444),
		"YCbCr 4:2:2":     jpeg(image.YCbCrSubsampleRatio422),
		"YCbCr 4:2:0":     jpeg(image.YCbCrSubsampleRatio420),
		"YCbCr 4:4:0":     jpeg(image.YCbCrSubsampleRatio440),
		"NYCbCrA":         &image.NYCbCrA{YCbCr: *jpeg(image.YCbCrSubsampleRatio444)},
		"YUV":             planes(false, false),
		"YUV BT.709":      planes(false, true),
		"YUV full":        planes(true, true),
	} {
		for i, got := range numbers(m) {
			if d := math.Abs(float64(got - want[i])); d > 6 {
				t.Errorf("%s: number %d is %g, want %g", name, i, got, want[i])
				break
			}
		}
	}
	gray := numbers(into(image.NewGray(rgba.Rect)))
	if n := len(gray) / 3; gray[0] != gray[n] || gray[n-1] != gray[3*n-1] || gray[0] == gray[n-1] {
		t.Error("grey is not the same in all channels")
	}
	// A part of a JPEG that begins inside a chroma sample.
	whole := jpeg(image.YCbCrSubsampleRatio420)
	v = crop.View{Origin: keypoint.Point{2, 2}, Step: 1}
	a := numbers(whole)
	v.Origin = keypoint.Point{1, 1}
	for i, got := range numbers(whole.SubImage(image.Rect(1, 1, 40, 30))) {
		if math.Abs(float64(got-a[i])) > 0.01 {
			t.Fatalf("part of a YCbCr: number %d is %g, want %g", i, got, a[i])
		}
	}
}

// TestOutside: what is outside the picture is black, and fades in over one pixel.
func TestOutside(t *testing.T) {
	white := image.NewRGBA(image.Rect(0, 0, 4, 4))
	draw.Draw(white, white.Rect, image.White, image.Point{}, draw.Src)
	movie := yuv.New(image.Pt(4, 4))
	movie.FromRGBA(white)
	f := plain(8, 8)
	var c crop.Cutter
	for name, m := range map[string]image.Image{"RGBA": white, "YUV": movie} {
		p := crop.New(m)
		dst := make([]float32, f.Len())
		c.Cut(dst, f, &p, crop.View{Origin: keypoint.Point{-2.25, -2}, Step: 1})
		for x, want := range []float64{0, 0, 63.75 * 3, 255, 255, 255, 63.75, 0} {
			if got := float64(dst[3*8+x]); math.Abs(got-want) > 1 {
				t.Errorf("%s: column %d is %g, want %g", name, x, got, want)
			}
		}
		for _, v := range []crop.View{
			{Origin: keypoint.Point{1e12, 0}, Step: 1}, {Origin: keypoint.Point{math.NaN(), 0}, Step: 1},
			{Origin: keypoint.Point{0, math.Inf(-1)}, Step: 1}, {Step: math.NaN()},
		} {
			c.Cut(dst, f, &p, v)
			for i, got := range dst {
				if got != 0 {
					t.Fatalf("%s: %v: number %d is %g, want black", name, v, i, got)
				}
			}
		}
	}
}

func TestLetterbox(t *testing.T) {
	white := image.NewRGBA(image.Rect(0, 0, 20, 10))
	draw.Draw(white, white.Rect, image.White, image.Point{}, draw.Src)
	p := crop.New(white)
	f := plain(10, 10)
	dst := make([]float32, f.Len())
	var c crop.Cutter
	for _, x := range []struct {
		centred bool
		first   int
		origin  keypoint.Point
	}{{false, 0, keypoint.Point{0, 0}}, {true, 2, keypoint.Point{0, -4}}} {
		v := c.Letterbox(dst, f, &p, x.centred)
		if v.Step != 2 || v.Origin != x.origin {
			t.Errorf("view %v", v)
		}
		for y := range 10 {
			want := float32(114)
			if y >= x.first && y < x.first+5 {
				want = 255
			}
			for _, at := range []int{0, 9} {
				if got := dst[10*y+at]; got != want {
					t.Errorf("centred %v: row %d is %g at %d, want %g", x.centred, y, got, at, want)
				}
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		size := image.Pt(rapid.IntRange(1, 5000).Draw(t, "width"), rapid.IntRange(1, 5000).Draw(t, "height"))
		f := plain(rapid.IntRange(1, 640).Draw(t, "w"), rapid.IntRange(1, 640).Draw(t, "h"))
		v, at := crop.Letterbox(size, rapid.Bool().Draw(t, "centred"), f)
		if at.Empty() || !at.In(image.Rect(0, 0, f.Width, f.Height)) {
			t.Fatalf("the picture lies at %v", at)
		}
		for i, d := range v.At(float64(at.Min.X), float64(at.Min.Y)) {
			if math.Abs(d) > 1e-6 {
				t.Fatalf("its corner is off by %g on axis %d", d, i)
			}
		}
	})
}

// TestAround: the view contains the box with its margin, touches it on at least two sides, and has
// the same centre.
func TestAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := plain(rapid.IntRange(10, 400).Draw(t, "w"), rapid.IntRange(10, 400).Draw(t, "h"))
		low := keypoint.Point{rapid.Float64Range(-100, 2000).Draw(t, "x"), rapid.Float64Range(-100, 2000).Draw(t, "y")}
		size := keypoint.Point{rapid.Float64Range(16, 900).Draw(t, "dx"), rapid.Float64Range(16, 900).Draw(t, "dy")}
		high := low.Add(size)
		v := crop.Around(low, high, 1.25, f)
		shown := v.At(float64(f.Width), float64(f.Height)).Sub(v.Origin)
		middle := v.At(float64(f.Width)/2, float64(f.Height)/2)
		if middle.Sub(low.Add(high).Mul(0.5)).Len() > 1e-6 {
			t.Errorf("middle %v", middle)
		}
		roomX, roomY := shown[0]-1.25*size[0], shown[1]-1.25*size[1]
		if min(roomX, roomY) < -1e-6 || min(roomX, roomY) > 1e-6 {
			t.Errorf("room %g and %g", roomX, roomY)
		}
	})
	v := crop.Around(keypoint.Point{50, 50}, keypoint.Point{50, 50}, 1, plain(16, 16))
	if v.Step != 1 || v.Origin != (keypoint.Point{42, 42}) {
		t.Errorf("around a speck: %v", v)
	}
}

func BenchmarkCut(b *testing.B) {
	size := image.Pt(1920, 1080)
	rgba := ramp(image.Rectangle{Max: size})
	movie := yuv.New(size)
	movie.FromRGBA(rgba)
	for name, m := range map[string]image.Image{"RGBA": rgba, "YUV": movie} {
		p := crop.New(m)
		for _, f := range []*crop.Form{plain(192, 256), plain(640, 640)} {
			b.Run(name+map[int]string{192: "/192x256", 640: "/640x640"}[f.Width], func(b *testing.B) {
				dst := make([]float32, f.Len())
				v := crop.Around(keypoint.Point{700, 100}, keypoint.Point{1100, 1000}, 1.25, f)
				var c crop.Cutter
				b.ReportAllocs()
				for b.Loop() {
					c.Cut(dst, f, &p, v)
				}
			})
		}
	}
}
