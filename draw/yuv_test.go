package draw_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// planes is a movie's picture with a soft pattern. Each block of 2×2 pixels has one colour.
func planes(size image.Point, full, bt709 bool) *yuv.Image {
	rgba := canvas(size.X, size.Y)
	for y := range size.Y {
		for x := range size.X {
			rgba.SetRGBA(x, y, rgba.RGBAAt(x&^1, y&^1))
		}
	}
	m := draw.NewYUV(size).(*yuv.Image)
	m.Full, m.BT709 = full, bt709
	m.FromRGBA(rgba)
	return m
}

func someYUV(t *rapid.T) func() *yuv.Image {
	size, full, bt709 := someSize(t), rapid.Bool().Draw(t, "full"), rapid.Bool().Draw(t, "709")
	return func() *yuv.Image { return planes(size, full, bt709) }
}

// apart returns the largest difference between two planes.
func apart(a, b []byte) int {
	most := 0
	for i := range a {
		most = max(most, int(max(a[i], b[i]))-int(min(a[i], b[i])))
	}
	return most
}

// TestYUVAgreesWithRGBA: drawing into the planes gives the same result as converting to RGB,
// drawing and converting back, within the rounding of these steps, where each shape over another adds its
// own. It gives the same bytes each
// time, and where nothing is drawn, the planes keep their values.
func TestYUVAgreesWithRGBA(t *testing.T) {
	var used, other renderer
	rapid.Check(t, func(t *rapid.T) {
		fresh := someYUV(t)
		before, got, again := fresh(), fresh(), fresh()
		size := got.Size
		f, target := someFrame(t, float64(size.X), float64(size.Y)), someFrame(t, float64(size.X), float64(size.Y))
		rules := someRules(t)
		opt := options{Distance: bySide, Target: &target, History: wave(f, 5)}
		if rapid.Bool().Draw(t, "skeletonOnly") {
			opt.Background = draw.Background{SkeletonOnly: true, Color: rapid.SampledFrom(draw.Colors()).Draw(t, "background")}
		}
		if err := used.RenderYUV(got, &f, rules, opt); err != nil {
			t.Fatal(err)
		}
		if err := render(canvas(9, 9), &f, nil, options{}); err != nil { // of another size, between
			t.Fatal(err)
		}
		if err := used.RenderYUV(again, &f, rules, opt); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Y, again.Y) || !bytes.Equal(got.Cb, again.Cb) || !bytes.Equal(got.Cr, again.Cr) {
			t.Fatal("the second drawing differs from the first")
		}

		rgba := image.NewRGBA(got.Bounds())
		before.ToRGBA(rgba)
		if err := other.Render(rgba, &f, rules, opt); err != nil {
			t.Fatal(err)
		}
		want := fresh()
		want.FromRGBA(rgba)
		if y, cb, cr := apart(got.Y, want.Y), apart(got.Cb, want.Cb), apart(got.Cr, want.Cr); max(y, cb, cr) > 6 {
			t.Fatalf("Y differs by %d, Cb by %d, Cr by %d", y, cb, cr)
		}
		if opt.Background.SkeletonOnly {
			return
		}
		layer := image.NewRGBA(rgba.Rect)
		if err := other.Render(layer, &f, rules, opt); err != nil {
			t.Fatal(err)
		}
		for y := range size.Y {
			for x := range size.X {
				if layer.RGBAAt(x, y).A == 0 && got.Y[y*got.YStride+x] != before.Y[y*got.YStride+x] {
					t.Fatalf("luma at (%d, %d) was changed, where nothing is drawn", x, y)
				}
			}
		}
	})
}

// TestYUVSkeletonOnly: everything except the skeleton has exactly the values of the background's
// colour.
func TestYUVSkeletonOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dst := someYUV(t)()
		size := dst.Size
		f := someFrame(t, float64(size.X), float64(size.Y))
		name := rapid.SampledFrom(draw.Colors()).Draw(t, "color")
		back, _ := name.RGBA()
		plain := image.NewRGBA(dst.Bounds())
		for i := 0; i < len(plain.Pix); i += 4 {
			copy(plain.Pix[i:], []byte{back.R, back.G, back.B, 255})
		}
		want := draw.NewYUV(size).(*yuv.Image)
		want.Full, want.BT709 = dst.Full, dst.BT709
		want.FromRGBA(plain)
		var r renderer
		if err := r.RenderYUV(dst, &f, nil, options{Background: draw.Background{SkeletonOnly: true, Color: name}}); err != nil {
			t.Fatal(err)
		}
		lines, reach := segments(&f, draw.Rule{Type: "stickPicture", Size: 1}, size)
		dots, dotReach := segments(&f, draw.Rule{Type: "keypoint", Size: 1}, size)
		free := func(x, y int) bool {
			at := keypoint.Point{float64(x) + 0.5, float64(y) + 0.5}
			return away(lines, at) > reach+0.501 && away(dots, at) > dotReach+0.501
		}
		for y := range size.Y {
			for x := range size.X {
				if free(x, y) && dst.Y[y*dst.YStride+x] != want.Y[0] {
					t.Fatalf("luma at (%d, %d) is %d, want %d", x, y, dst.Y[y*dst.YStride+x], want.Y[0])
				}
				c := y/2*dst.CStride + x/2
				if x, y := x&^1, y&^1; free(x, y) && free(x+1, y) && free(x, y+1) && free(x+1, y+1) &&
					(dst.Cb[c] != want.Cb[0] || dst.Cr[c] != want.Cr[0]) {
					t.Fatalf("chroma at (%d, %d) is %d %d, want %d %d", x, y, dst.Cb[c], dst.Cr[c], want.Cb[0], want.Cr[0])
				}
			}
		}
	})
}

// TestYUVAbsent: a frame without a person changes nothing.
func TestYUVAbsent(t *testing.T) {
	var r renderer
	rapid.Check(t, func(t *rapid.T) {
		fresh := someYUV(t)
		got, want := fresh(), fresh()
		var nobody keypoint.Frame
		rules := someRules(t)
		for i := range rules {
			rules[i].Legend = false
		}
		if err := r.RenderYUV(got, &nobody, rules, options{Distance: bySide, Target: &nobody}); err != nil {
			t.Fatal(err)
		}
		if apart(got.Y, want.Y) > 0 || apart(got.Cb, want.Cb) > 0 || apart(got.Cr, want.Cr) > 0 {
			t.Fatal("something was drawn of nobody")
		}
	})
}

// TestYUVColors: each colour survives a round trip, in both ranges and matrices.
func TestYUVColors(t *testing.T) {
	f := person(40, 40)
	var r renderer
	for _, name := range draw.Colors() {
		want, _ := name.RGBA()
		for kind := range 4 {
			m := planes(image.Pt(40, 40), kind&1 != 0, kind&2 != 0)
			if err := r.RenderYUV(m, &f, []draw.Rule{{Type: "keypoint", Points: keypoint.PartSelectors(keypoint.Nose), Color: name, Size: 40}}, options{}); err != nil {
				t.Fatal(err)
			}
			at, _ := f.At(keypoint.Nose)
			got := m.At(int(at[0]), int(at[1])).(color.RGBA)
			for _, d := range []int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B)} {
				if max(d, -d) > 2 {
					t.Errorf("%s, full range %v, BT.709 %v: %v, want %v", name, m.Full, m.BT709, got, want)
					break
				}
			}
		}
	}
}

func TestRenderYUVErrors(t *testing.T) {
	f := person(8, 8)
	short := planes(image.Pt(8, 8), false, false)
	short.Cr = short.Cr[:3]
	var r renderer
	var none *yuv.Image
	for name, m := range map[string]image.Image{"nil": none, "empty": &yuv.Image{}, "short": short, "RGBA": image.NewRGBA(image.Rect(0, 0, 8, 8))} {
		if err := r.RenderYUV(m, &f, nil, options{}); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", name, err)
		}
	}
	m := planes(image.Pt(8, 8), false, false)
	if got := places(t, r.RenderYUV(m, &f, []draw.Rule{{Type: "ring"}}, options{})); len(got) != 1 || got[0] != "/0/drawingType" {
		t.Errorf("mistakes at %v", got)
	}
	if apart(m.Y, planes(m.Size, false, false).Y) > 0 {
		t.Error("the picture was changed")
	}
}

// BenchmarkRenderYUV draws the default skeleton into the planes of a movie's picture and, for
// comparison, by conversion to RGBA.
func BenchmarkRenderYUV(b *testing.B) {
	for _, size := range sizes {
		f := person(float64(size.X), float64(size.Y))
		m := planes(size, false, true)
		rgba := image.NewRGBA(m.Bounds())
		for name, work := range map[string]func(*draw.Renderer) error{
			"planes": func(r *draw.Renderer) error { return r.RenderYUV(m, &f, draw.Inputs{}) },
			"RGBA": func(r *draw.Renderer) error {
				m.ToRGBA(rgba)
				err := r.Render(rgba, &f, draw.Inputs{})
				m.FromRGBA(rgba)
				return err
			},
		} {
			b.Run(fmt.Sprintf("%s/%dx%d", name, size.X, size.Y), func(b *testing.B) {
				style, err := draw.Compile(nil, draw.Background{}, false)
				if err != nil {
					b.Fatal(err)
				}
				r := draw.NewRenderer(style)
				b.ReportAllocs()
				for b.Loop() {
					if err := work(r); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
