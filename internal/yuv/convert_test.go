package yuv_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/yuv"
)

// colours returns a picture in which each 2×2 block has a colour of its own.
func colours(size image.Point) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			m.SetRGBA(x, y, color.RGBA{uint8(x / 2 * 29), uint8(y / 2 * 43), uint8(200 - x/2*7), 255})
		}
	}
	return m
}

// TestConvertAnyPicture brings the same picture in every type into the same planes.
func TestConvertAnyPicture(t *testing.T) {
	size := image.Pt(7, 5)
	rgba := colours(size)
	into := func(m draw.Image) image.Image {
		draw.Draw(m, m.Bounds(), rgba, image.Point{}, draw.Src)
		return m
	}
	larger := image.NewRGBA(image.Rect(-3, -2, 20, 20))
	part := larger.SubImage(image.Rect(1, 2, 1+size.X, 2+size.Y)).(*image.RGBA)
	of709 := yuv.New(size)
	of709.BT709 = true
	of709.FromRGBA(rgba)
	ofFull := yuv.New(size)
	ofFull.Full = true
	ofFull.FromRGBA(rgba)
	jpeg := image.NewYCbCr(image.Rectangle{Max: size}, image.YCbCrSubsampleRatio420)
	copy(jpeg.Y, ofFull.Y)
	copy(jpeg.Cb, ofFull.Cb)
	copy(jpeg.Cr, ofFull.Cr)

	want := yuv.New(size)
	want.FromRGBA(rgba)
	var c yuv.Converter
	for name, src := range map[string]image.Image{
		"RGBA":            rgba,
		"part of an RGBA": into(part),
		"NRGBA":           into(image.NewNRGBA(image.Rectangle{Max: size})),
		"RGBA64":          into(image.NewRGBA64(image.Rectangle{Max: size})),
		"YUV":             want,
		"YUV of BT.709":   of709,
		"YUV full range":  ofFull,
		"YCbCr":           jpeg,
	} {
		t.Run(name, func(t *testing.T) {
			got := yuv.New(size)
			c.Convert(got, src)
			for plane, pair := range [][2][]byte{{got.Y, want.Y}, {got.Cb, want.Cb}, {got.Cr, want.Cr}} {
				for i := range pair[0] {
					if d := int(pair[0][i]) - int(pair[1][i]); d < -3 || d > 3 {
						t.Fatalf("plane %d: byte %d is %d, want %d", plane, i, pair[0][i], pair[1][i])
					}
				}
			}
		})
	}
}

// TestSamePlanesAreKept holds that planes of the wanted kind are not computed anew.
func TestSamePlanesAreKept(t *testing.T) {
	size := image.Pt(6, 4)
	src := yuv.New(size)
	src.Full, src.BT709 = true, true
	for i := range src.Y {
		src.Y[i] = uint8(i * 11)
	}
	for i := range src.Cb {
		src.Cb[i], src.Cr[i] = uint8(i*40), uint8(255-i*40) // no colour of RGB
	}
	got := yuv.New(size)
	got.Full, got.BT709 = true, true
	var c yuv.Converter
	c.Convert(got, src)
	if d := cmp.Diff(src, got); d != "" {
		t.Error(d)
	}
	jpeg := image.NewYCbCr(image.Rectangle{Max: size}, image.YCbCrSubsampleRatio420)
	copy(jpeg.Y, src.Y)
	copy(jpeg.Cb, src.Cb)
	copy(jpeg.Cr, src.Cr)
	got = yuv.New(size)
	got.Full = true
	c.Convert(got, jpeg)
	if d := cmp.Diff([][]byte{src.Y, src.Cb, src.Cr}, [][]byte{got.Y, got.Cb, got.Cr}); d != "" {
		t.Error(d)
	}
}

// TestPadding holds that a larger picture repeats the last column and row, whatever the
// type of the source.
func TestPadding(t *testing.T) {
	size, even := image.Pt(5, 3), image.Pt(8, 6)
	rgba := colours(size)
	exact := yuv.New(size)
	exact.FromRGBA(rgba)
	for name, src := range map[string]image.Image{"RGBA": rgba, "YUV": exact} {
		t.Run(name, func(t *testing.T) {
			got := yuv.New(even)
			var c yuv.Converter
			c.Convert(got, src)
			for y := range even.Y {
				for x := range even.X {
					if want := exact.Y[min(y, size.Y-1)*exact.YStride+min(x, size.X-1)]; got.Y[y*got.YStride+x] != want {
						t.Fatalf("luma at %d,%d is %d, want %d", x, y, got.Y[y*got.YStride+x], want)
					}
					i, k := y/2*got.CStride+x/2, min(y/2, 1)*exact.CStride+min(x/2, 2)
					if got.Cb[i] != exact.Cb[k] || got.Cr[i] != exact.Cr[k] {
						t.Fatalf("chroma at %d,%d is %d %d, want %d %d", x, y, got.Cb[i], got.Cr[i], exact.Cb[k], exact.Cr[k])
					}
				}
			}
		})
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

func BenchmarkConvert(b *testing.B) {
	size := image.Pt(1280, 720)
	for name, src := range map[string]image.Image{
		"RGBA":  image.NewRGBA(image.Rectangle{Max: size}),
		"YCbCr": image.NewYCbCr(image.Rectangle{Max: size}, image.YCbCrSubsampleRatio420),
		"YUV":   yuv.New(size),
	} {
		b.Run(name, func(b *testing.B) {
			m := yuv.New(size)
			var c yuv.Converter
			c.Convert(m, src)
			b.ReportAllocs()
			for b.Loop() {
				c.Convert(m, src)
			}
		})
	}
}
