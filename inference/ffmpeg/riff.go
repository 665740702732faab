package ffmpeg

import (
	"encoding/binary"
	"io"
	"os"
)

// cutOff reports whether an AVI ends before its chunks do. Its headers tell nothing of that: FFmpeg corrects their
// duration by the size of the file, and a last packet that ends too early may be no error of its codec.
func cutOff(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false // what decodes it says so
	}
	defer f.Close()
	info, err := f.Stat()
	return err == nil && chunksEnd(f, info.Size()) > info.Size()+chunkSlack
}

// chunkSlack is by how many bytes the sizes of a whole file may be wrong: some programs count the chunk's own header.
const chunkSlack = 64

// chunksEnd returns where the chunks at the top of a RIFF file end. A size of 0 or the largest one is that of a
// recording that was never finished: 0 is returned, for unknown.
func chunksEnd(r io.ReaderAt, size int64) int64 {
	const header = 8
	at := int64(0)
	for at+header <= size {
		var b [header]byte
		if _, err := r.ReadAt(b[:], at); err != nil || string(b[:4]) != "RIFF" {
			return at
		}
		n := binary.LittleEndian.Uint32(b[4:])
		if n == 0 || n == 1<<32-1 {
			return 0
		}
		at += header + int64(n) + int64(n&1)
	}
	return at
}
