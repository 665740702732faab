package ffmpeg

import (
	"bytes"
	"encoding/binary"
)

// demuxer returns the name of FFmpeg's demuxer for the container that the first bytes
// of a file show, "" for anything else. FFmpeg is told to use that one and no other,
// so that a playlist or script that only claims to be a movie is never followed.
func demuxer(head []byte) string {
	has := func(at int, magic string) bool {
		return len(head) >= at+len(magic) && bytes.Equal(head[at:at+len(magic)], []byte(magic))
	}
	switch {
	case has(4, "ftyp"), has(4, "moov"), has(4, "mdat"), has(4, "free"), has(4, "skip"), has(4, "wide"), has(4, "pnot"):
		return "mov"
	case has(0, "\x1a\x45\xdf\xa3"):
		return "matroska"
	case has(0, "RIFF") && has(8, "AVI "):
		return "avi"
	case has(0, "GIF87a"), has(0, "GIF89a"):
		return "gif"
	case has(0, "\x47") && has(188, "\x47") && has(376, "\x47"):
		return "mpegts"
	case len(head) >= 4 && binary.BigEndian.Uint32(head) == 0x1ba:
		return "mpeg"
	}
	return ""
}

// headSize is how many bytes demuxer looks at.
const headSize = 377
