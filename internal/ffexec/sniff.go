package ffexec

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bodymotion/motion/inference"
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
	return io.ReadAll(io.LimitReader(f, HeadSize))
}

type head []byte

func (h head) has(at int, magic ...string) bool {
	return len(h) >= at && slices.ContainsFunc(magic, func(m string) bool { return bytes.HasPrefix(h[at:], []byte(m)) })
}

// Still reports whether a file that starts with these bytes is a HEIC or AVIF picture, which the demuxer "mov" reads.
func Still(first []byte) bool { return inference.ImageFormat(first) == "heif" }

// Demuxer returns FFmpeg's demuxer for the container that the first bytes of a file show, "" for anything else.
// FFmpeg is told to use no other, so that it never follows a playlist or script that claims to be a movie.
func Demuxer(first []byte) string {
	h := head(first)
	switch {
	case Still(first):
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
	case h.has(0, "\x00\x00\x01\xba"):
		return "mpeg"
	}
	return ""
}

// Describe says in a few words what content without a Demuxer seems to be.
func Describe(first []byte) string {
	h := head(first)
	picture := inference.ImageFormat(first)
	for _, k := range []struct {
		is   bool
		what string
	}{
		{len(h) == 0, "empty"},
		{picture == "heif", "a HEIF or AVIF picture"},
		{picture == "webp", "a WebP picture"},
		{picture != "", "a " + strings.ToUpper(picture) + " picture"},
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
