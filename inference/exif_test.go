package inference_test

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference"
)

// stored6 are starts of files with the orientation 6.
var stored6 = map[string][]byte{
	"JPEG": append([]byte{0xff, 0xd8}, exifSegment(6)...),
	"PNG":  []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x1aeXIfII*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"),
	"WebP": []byte("RIFF\x00\x00\x00\x00WEBPEXIF\x1a\x00\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00"),
	"TIFF": []byte("II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"),
}

// TestOrientation: each format has its mark, and what looks like EXIF without one is none.
func TestOrientation(t *testing.T) {
	for name, data := range stored6 {
		if o, err := inference.ReadOrientation(bytes.NewReader(data)); o != 6 || err != nil {
			t.Errorf("%s: %d (%v)", name, o, err)
		}
	}
	if o, err := inference.ReadOrientation(bytes.NewReader(append([]byte("\xff\xd8 "), stored6["TIFF"]...))); o != 1 || err != nil {
		t.Errorf("without a mark: %d (%v)", o, err)
	}
}

// FuzzOrientation reads the EXIF orientation of arbitrary bytes: 1 to 8, whatever they
// are.
func FuzzOrientation(f *testing.F) {
	for _, data := range stored6 {
		f.Add(data)
	}
	f.Add([]byte("\xff\xd8\xff\xff\xe1\x00\x02\xff\xe1\xff\xff"))
	f.Add([]byte("II*\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := inference.ReadOrientation(bytes.NewReader(data))
		if err != nil || o < 1 || o > 8 {
			t.Fatalf("orientation %d (%v)", o, err)
		}
		if _, err := inference.ImageRecorded(bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	})
}

// taken is a TIFF block with the time at which a picture was taken, and its zone unless that is "".
func taken(order binary.AppendByteOrder, at, zone string) []byte {
	b := map[binary.AppendByteOrder][]byte{binary.LittleEndian: []byte("II*\x00"), binary.BigEndian: []byte("MM\x00*")}[order]
	b = order.AppendUint32(b, 8)
	entry := func(tag, kind uint16, n, value uint32) {
		b = order.AppendUint32(order.AppendUint32(order.AppendUint16(order.AppendUint16(b, tag), kind), n), value)
	}
	b = order.AppendUint16(b, 1)
	entry(0x8769, 4, 1, 26) // the EXIF directory
	b = order.AppendUint32(b, 0)
	b = order.AppendUint16(b, 2)
	entry(0x9003, 2, uint32(len(at)+1), 56)
	entry(0x9011, 2, uint32(len(zone)+1), 56+uint32(len(at)+1))
	b = order.AppendUint32(b, 0)
	return append(append(append(b, at...), 0), append([]byte(zone), 0)...)
}

// heic is a HEIC file without pixels, with an EXIF item.
func heic(block []byte) []byte {
	box := func(kind string, content ...[]byte) []byte {
		all := bytes.Join(content, nil)
		return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(all))), kind...), all...)
	}
	item := append([]byte("\x00\x00\x00\x06Exif\x00\x00"), block...)
	head := func(at int) []byte {
		extent := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(at)), uint32(len(item)))
		return append(box("ftyp", []byte("heic\x00\x00\x00\x00mif1heic")), box("meta", make([]byte, 4),
			box("iinf", []byte("\x00\x00\x00\x00\x00\x01"), box("infe", []byte("\x02\x00\x00\x00\x00\x01\x00\x00Exif\x00"))),
			box("iloc", []byte("\x00\x00\x00\x00\x44\x00\x00\x01\x00\x01\x00\x00\x00\x01"), extent))...)
	}
	return append(head(len(head(0))+8), box("mdat", item)...)
}

func TestImageRecorded(t *testing.T) {
	noon := time.Date(2024, 3, 4, 12, 0, 0, 0, time.UTC)
	jpeg := func(block []byte) []byte {
		b := append([]byte("Exif\x00\x00"), block...)
		return append(append([]byte{0xff, 0xd8, 0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(b)+2))...), b...)
	}
	for name, c := range map[string]struct {
		file []byte
		want time.Time
	}{
		"with a zone":    {jpeg(taken(binary.LittleEndian, "2024:03:04 21:00:00", "+09:00")), noon},
		"big endian":     {jpeg(taken(binary.BigEndian, "2024:03:04 07:00:00", "-05:00")), noon},
		"without a zone": {jpeg(taken(binary.BigEndian, "2024:03:04 12:00:00", "")), noon},
		"HEIC":           {heic(taken(binary.BigEndian, "2024:03:04 21:00:00", "+09:00")), noon},
		"never set":      {jpeg(taken(binary.LittleEndian, "    :  :     :  :  ", "")), time.Time{}},
		"cut":            {jpeg(taken(binary.LittleEndian, "2024:03:04 21:00:00", "+09:00")[:60]), time.Time{}},
		"no EXIF":        {jpeg(nil), time.Time{}},
		"a PNG":          {[]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x00IDAT"), time.Time{}},
	} {
		got, err := inference.ImageRecorded(bytes.NewReader(c.file))
		if err != nil || !got.Equal(c.want) {
			t.Errorf("%s: %v (%v), want %v", name, got, err, c.want)
		}
	}
}
