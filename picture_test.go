package motion_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// exif returns a JPEG with an orientation, a place and a comment in its metadata.
func exif(t *testing.T, m image.Image, orientation uint16) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	entry := func(tag, typ uint16, count, value uint32) []byte {
		return le.AppendUint32(le.AppendUint32(le.AppendUint16(le.AppendUint16(nil, tag), typ), count), value)
	}
	tiff := []byte("II*\x00\x08\x00\x00\x00\x02\x00")
	tiff = append(tiff, entry(0x0112, 3, 1, uint32(orientation))...)
	tiff = append(tiff, entry(0x8825, 4, 1, 38)...) // GPS
	tiff = append(tiff, 0, 0, 0, 0, 1, 0)
	tiff = append(tiff, entry(0x0001, 2, 2, 'N')...)
	tiff = append(tiff, "\x00\x00\x00\x00secret place"...)
	var app []byte
	for _, s := range []struct {
		marker  byte
		content string
	}{{0xe1, "Exif\x00\x00" + string(tiff)}, {0xfe, "secret comment"}} {
		app = append(app, 0xff, s.marker)
		app = append(binary.BigEndian.AppendUint16(app, uint16(len(s.content)+2)), s.content...)
	}
	return append(append(bytes.Clone(b.Bytes()[:2]), app...), b.Bytes()[2:]...)
}

// TestDrawnPictures: the drawing of a picture is an upright JPEG of quality 90, and says
// nothing but what is to be seen.
func TestDrawnPictures(t *testing.T) {
	s := newParts().service(t, nil)
	run(t, s)
	stored := image.NewRGBA(image.Rect(0, 0, 120, 80)) // its right half is blue
	for y := range 80 {
		for x := range 120 {
			c := color.RGBA{230, 230, 230, 255}
			if x >= 60 {
				c = color.RGBA{40, 60, 220, 255}
			}
			stored.SetRGBA(x, y, c)
		}
	}
	for orientation, c := range map[uint16]struct {
		size image.Point
		blue image.Point // a place that is blue when the picture is upright
	}{
		1: {image.Pt(120, 80), image.Pt(100, 60)},
		3: {image.Pt(120, 80), image.Pt(20, 60)},
		6: {image.Pt(80, 120), image.Pt(20, 110)},
		8: {image.Pt(80, 120), image.Pt(20, 30)},
	} {
		m := upload(t, s, exif(t, stored, orientation))
		if m.Size != c.size {
			t.Errorf("orientation %d: registered as %v, want %v", orientation, m.Size, c.size)
		}
		e := extract(t, s, m.ID)
		wait(t, s, storage.Keypoints, e.ID, storage.Success)
		b, err := os.ReadFile(drawn(t, s, motion.DrawRequest{KeypointID: e.ID, Rule: []byte(noseRule)}))
		if err != nil {
			t.Fatal(err)
		}
		img, err := jpeg.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if img.Bounds().Size() != c.size {
			t.Errorf("orientation %d: %v, want %v", orientation, img.Bounds().Size(), c.size)
		}
		if got := color.RGBAModel.Convert(img.At(c.blue.X, c.blue.Y)).(color.RGBA); !near(got, color.RGBA{40, 60, 220, 255}, 20) {
			t.Errorf("orientation %d: %v at %v, want blue", orientation, got, c.blue)
		}
		if got := color.RGBAModel.Convert(img.At(c.size.X/2, c.size.Y/10)).(color.RGBA); !near(got, color.RGBA{255, 0, 0, 255}, 60) {
			t.Errorf("orientation %d: the nose is %v, want red", orientation, got)
		}
		if bytes.Contains(b, []byte("secret")) || bytes.Contains(b, []byte("Exif")) {
			t.Errorf("orientation %d: private metadata was carried over", orientation)
		}
		var again bytes.Buffer // the tables of quantisation tell the quality
		if err := jpeg.Encode(&again, img, &jpeg.Options{Quality: 90}); err != nil {
			t.Fatal(err)
		}
		if table := func(b []byte) []byte { i := bytes.Index(b, []byte{0xff, 0xdb}); return b[i : i+134] }; !bytes.Equal(table(b), table(again.Bytes())) {
			t.Errorf("orientation %d: the quality is not 90", orientation)
		}
	}
}
