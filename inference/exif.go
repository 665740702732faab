package inference

import (
	"bytes"
	"encoding/binary"
	"io"
	"time"
)

// maxEXIF is how many bytes of a file are searched for its EXIF orientation, which comes before the pixels in every format but WebP.
const maxEXIF = 256 << 10

// orientation returns the EXIF orientation of a picture, 1 to 8; 1 if it is missing, invalid or damaged. The error is one of r.
func (c imageCodec) orientation(r io.ReadSeeker) (int, error) {
	if c.exif == nil {
		return 1, nil
	}
	head := make([]byte, maxEXIF)
	n, err := readAt(r, head)
	return tiffOrientation(c.exif(head[:n])), err
}

// ImageRecorded returns when a picture was taken, by its EXIF: DateTimeOriginal in the zone OffsetTimeOriginal, or in
// UTC without that one; zero if it is unknown. The error is one of r.
func ImageRecorded(r io.ReadSeeker) (time.Time, error) {
	format, err := FormatOf(r)
	if err != nil {
		return time.Time{}, err
	}
	head := make([]byte, maxEXIF)
	n, err := readAt(r, head)
	find := codecs[format].exif
	if format == "heif" {
		find = heifEXIF
	}
	if err != nil || find == nil {
		return time.Time{}, err
	}
	return tiffRecorded(find(head[:n])), nil
}

var exifMagic = []byte("Exif\x00\x00")

// jpegEXIF returns the TIFF block of the first EXIF segment of a JPEG file.
func jpegEXIF(b []byte) []byte {
	for i := 2; i+4 <= len(b) && b[i] == 0xff; {
		marker := b[i+1]
		if marker == 0xff { // fill byte
			i++
			continue
		}
		if marker == 0xda || marker == 0xd9 { // the pixels begin, or the end
			return nil
		}
		size := int(binary.BigEndian.Uint16(b[i+2:]))
		if size < 2 || i+2+size > len(b) {
			return nil
		}
		if data := b[i+4 : i+2+size]; marker == 0xe1 && bytes.HasPrefix(data, exifMagic) {
			return data[len(exifMagic):]
		}
		i += 2 + size
	}
	return nil
}

func pngEXIF(b []byte) []byte {
	for i := 8; i+8 <= len(b); {
		size := binary.BigEndian.Uint32(b[i:])
		kind := string(b[i+4 : i+8])
		if kind == "IDAT" || uint64(size) > uint64(len(b)-i-8) {
			return nil
		}
		if kind == "eXIf" {
			return b[i+8 : i+8+int(size)]
		}
		i += 12 + int(size)
	}
	return nil
}

func webpEXIF(b []byte) []byte {
	if len(b) < 12 {
		return nil
	}
	chunk, ok := webpChunk(b[12:], "EXIF")
	if !ok {
		return nil
	}
	return bytes.TrimPrefix(chunk[8:], exifMagic)
}

// heifEXIF returns what begins as a TIFF block after the mark of EXIF in a HEIC or AVIF file.
func heifEXIF(b []byte) []byte {
	for {
		_, block, ok := bytes.Cut(b, exifMagic)
		if !ok {
			return nil
		}
		if _, ok := tiffOf(block); ok {
			return block
		}
		b = block
	}
}

// tiffBlock is a TIFF block.
type tiffBlock struct {
	bytes []byte
	order binary.ByteOrder
}

func tiffOf(b []byte) (t tiffBlock, ok bool) {
	if len(b) < 8 {
		return t, false
	}
	switch string(b[:4]) {
	case "II*\x00":
		return tiffBlock{b, binary.LittleEndian}, true
	case "MM\x00*":
		return tiffBlock{b, binary.BigEndian}, true
	}
	return t, false
}

// entry returns the 12 bytes of a tag in the directory at an offset, if it has that type.
func (t tiffBlock) entry(at uint32, tag, kind uint16) (entry []byte, ok bool) {
	if uint64(at)+2 > uint64(len(t.bytes)) {
		return nil, false
	}
	entries := t.bytes[at+2:]
	for range t.order.Uint16(t.bytes[at:]) {
		if len(entries) < 12 {
			break
		}
		if t.order.Uint16(entries) == tag && t.order.Uint16(entries[2:]) == kind {
			return entries[:12], true
		}
		entries = entries[12:]
	}
	return nil, false
}

// text returns a text of more than four bytes in the directory at an offset; "" if there is none.
func (t tiffBlock) text(at uint32, tag uint16) string {
	entry, ok := t.entry(at, tag, ascii)
	if !ok {
		return ""
	}
	n, from := uint64(t.order.Uint32(entry[4:])), uint64(t.order.Uint32(entry[8:]))
	if n <= 4 || n > 64 || from+n > uint64(len(t.bytes)) {
		return ""
	}
	text, _, _ := bytes.Cut(t.bytes[from:from+n], []byte{0})
	return string(text)
}

// The tags and types of TIFF and EXIF that are read.
const (
	orientationTag, exifTag, takenTag, zoneTag = 0x0112, 0x8769, 0x9003, 0x9011
	ascii, short, long                         = 2, 3, 4
)

// tiffOrientation returns the orientation in the first directory of a TIFF block, or 1.
func tiffOrientation(b []byte) int {
	t, ok := tiffOf(b)
	if !ok {
		return 1
	}
	entry, ok := t.entry(t.order.Uint32(b[4:]), orientationTag, short)
	if !ok {
		return 1
	}
	if o := int(t.order.Uint16(entry[8:])); o >= 1 && o <= 8 {
		return o
	}
	return 1
}

// tiffRecorded returns the time in the EXIF directory of a TIFF block, or zero.
func tiffRecorded(b []byte) time.Time {
	t, ok := tiffOf(b)
	if !ok {
		return time.Time{}
	}
	entry, ok := t.entry(t.order.Uint32(b[4:]), exifTag, long)
	if !ok {
		return time.Time{}
	}
	at := t.order.Uint32(entry[8:])
	const layout = "2006:01:02 15:04:05"
	taken := t.text(at, takenTag)
	if zoned, err := time.Parse(layout+"-07:00", taken+t.text(at, zoneTag)); err == nil {
		return zoned.UTC()
	}
	local, err := time.Parse(layout, taken)
	if err != nil {
		return time.Time{}
	}
	return local
}
