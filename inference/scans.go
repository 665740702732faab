package inference

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// MaxScans is how many scans a JPEG picture may have. Encoders write about ten. Each one may
// make the decoder go through all pixels, for twenty bytes of the file.
const MaxScans = 100

// The markers of JPEG that checkScans knows.
const (
	markerRST0 = 0xd0 // to 0xd7: restart, in the data of a scan
	markerEOI  = 0xd9 // end of the picture
	markerSOS  = 0xda // start of a scan
)

// checkScans returns ErrTooManyScans if a JPEG file has more than MaxScans scans. It goes from marker to marker, as
// the decoder does, without decoding. It accepts damaged files, which the decoder refuses.
func checkScans(in io.Reader) error {
	scans, r := 0, bufio.NewReader(in)
	_, err := r.Discard(2) // start of the picture
	for err == nil {
		var marker byte
		if marker, err = nextMarker(r); err != nil || marker == markerEOI {
			break
		}
		if marker == markerSOS {
			if scans++; scans > MaxScans {
				return fmt.Errorf("%w: the jpeg picture has more than %d", ErrTooManyScans, MaxScans)
			}
		}
		var length [2]byte // of the segment, which counts these two bytes
		if _, err = io.ReadFull(r, length[:]); err == nil {
			_, err = r.Discard(max(int(binary.BigEndian.Uint16(length[:]))-2, 0))
		}
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}

// nextMarker skips the data of a scan, if r stands in one, and returns the next marker.
func nextMarker(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if b != 0xff && err == nil {
			continue
		}
		for b == 0xff && err == nil { // more of them may fill the space before a marker
			b, err = r.ReadByte()
		}
		if err != nil || b != 0 && (b < markerRST0 || b > markerRST0+7) { // 0: the FF is data
			return b, err
		}
	}
}
