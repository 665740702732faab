package inference_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit"
)

// arrow returns a small picture that looks different in each of the 8 orientations:
// red at the top left, green at the top right, blue at the bottom left.
func arrow() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 48, 32))
	for y := range 32 {
		for x := range 48 {
			c := color.RGBA{255, 255, 255, 255}
			switch {
			case x < 16 && y < 16:
				c = color.RGBA{255, 0, 0, 255}
			case x >= 32 && y < 16:
				c = color.RGBA{0, 255, 0, 255}
			case x < 16 && y >= 16:
				c = color.RGBA{0, 0, 255, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

// stored returns the picture as a camera stores it that wants it shown with the
// given orientation: the inverse of the EXIF transformation.
func stored(m *image.RGBA, orientation int) *image.RGBA {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	if orientation >= 5 {
		w, h = h, w
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var ux, uy int // where the stored pixel is shown
			switch orientation {
			case 1:
				ux, uy = x, y
			case 2:
				ux, uy = w-1-x, y
			case 3:
				ux, uy = w-1-x, h-1-y
			case 4:
				ux, uy = x, h-1-y
			case 5:
				ux, uy = y, x
			case 6:
				ux, uy = h-1-y, x
			case 7:
				ux, uy = h-1-y, w-1-x
			case 8:
				ux, uy = y, w-1-x
			}
			out.Set(x, y, m.At(ux, uy))
		}
	}
	return out
}

// exifSegment is a JPEG APP1 segment with the orientation tag alone.
func exifSegment(orientation int) []byte {
	tiff := []byte("Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00")
	tiff = append(tiff, byte(orientation), 0, 0, 0, 0, 0, 0, 0)
	n := len(tiff) + 2
	return append([]byte{0xff, 0xe1, byte(n >> 8), byte(n)}, tiff...)
}

func jpegWithOrientation(t *testing.T, m image.Image, orientation int) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	out := append([]byte{0xff, 0xd8}, exifSegment(orientation)...)
	return append(out, b.Bytes()[2:]...)
}

func near(a, b color.Color) bool {
	r1, g1, b1, _ := a.RGBA()
	r2, g2, b2, _ := b.RGBA()
	far := func(x, y uint32) bool { return max(x, y)-min(x, y) > 40<<8 }
	return !far(r1, r2) && !far(g1, g2) && !far(b1, b2)
}

func TestDecodeImageAppliesOrientation(t *testing.T) {
	want := arrow()
	for o := 1; o <= 8; o++ {
		t.Run(fmt.Sprint(o), func(t *testing.T) {
			data := jpegWithOrientation(t, stored(want, o), o)
			size, err := inference.ProbeImage(t.Context(), nil, bytes.NewReader(data))
			if err != nil || size != want.Rect.Size() {
				t.Fatalf("ProbeImage = %v, %v; want %v", size, err, want.Rect.Size())
			}
			got, err := inference.DecodeImage(t.Context(), nil, bytes.NewReader(data), 0)
			if err != nil {
				t.Fatal(err)
			}
			if got.Bounds() != want.Bounds() {
				t.Fatalf("bounds %v, want %v", got.Bounds(), want.Bounds())
			}
			for _, p := range []image.Point{{8, 8}, {40, 8}, {8, 24}, {40, 24}} {
				if !near(got.At(p.X, p.Y), want.At(p.X, p.Y)) {
					t.Errorf("pixel %v is %v, want about %v", p, got.At(p.X, p.Y), want.At(p.X, p.Y))
				}
			}
		})
	}
	for _, o := range []int{0, 9, 99} {
		got, err := inference.DecodeImage(t.Context(), nil, bytes.NewReader(jpegWithOrientation(t, want, o)), 0)
		if err != nil || got.Bounds() != want.Bounds() || !near(got.At(8, 8), want.At(8, 8)) {
			t.Errorf("orientation %d is not treated as 1 (error %v)", o, err)
		}
	}
}

func TestDecodeImageIgnoresTransparency(t *testing.T) {
	c := color.NRGBA{200, 100, 50, 0}
	nrgba := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	deep := image.NewNRGBA64(nrgba.Rect)
	paletted := image.NewPaletted(nrgba.Rect, color.Palette{c, color.NRGBA{1, 2, 3, 255}})
	for y := range 4 {
		for x := range 4 {
			nrgba.SetNRGBA(x, y, c)
			deep.SetNRGBA64(x, y, color.NRGBA64{200 << 8, 100 << 8, 50 << 8, 0})
		}
	}
	for name, m := range map[string]image.Image{"8 bit": nrgba, "16 bit": deep, "palette": paletted} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := png.Encode(&b, m); err != nil {
				t.Fatal(err)
			}
			got, err := inference.DecodeImage(t.Context(), nil, bytes.NewReader(b.Bytes()), 0)
			if err != nil {
				t.Fatal(err)
			}
			if want := (color.RGBA{200, 100, 50, 255}); !near(got.At(1, 1), want) {
				t.Errorf("pixel is %v, want %v", got.At(1, 1), want)
			}
		})
	}
}

func TestDecodeImageTakesTheFirstFrame(t *testing.T) {
	pal := color.Palette{color.Black, color.White}
	small := image.NewPaletted(image.Rect(2, 2, 6, 6), pal)
	for i := range small.Pix {
		small.Pix[i] = 1
	}
	g := &gif.GIF{
		Image:  []*image.Paletted{small, image.NewPaletted(image.Rect(0, 0, 8, 8), pal)},
		Delay:  []int{1, 1},
		Config: image.Config{ColorModel: pal, Width: 8, Height: 8},
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	got, err := inference.DecodeImage(t.Context(), nil, bytes.NewReader(b.Bytes()), 0)
	if err != nil {
		t.Fatal(err)
	}
	if got.Bounds() != image.Rect(0, 0, 8, 8) {
		t.Errorf("bounds %v, want the canvas", got.Bounds())
	}
	if !near(got.At(3, 3), color.White) || !near(got.At(0, 0), color.Black) {
		t.Errorf("pixels %v and %v, want white and black", got.At(3, 3), got.At(0, 0))
	}
}

func TestDecodeImageLimit(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, arrow()); err != nil {
		t.Fatal(err)
	}
	const pixels = 48 * 32
	if _, err := inference.DecodeImage(t.Context(), nil, bytes.NewReader(b.Bytes()), pixels); !errors.Is(err, inference.ErrTooManyPixels) {
		t.Errorf("exactly the limit: %v, want ErrTooManyPixels", err)
	}
	if _, err := inference.DecodeImage(t.Context(), nil, bytes.NewReader(b.Bytes()), pixels+1); err != nil {
		t.Errorf("one pixel below the limit: %v", err)
	}
}

func TestHostileImages(t *testing.T) {
	dir := testkit.Data(t, "hostile")
	var files []struct{ File, Expect, SameAs string }
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &files); err != nil {
		t.Fatal(err)
	}
	const limit = 12_200_000
	for _, f := range files {
		switch filepath.Dir(f.File) {
		case "image_ok", "image_noperson", "image_bad", "animated", "fuzz":
		default:
			continue
		}
		t.Run(f.File, func(t *testing.T) {
			r, err := os.Open(filepath.Join(dir, f.File))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			img, err := inference.DecodeImage(t.Context(), nil, r, limit)
			if err != nil && !errors.Is(err, inference.ErrFormat) && !errors.Is(err, inference.ErrTooManyPixels) {
				t.Errorf("error is of no kind: %v", err)
			}
			if err == nil {
				if size, perr := inference.ProbeImage(t.Context(), nil, r); perr != nil || size != img.Bounds().Size() {
					t.Errorf("ProbeImage = %v, %v; decoded are %v", size, perr, img.Bounds().Size())
				}
			}
			switch f.Expect {
			case "ok", "ok-same", "ok-no-person":
				// AVIF is an optional format; the ICC-less rest must be decoded.
				if err != nil && filepath.Ext(f.File) != ".avif" {
					t.Errorf("want a picture: %v", err)
				}
				if err == nil && f.SameAs == "image_ok/base.jpg" && img.Bounds() != image.Rect(0, 0, 600, 400) {
					t.Errorf("bounds %v, want 600×400", img.Bounds())
				}
			case "reject-clean":
				if err == nil {
					t.Errorf("want an error, got a picture of %v", img.Bounds())
				}
			}
		})
	}
}

func FuzzDecodeImage(f *testing.F) {
	var b bytes.Buffer
	if err := png.Encode(&b, arrow()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte("RIFF\x00\x00\x00\x00WEBPVP8 "))
	f.Add(append([]byte{0xff, 0xd8}, exifSegment(6)...))
	f.Add([]byte("II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		size, perr := inference.ProbeImage(t.Context(), nil, bytes.NewReader(data))
		img, err := inference.DecodeImage(t.Context(), nil, bytes.NewReader(data), 1<<16)
		if err == nil && (perr != nil || img.Bounds().Size() != size || img.Bounds().Min != image.Point{}) {
			t.Fatalf("probed %v (%v), decoded %v", size, perr, img.Bounds())
		}
	})
}
