package ffmpeg

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"
	"strconv"
)

// FFmpeg writes pictures in the format YUV4MPEG2: a line about the movie, then a line and the
// planes for each picture. It writes them without the extra copy that rawvideo takes.

const (
	y4mMagic   = "YUV4MPEG2 "
	y4mFrame   = "FRAME\n"
	maxY4MLine = 512 // bytes of the first line
)

var errStream = errors.New("FFmpeg's pictures are not of the format that was asked for")

// readY4MHeader reads the first line, which must announce planar 4:2:0 pictures, of the size want unless
// that is zero, and returns their size. io.EOF means that there is no picture.
func readY4MHeader(r io.Reader, want image.Point) (size image.Point, err error) {
	var line []byte
	for b := []byte{0}; b[0] != '\n'; line = append(line, b[0]) {
		if len(line) == maxY4MLine {
			return size, errStream
		}
		if _, err := io.ReadFull(r, b); err == io.EOF && len(line) > 0 {
			return size, io.ErrUnexpectedEOF
		} else if err != nil {
			return size, err
		}
	}
	line, ok := bytes.CutPrefix(line[:len(line)-1], []byte(y4mMagic))
	if !ok {
		return size, errStream
	}
	planar := false
	for word := range bytes.FieldsSeq(line) {
		value := string(word[1:])
		switch word[0] {
		case 'W':
			size.X, _ = strconv.Atoi(value)
		case 'H':
			size.Y, _ = strconv.Atoi(value)
		case 'C':
			planar = slices.Contains([]string{"420", "420jpeg", "420mpeg2", "420paldv"}, value)
		}
	}
	if size.X <= 0 || size.Y <= 0 || size.X > maxSide || size.Y > maxSide || !planar {
		return image.Point{}, fmt.Errorf("%w: %q", errStream, line)
	}
	if want != (image.Point{}) && size != want {
		return size, fmt.Errorf("%w: they are %v pixels, not %v", errStream, size, want)
	}
	return size, nil
}

// readY4MFrame fills buf with the picture's line and planes. It returns io.EOF if no more pictures follow.
func readY4MFrame(r io.Reader, buf []byte) error {
	n, err := io.ReadFull(r, buf)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the last picture is cut off after %d of %d bytes", n, len(buf))
	case err != nil:
		return err
	case string(buf[:len(y4mFrame)]) != y4mFrame:
		return errStream
	}
	return nil
}
