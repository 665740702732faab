package testkit

import "image"

// SlowJPEG returns a progressive grey JPEG picture of few bytes that is slow to decode: in each
// of its scans, of 20 bytes or so, the decoder goes through all coefficients of all pixels.
func SlowJPEG(size image.Point, scans int) []byte {
	segment := func(marker byte, data ...byte) []byte {
		n := len(data) + 2
		return append([]byte{0xff, marker, byte(n >> 8), byte(n)}, data...)
	}
	ones := make([]byte, 64)
	for i := range ones {
		ones[i] = 1
	}
	b := append([]byte{0xff, 0xd8}, segment(0xdb, append([]byte{0}, ones...)...)...)
	b = append(b, segment(0xc2, 8, byte(size.Y>>8), byte(size.Y), byte(size.X>>8), byte(size.X), 1, 1, 0x11, 0)...)
	// One Huffman code, the bit 0: the next 1<<14 blocks and those that 14 more bits count have no
	// further coefficient.
	b = append(b, segment(0xc4, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0)...)
	scan := segment(0xda, 1, 1, 0, 1, 63, 0x10) // refines coefficients 1 to 63
	const most = 1<<15 - 1                      // blocks for 15 bits
	blocks := (size.X + 7) / 8 * ((size.Y + 7) / 8)
	bits := 0
	var last byte
	for range (blocks + most - 1) / most {
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
