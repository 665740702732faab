package ffmpeg

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
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

// readY4MHeader reads the first line, which must announce planar 4:2:0 pictures of the size.
// io.EOF means that there is no picture.
func readY4MHeader(r io.Reader, size image.Point) error {
	got, err := readY4MSize(r)
	if err == nil && got != size {
		err = fmt.Errorf("%w: they are %v pixels, not %v", errStream, got, size)
	}
	return err
}

// readY4MSize reads the first line, which must announce planar 4:2:0 pictures, and returns their size.
// io.EOF means that there is no picture.
func readY4MSize(r io.Reader) (size image.Point, err error) {
	line := make([]byte, 0, maxY4MLine)
	for {
		n, err := io.ReadFull(r, line[len(line):len(line)+1])
		if err == io.EOF && len(line) > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return size, err
		}
		line = line[:len(line)+n]
		if line[len(line)-1] == '\n' {
			break
		}
		if len(line) == cap(line) {
			return size, errStream
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
			switch value {
			case "420", "420jpeg", "420mpeg2", "420paldv":
				planar = true
			}
		}
	}
	if size.X <= 0 || size.Y <= 0 || size.X > maxSide || size.Y > maxSide || !planar {
		return image.Point{}, fmt.Errorf("%w: %q", errStream, line)
	}
	return size, nil
}

// readY4MFrame fills buf with the picture's line and planes. It returns io.EOF if no more
// pictures follow.
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
