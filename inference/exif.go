package inference

import (
	"bytes"
	"encoding/binary"
	"io"
)

// maxEXIF is how many bytes of a file are searched for its EXIF orientation, which comes
// before the pixels in every format but WebP.
const maxEXIF = 256 << 10

// orientation returns the EXIF orientation of a picture, 1 to 8; 1 if it is missing, invalid or damaged. The
// error is one of r.
func (c imageCodec) orientation(r io.ReadSeeker) (int, error) {
	if c.exif == nil {
		return 1, nil
	}
	head := make([]byte, maxEXIF)
	n, err := readAt(r, head)
	return tiffOrientation(c.exif(head[:n])), err
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

// pngEXIF returns the eXIf chunk of a PNG file.
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

// webpEXIF returns the EXIF chunk of a WebP file.
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

// tiffOrientation returns the orientation tag (274) of the first directory of a TIFF block, or 1.
func tiffOrientation(b []byte) int {
	if len(b) < 8 {
		return 1
	}
	var order binary.ByteOrder
	switch string(b[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 1
	}
	at := uint64(order.Uint32(b[4:]))
	if at+2 > uint64(len(b)) {
		return 1
	}
	entries := b[at+2:]
	for range order.Uint16(b[at:]) {
		if len(entries) < 12 {
			return 1
		}
		const orientation, short = 274, 3
		if order.Uint16(entries) == orientation && order.Uint16(entries[2:]) == short {
			if o := int(order.Uint16(entries[8:])); o >= 1 && o <= 8 {
				return o
			}
			return 1
		}
		entries = entries[12:]
	}
	return 1
}
