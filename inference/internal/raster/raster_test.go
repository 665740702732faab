package raster_test

import (
	"fmt"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"math/rand/v2"
	"testing"

	"github.com/bodymotion/motion/inference/internal/raster"
	"github.com/bodymotion/motion/internal/yuv"
)

var whole = image.Rect(0, 0, 13, 9)

// parts are the whole picture and one that begins inside a chroma sample.
var parts = []image.Rectangle{whole, image.Rect(3, 1, 12, 8)}

type subImage interface {
	draw.Image
	SubImage(image.Rectangle) image.Image
}

func noise() *image.RGBA {
	random := rand.New(rand.NewPCG(1, 2))
	m := image.NewRGBA(whole)
	for i := range m.Pix {
		m.Pix[i] = uint8(random.Uint32()) | uint8(i%4/3*255) // opaque
	}
	return m
}

// lower makes the lower eight bits of samples of sixteen other than the upper ones, but for
// the alpha of pixels of four samples.
func lower(pix []byte, step int) {
	for i := 1; i < len(pix); i += 2 {
		if i%step != 7 {
			pix[i] = ^pix[i]
		}
	}
}

// at returns the sample of a sheet that belongs to a pixel of the picture.
func at(s raster.Sheet, x, y int) []byte {
	i := int((float64(x) / s.PerX) + s.FirstX)
	j := int((float64(y) / s.PerY) + s.FirstY)
	if i >= s.Width || j >= s.Height {
		panic(fmt.Sprintf("pixel (%d,%d) has no sample of %d×%d", x, y, s.Width, s.Height))
	}
	return s.Pix[j*s.Stride+i*s.Step:]
}

// TestColours: each pixel of a picture with one sheet has its colour.
func TestColours(t *testing.T) {
	for _, m := range []subImage{
		image.NewRGBA(whole), image.NewNRGBA(whole), image.NewGray(whole),
		image.NewRGBA64(whole), image.NewNRGBA64(whole), image.NewGray16(whole),
		image.NewCMYK(whole), image.NewPaletted(whole, palette.WebSafe),
	} {
		draw.Draw(m, whole, noise(), image.Point{}, draw.Src)
		switch m := m.(type) {
		case *image.RGBA64:
			lower(m.Pix, 8)
		case *image.NRGBA64:
			lower(m.Pix, 8)
		case *image.Gray16:
			lower(m.Pix, 2)
		}
		for _, part := range parts {
			t.Run(fmt.Sprintf("%T %v", m, part), func(t *testing.T) {
				img := m.SubImage(part)
				p := raster.Of(img)
				if p.Planes() || len(p.Sheets) != 1 || p.Size != part.Size() {
					t.Fatalf("%d sheets, size %v", len(p.Sheets), p.Size)
				}
				for y := range p.Size.Y {
					for x := range p.Size.X {
						s, c := at(p.Sheets[0], x, y), p.Channels
						want := color.RGBAModel.Convert(img.At(part.Min.X+x, part.Min.Y+y))
						if got := (color.RGBA{s[c[0]], s[c[1]], s[c[2]], 255}); got != want {
							t.Fatalf("pixel (%d,%d) is %v, want %v", x, y, got, want)
						}
					}
				}
			})
		}
	}
}

// TestPlanes: each pixel of a JPEG or a movie has its Y, Cb and Cr.
func TestPlanes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for ratio := image.YCbCrSubsampleRatio444; ratio <= image.YCbCrSubsampleRatio410; ratio++ {
		m := image.NewYCbCr(whole, ratio)
		for _, plane := range [][]byte{m.Y, m.Cb, m.Cr} {
			for i := range plane {
				plane[i] = uint8(random.Uint32())
			}
		}
		for _, part := range parts {
			t.Run(fmt.Sprint(ratio, part), func(t *testing.T) {
				jpeg := m.SubImage(part).(*image.YCbCr)
				for _, img := range []image.Image{jpeg, &image.NYCbCrA{YCbCr: *jpeg}} {
					p := raster.Of(img)
					planes(t, p, part, func(x, y int) color.YCbCr { return jpeg.YCbCrAt(x, y) })
					if p.Matrix != yuv.NewMatrix(true, false) || p.Sheets[0].Black != 0 || p.Sheets[1].Black != 128 {
						t.Errorf("matrix %v, black %d and %d", p.Matrix, p.Sheets[0].Black, p.Sheets[1].Black)
					}
				}
			})
		}
	}
	movie := yuv.New(whole.Size())
	movie.FromRGBA(noise())
	movie.BT709 = true
	p := raster.Of(movie)
	planes(t, p, whole, func(x, y int) color.YCbCr {
		c := y/2*movie.CStride + x/2
		return color.YCbCr{Y: movie.Y[y*movie.YStride+x], Cb: movie.Cb[c], Cr: movie.Cr[c]}
	})
	if p.Matrix != yuv.NewMatrix(false, true) || p.Sheets[0].Black != 16 {
		t.Errorf("of a movie: matrix %v, black %d", p.Matrix, p.Sheets[0].Black)
	}
}

func planes(t *testing.T, p raster.Picture, part image.Rectangle, want func(x, y int) color.YCbCr) {
	t.Helper()
	if !p.Planes() || p.Size != part.Size() {
		t.Fatalf("%d sheets, size %v", len(p.Sheets), p.Size)
	}
	for y := range p.Size.Y {
		for x := range p.Size.X {
			got := color.YCbCr{Y: at(p.Sheets[0], x, y)[0], Cb: at(p.Sheets[1], x, y)[0], Cr: at(p.Sheets[2], x, y)[0]}
			if want := want(part.Min.X+x, part.Min.Y+y); got != want {
				t.Fatalf("pixel (%d,%d) is %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	for _, img := range []image.Image{image.NewRGBA(image.Rect(4, 4, 4, 9)), &image.YCbCr{}, yuv.New(image.Point{})} {
		if p := raster.Of(img); p.Planes() || p.Sheets[0].Width != 0 {
			t.Errorf("%T: %+v", img, p)
		}
	}
}
