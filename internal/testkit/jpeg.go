package testkit

import (
	"bytes"
	"image"
)

// SlowJPEG returns a progressive grey JPEG picture of few bytes that is slow to decode: in each
// of its scans, of 20 bytes or so, the decoder goes through all coefficients of all pixels.
func SlowJPEG(size image.Point, scans int) []byte {
	b := append([]byte{0xff, 0xd8}, quantisation()...)
	b = append(b, segment(0xc2, 8, byte(size.Y>>8), byte(size.Y), byte(size.X>>8), byte(size.X), 1, 1, 0x11, 0)...)
	// One Huffman code, the bit 0: the next 1<<14 blocks and those that 14 more bits count have no further coefficient.
	b = append(b, segment(0xc4, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0)...)
	scan := segment(0xda, 1, 1, 0, 1, 63, 0x10) // refines coefficients 1 to 63
	const most = 1<<15 - 1                      // blocks for 15 bits
	bits := 0
	var last byte
	for range (blocks(size) + most - 1) / most {
		for i := range 15 {
			last <<= 1
			if i > 0 {
				last |= 1
			}
			if bits++; bits%8 == 0 {
				if scan = append(scan, last); last == 0xff {
					scan = append(scan, 0)
				}
			}
		}
	}
	for ; bits%8 != 0; bits++ {
		if last <<= 1; bits%8 == 7 {
			scan = append(scan, last)
		}
	}
	for range scans {
		b = append(b, scan...)
	}
	return append(b, 0xff, 0xd9)
}

// CMYKJPEG returns a progressive JPEG picture of one colour in CMYK, which is to be turned: it takes
// its decoder more memory than any other picture of its size.
func CMYKJPEG(size image.Point) []byte {
	exif := []byte("Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00")
	b := append([]byte{0xff, 0xd8}, segment(0xe1, exif...)...)
	b = append(b, segment(0xee, []byte("Adobe\x00\x64\x00\x00\x00\x00\x02")...)...)
	b = append(b, quantisation()...)
	b = append(b, segment(0xc2, 8, byte(size.Y>>8), byte(size.Y), byte(size.X>>8), byte(size.X), 4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0)...)
	b = append(b, segment(0xc4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)...) // the bit 0: the same again
	b = append(b, segment(0xda, 4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0)...)
	b = append(b, make([]byte, (blocks(size)*4+7)/8)...)
	return append(b, 0xff, 0xd9)
}

func segment(marker byte, data ...byte) []byte {
	n := len(data) + 2
	return append([]byte{0xff, marker, byte(n >> 8), byte(n)}, data...)
}

func quantisation() []byte {
	return segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
}

// blocks returns how many blocks of 8×8 pixels a picture has.
func blocks(size image.Point) int { return (size.X + 7) / 8 * ((size.Y + 7) / 8) }
