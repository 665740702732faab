package inference

import (
	"bytes"
	"encoding/binary"
	"io"
	"time"
)

// maxEXIF is how many bytes of a file are searched for EXIF, which comes before the pixels in every format but WebP.
const maxEXIF = 256 << 10

// exif returns the EXIF of a picture, empty if it has none: the first TIFF block that is the file, or follows a mark, that of JPEG,
// HEIC and AVIF, that of PNG, or that of WebP with a size. The error is one of r.
func exif(r io.ReadSeeker) (t tiffBlock, err error) {
	b, err := readHead(r, maxEXIF)
	for at := range max(len(b)-7, 0) {
		before := b[:at]
		marked := bytes.HasSuffix(before, []byte("Exif\x00\x00")) || bytes.HasSuffix(before, []byte("eXIf")) ||
			bytes.HasSuffix(before[:max(at-4, 0)], []byte("EXIF"))
		if at > 0 && !marked {
			continue
		}
		switch block := b[at:]; string(block[:4]) {
		case "II*\x00":
			return tiffBlock{block, binary.LittleEndian}, err
		case "MM\x00*":
			return tiffBlock{block, binary.BigEndian}, err
		}
	}
	return tiffBlock{make([]byte, 8), binary.BigEndian}, err
}

// orientation returns the EXIF orientation of a picture, 1 to 8; 1 if it is missing, invalid or damaged. The error is one of r.
func orientation(r io.ReadSeeker) (int, error) {
	t, err := exif(r)
	if entry, ok := t.entry(t.bytes[4:], orientationTag, short); ok {
		if o := int(t.order.Uint16(entry[8:])); o >= 1 && o <= 8 {
			return o, err
		}
	}
	return 1, err
}

// ImageRecorded returns when a picture was taken, by its EXIF: DateTimeOriginal in the zone OffsetTimeOriginal, or in
// UTC without that one; zero if it is unknown. The error is one of r.
func ImageRecorded(r io.ReadSeeker) (time.Time, error) {
	t, err := exif(r)
	directory, ok := t.entry(t.bytes[4:], exifTag, long)
	if !ok {
		return time.Time{}, err
	}
	const layout = "2006:01:02 15:04:05"
	taken := t.text(directory[8:], takenTag)
	if zoned, err := time.Parse(layout+"-07:00", taken+t.text(directory[8:], zoneTag)); err == nil {
		return zoned.UTC(), nil
	}
	if local, err := time.Parse(layout, taken); err == nil {
		return local, nil
	}
	return time.Time{}, err
}

// tiffBlock is a TIFF block of at least 8 bytes.
type tiffBlock struct {
	bytes []byte
	order binary.ByteOrder
}

// The tags and types of TIFF and EXIF that are read.
const (
	orientationTag, exifTag, takenTag, zoneTag = 0x0112, 0x8769, 0x9003, 0x9011
	ascii, short, long                         = 2, 3, 4
)

// entry returns the 12 bytes of a tag in the directory at an offset, if it has that type.
func (t tiffBlock) entry(offset []byte, tag, kind uint16) (entry []byte, ok bool) {
	at := uint64(t.order.Uint32(offset))
	if at+2 > uint64(len(t.bytes)) {
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
func (t tiffBlock) text(offset []byte, tag uint16) string {
	entry, ok := t.entry(offset, tag, ascii)
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
