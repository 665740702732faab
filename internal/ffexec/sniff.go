package ffexec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"unicode"
	"unicode/utf8"
)

// HeadSize is how many bytes of a file Demuxer and Describe need.
const HeadSize = 377

// Head returns the first bytes of a file, at most HeadSize.
func Head(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, HeadSize)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return head[:n], nil
}

type head []byte

func (h head) has(at int, magic ...string) bool {
	for _, m := range magic {
		if len(h) >= at+len(m) && bytes.Equal(h[at:at+len(m)], []byte(m)) {
			return true
		}
	}
	return false
}

// still reports whether the bytes start a picture in an MP4 container.
func (h head) still() bool {
	return h.has(4, "ftyp") && h.has(8, "heic", "heix", "heim", "heis", "mif1", "avif")
}

// Still reports whether a file that starts with these bytes is a HEIC or AVIF picture, which the
// demuxer "mov" reads.
func Still(first []byte) bool { return head(first).still() }

// Demuxer returns FFmpeg's demuxer for the container that the first bytes of a file show, "" for
// anything else. FFmpeg is told to use no other, so that it never follows a playlist or script
// that claims to be a movie.
func Demuxer(first []byte) string {
	h := head(first)
	switch {
	case h.still():
		return ""
	case h.has(4, "ftyp", "styp", "moov", "mdat", "free", "skip", "wide", "pnot"):
		return "mov"
	case h.has(0, "\x1a\x45\xdf\xa3"):
		return "matroska"
	case h.has(0, "RIFF") && h.has(8, "AVI "):
		return "avi"
	case h.has(0, "GIF87a", "GIF89a"):
		return "gif"
	case h.has(0, "\x47") && h.has(188, "\x47") && h.has(376, "\x47"):
		return "mpegts"
	case len(h) >= 4 && binary.BigEndian.Uint32(h) == 0x1ba:
		return "mpeg"
	}
	return ""
}

// Describe says in a few words what content without a Demuxer seems to be.
func Describe(first []byte) string {
	h := head(first)
	for _, k := range []struct {
		is   bool
		what string
	}{
		{len(h) == 0, "empty"},
		{h.has(0, "\xff\xd8\xff"), "a JPEG picture"},
		{h.has(0, "\x89PNG\r\n\x1a\n"), "a PNG picture"},
		{h.has(0, "RIFF") && h.has(8, "WEBP"), "a WebP picture"},
		{h.has(0, "BM"), "a BMP picture"},
		{h.has(0, "II*\x00", "MM\x00*"), "a TIFF picture"},
		{h.still(), "a HEIF or AVIF picture"},
		{h.has(0, "RIFF") && h.has(8, "WAVE"), "sound (WAV)"},
		{h.has(0, "ID3", "\xff\xfb", "\xff\xf3"), "sound (MP3)"},
		{h.has(0, "fLaC"), "sound (FLAC)"},
		{h.has(0, "#EXTM3U"), "a playlist (HLS)"},
		{h.has(0, "ffconcat"), "a playlist (ffconcat)"},
		{h.has(0, "%PDF"), "a PDF document"},
		{h.has(0, "PK\x03\x04", "\x1f\x8b"), "an archive"},
		{h.has(0, "\x7fELF", "MZ"), "a program"},
		{text(h), "text"},
	} {
		if k.is {
			return k.what
		}
	}
	return "of an unknown kind"
}

// text reports whether the bytes are printable, except for a character cut off at the end.
func text(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 {
			return len(b) < utf8.UTFMax && !utf8.FullRune(b)
		}
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return false
		}
		b = b[n:]
	}
	return true
}
