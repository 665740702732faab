package testkit

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"slices"
	"strings"
)

// Bombs returns small MP4 files whose headers cost a reader gigabytes: an index of 3 million
// samples in 12 bytes, multiplied by 200 edits (8 KB, 2.2 GB), the same in two tracks with 800
// edits each (25 KB, 4.4 GB), and a header of 240 MB that is compressed (240 KB, 1.9 GB).
func Bombs() map[string][]byte {
	start := box("ftyp", []byte("qt  \x00\x00\x02\x00qt  "))
	data := box("mdat", make([]byte, 5000))
	return map[string][]byte{
		"200 edits":         slices.Concat(start, header(3_000_000, 200, 1, 0), data),
		"two tracks":        slices.Concat(start, header(3_000_000, 800, 2, 0), data),
		"compressed header": slices.Concat(start, compressed(60_000_000), data),
	}
}

// header returns a movie header for tracks of n samples with edits that show all of them. If table
// is not 0, it is the size in bytes of a table of sample sizes at the end, which is left out.
func header(n, edits, tracks, table int) []byte {
	matrix := numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
	list := []byte{}
	if edits > 0 {
		list = box("edts", box("elst", numbers(0, edits), bytes.Repeat(numbers(n, 0, 0x10000), edits)))
	}
	sizes := box("stsz", numbers(0, 1, n))
	if table > 0 {
		sizes = slices.Concat(numbers(20+table), []byte("stsz"), numbers(0, 0, n))
	}
	entry := box("mp4v", make([]byte, 6), []byte{0, 1}, make([]byte, 16), []byte{0, 64, 0, 64}, numbers(0x480000, 0x480000, 0),
		[]byte{0, 1}, make([]byte, 32), []byte{0, 24, 0xff, 0xff})
	samples := slices.Concat(box("stsd", numbers(0, 1), entry), box("stts", numbers(0, 1, n, 1)), box("stsc", numbers(0, 1, 1, n, 1)),
		box("stco", numbers(0, 1, 48)), sizes)
	// Each box around the table is larger by it.
	around := func(name string, parts ...[]byte) []byte {
		b := box(name, parts...)
		binary.BigEndian.PutUint32(b, uint32(len(b)+table))
		return b
	}
	return around("moov",
		box("mvhd", numbers(0, 0, 0, 30, n, 0x10000), []byte{1, 0}, make([]byte, 10), matrix, make([]byte, 24), numbers(2)),
		bytes.Repeat(around("trak",
			box("tkhd", numbers(7, 0, 0, 1, 0, n), make([]byte, 16), matrix, numbers(64<<16, 64<<16)), list,
			around("mdia",
				box("mdhd", numbers(0, 0, 0, 30, n, 0x55c40000)), box("hdlr", numbers(0, 0), []byte("vide"), make([]byte, 12), []byte("v\x00")),
				around("minf",
					box("vmhd", numbers(1, 0, 0)), box("dinf", box("dref", numbers(0, 1), box("url ", numbers(1)))),
					around("stbl", samples)))), tracks))
}

// compressed returns a compressed movie header with a table of n sample sizes.
func compressed(n int) []byte {
	table := 4 * n
	plain := header(n, 0, 1, table)
	var b bytes.Buffer
	w, _ := zlib.NewWriterLevel(&b, zlib.BestCompression)
	w.Write(plain)
	io.Copy(w, io.LimitReader(zeros{}, int64(table)))
	w.Close()
	return box("moov", box("cmov", box("dcom", []byte("zlib")), box("cmvd", numbers(len(plain)+table), b.Bytes())))
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func box(name string, parts ...[]byte) []byte {
	content := slices.Concat(parts...)
	return slices.Concat(numbers(8+len(content)), []byte(name), content)
}

func numbers(list ...int) (b []byte) {
	for _, n := range list {
		b = binary.BigEndian.AppendUint32(b, uint32(n))
	}
	return b
}

// PatchNumber replaces the 32-bit number that lies so many bytes after the first place of a name in
// a file, such as a count in a header.
func PatchNumber(file []byte, name string, after int, order binary.ByteOrder, n uint32) []byte {
	at := strings.Index(string(file), name)
	if at < 0 {
		return nil
	}
	changed := bytes.Clone(file)
	order.PutUint32(changed[at+len(name)+after:], n)
	return changed
}
