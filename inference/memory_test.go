package inference_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"runtime"
	"testing"

	"github.com/bodymotion/motion/inference"
)

// TestDecodeImageMemory counts the bytes that are allocated to decode a JPEG of 12
// megapixels: its planes once, and once more where they have to be turned, which is less
// than the picture as RGB. RGBA is never made of it.
func TestDecodeImageMemory(t *testing.T) {
	size := image.Pt(4032, 3024)
	m := image.NewYCbCr(image.Rectangle{Max: size}, image.YCbCrSubsampleRatio420)
	for i := range m.Y {
		m.Y[i] = uint8(i / 97)
	}
	planes := float64(len(m.Y) + len(m.Cb) + len(m.Cr))
	plain := jpegWithOrientation(t, m, 1)
	for _, orientation := range []int{1, 2, 3, 4, 5, 6, 7, 8} {
		t.Run(fmt.Sprint(orientation), func(t *testing.T) {
			data := append(append([]byte{0xff, 0xd8}, exifSegment(orientation)...), plain[2+len(exifSegment(1)):]...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got, err := inference.DecodeImage(t.Context(), nil, bytes.NewReader(data), 12_200_000)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			copies := 1.0
			if orientation >= 5 {
				copies = 2
			}
			allocated := float64(after.TotalAlloc - before.TotalAlloc)
			if allocated > copies*planes+1<<20 {
				t.Errorf("%.1f MB are allocated, the planes are %.1f MB", allocated/1e6, planes/1e6)
			}
			runtime.KeepAlive(got)
		})
	}
}

// TestOrientationOfSubsampling holds that a picture of any subsampling and of odd size
// comes out as the same picture.
func TestOrientationOfSubsampling(t *testing.T) {
	for _, ratio := range []image.YCbCrSubsampleRatio{
		image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
		image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
	} {
		for _, size := range []image.Point{{48, 32}, {47, 31}} {
			for o := 1; o <= 8; o++ {
				t.Run(fmt.Sprint(ratio, size, o), func(t *testing.T) {
					m := image.NewYCbCr(image.Rectangle{Max: size}, ratio)
					for y := range size.Y {
						for x := range size.X {
							m.Y[m.YOffset(x, y)] = uint8(5*x + y)
							m.Cb[m.COffset(x, y)] = uint8(100 + 3*(x/8))
							m.Cr[m.COffset(x, y)] = uint8(100 + 3*(y/8))
						}
					}
					want := image.NewRGBA(m.Rect)
					for y := range size.Y {
						for x := range size.X {
							want.Set(x, y, m.At(x, y))
						}
					}
					got := inference.Orient(m, o)
					back := stored(asRGBA(got), o)
					if back.Rect != want.Rect {
						t.Fatalf("the size is %v turned back, want %v", back.Rect, want.Rect)
					}
					for i := range want.Pix {
						if back.Pix[i] != want.Pix[i] {
							t.Fatalf("byte %d is %d, want %d", i, back.Pix[i], want.Pix[i])
						}
					}
				})
			}
		}
	}
}

func asRGBA(m image.Image) *image.RGBA {
	b := m.Bounds()
	out := image.NewRGBA(image.Rectangle{Max: b.Size()})
	for y := range b.Dy() {
		for x := range b.Dx() {
			out.Set(x, y, color.RGBAModel.Convert(m.At(b.Min.X+x, b.Min.Y+y)))
		}
	}
	return out
}
