package inference

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"golang.org/x/image/tiff"

	"github.com/bodymotion/motion/internal/reading"
)

// input reads a picture's file for its decoder, until ctx ends: then reading gives ctx's error. Either Read or ReadAt is used.
type input struct {
	ctx  context.Context
	file io.ReadSeeker
	buf  *bufio.Reader // of Read
	err  error         // that of ctx or file which ended the reading; not io.EOF
}

// piece is how many bytes a decoder gets at a time. It notices the end of ctx when it reads,
// and 128 bytes of a JPEG can make it go through all pixels five times.
const piece = 128

func open(ctx context.Context, file io.ReadSeeker) (*input, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return &input{ctx: ctx, file: file, buf: bufio.NewReaderSize(reading.Of(file), 64<<10)}, nil
}

func (in *input) Read(p []byte) (n int, err error) {
	if err = in.ctx.Err(); err == nil {
		n, err = in.buf.Read(p[:min(len(p), piece)])
	}
	return n, in.note(err)
}

// ReadAt implements io.ReaderAt for TIFF, whose decoder would hold the whole file without it.
func (in *input) ReadAt(p []byte, at int64) (n int, err error) {
	if err = in.ctx.Err(); err == nil {
		_, err = in.file.Seek(at, io.SeekStart)
	}
	if err == nil {
		n, err = io.ReadFull(reading.Of(in.file), p)
	}
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, in.note(err)
}

func (in *input) note(err error) error {
	if err != io.EOF {
		in.err = err
	}
	return err
}

// failure returns why a decoder has failed with err: the reading, or the content, which is an ErrFormat.
func (in *input) failure(format string, err error) error {
	var not tiff.UnsupportedError
	switch {
	case in.err != nil:
		return in.err
	case errors.As(err, &not):
		return fmt.Errorf("%w: TIFF in CMYK or YCbCr, or with JPEG inside, is not read (%w): save it as PNG, JPEG or TIFF in RGB", ErrFormat, not)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: the %s picture is cut off", ErrFormat, format)
	}
	return fmt.Errorf("%w: the %s picture cannot be decoded: %v", ErrFormat, format, err)
}

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
