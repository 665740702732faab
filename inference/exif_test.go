package inference_test

import (
	"bytes"
	"testing"

	"github.com/bodymotion/motion/inference"
)

// FuzzOrientation reads the EXIF orientation of arbitrary bytes: 1 to 8, whatever they
// are.
func FuzzOrientation(f *testing.F) {
	formats := []string{"jpeg", "png", "webp", "tiff", "gif"}
	f.Add(uint8(0), append([]byte{0xff, 0xd8}, exifSegment(6)...))
	f.Add(uint8(0), []byte("\xff\xd8\xff\xff\xe1\x00\x02\xff\xe1\xff\xff"))
	f.Add(uint8(1), []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x1aeXIfII*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"))
	f.Add(uint8(2), []byte("RIFF\x00\x00\x00\x00WEBPEXIF\x1a\x00\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"))
	f.Add(uint8(3), []byte("II*\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, format uint8, data []byte) {
		o, err := inference.ReadOrientation(bytes.NewReader(data), formats[int(format)%len(formats)])
		if err != nil || o < 1 || o > 8 {
			t.Fatalf("orientation %d (%v)", o, err)
		}
	})
}
