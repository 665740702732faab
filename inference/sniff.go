package inference

import (
	"bytes"
	"io"
)

// FormatOf returns the ImageFormat of a file, which it reads from its start. The error is one of r.
func FormatOf(r io.ReadSeeker) (string, error) {
	head, err := readHead(r, 16)
	return ImageFormat(head), err
}

// ImageFormat returns the picture format that the first 16 bytes of a file show: "jpeg", "png", "gif", "webp", "bmp",
// "tiff", "heif" (HEIC or AVIF, which need an ImageDecoder), or "" for anything else.
func ImageFormat(head []byte) string {
	has := func(at int, magic string) bool { return len(head) >= at && bytes.HasPrefix(head[at:], []byte(magic)) }
	switch {
	case has(0, "\xff\xd8\xff"):
		return "jpeg"
	case has(0, "\x89PNG\r\n\x1a\n"):
		return "png"
	case has(0, "GIF87a"), has(0, "GIF89a"):
		return "gif"
	case has(0, "RIFF") && has(8, "WEBP"):
		return "webp"
	case has(0, "BM"):
		return "bmp"
	case has(0, "II*\x00"), has(0, "MM\x00*"):
		return "tiff"
	case has(4, "ftypavif"), has(4, "ftypheic"), has(4, "ftypheix"), has(4, "ftypheim"), has(4, "ftypheis"), has(4, "ftypmif1"):
		return "heif"
	}
	return ""
}
