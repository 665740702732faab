package inference

import (
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

// imageCodec decodes one picture format. Both functions read from the start.
type imageCodec struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

func codecFor(format string) (imageCodec, bool) {
	switch format {
	case "jpeg":
		return imageCodec{jpeg.DecodeConfig, jpeg.Decode}, true
	case "png":
		return imageCodec{png.DecodeConfig, png.Decode}, true
	case "gif":
		return imageCodec{gif.DecodeConfig, gif.Decode}, true
	case "webp":
		return imageCodec{webpConfig, webpDecode}, true
	case "bmp":
		return imageCodec{bmp.DecodeConfig, bmp.Decode}, true
	case "tiff":
		return imageCodec{tiff.DecodeConfig, tiff.Decode}, true
	}
	return imageCodec{}, false
}

// ProbeImage reads a picture's headers and returns the size of the upright picture in pixels.
// The format is recognised by the content. An unknown or damaged one gives an error that
// wraps ErrFormat.
func ProbeImage(r io.ReadSeeker) (image.Point, error) {
	h, err := readHeader(r)
	return h.upright(), err
}

// header is what is known of a picture before its pixels are decoded.
type header struct {
	format      string
	codec       imageCodec
	size        image.Point // as stored
	orientation int         // EXIF, 1 to 8
}

func (h header) upright() image.Point {
	if h.orientation >= 5 {
		return image.Pt(h.size.Y, h.size.X)
	}
	return h.size
}

func readHeader(r io.ReadSeeker) (header, error) {
	head := make([]byte, 16)
	n, err := readAt(r, head)
	if err != nil {
		return header{}, err
	}
	format := ImageFormat(head[:n])
	codec, ok := codecFor(format)
	switch {
	case n == 0:
		return header{}, fmt.Errorf("%w: the file is empty", ErrFormat)
	case format == "heif":
		return header{}, fmt.Errorf("%w: the content is a HEIC or AVIF picture, which is not decoded without FFmpeg", ErrFormat)
	case !ok:
		return header{}, fmt.Errorf("%w: the content is not a JPEG, PNG, GIF, WebP, BMP or TIFF picture", ErrFormat)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return header{}, err
	}
	c, err := codec.config(r)
	if err != nil {
		return header{}, damaged(format, err)
	}
	if c.Width <= 0 || c.Height <= 0 {
		return header{}, fmt.Errorf("%w: the %s picture has no pixels (%d×%d)", ErrFormat, format, c.Width, c.Height)
	}
	o, err := readOrientation(r, format)
	if err != nil {
		return header{}, err
	}
	return header{format, codec, image.Pt(c.Width, c.Height), o}, nil
}

// damaged makes an ErrFormat of an error of a picture decoder.
func damaged(format string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the %s picture is cut off", ErrFormat, format)
	}
	return fmt.Errorf("%w: the %s picture cannot be decoded: %v", ErrFormat, format, err)
}

// readAt fills buf from the start of r, as far as r reaches.
func readAt(r io.ReadSeeker, buf []byte) (int, error) {
	if r == nil {
		return 0, missing("reader")
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(r, buf)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return n, err
}

// DecodeImage decodes a picture upright: a JPEG, PNG, GIF, WebP, BMP or TIFF file. It applies
// the EXIF orientation, takes the first frame of an animation, and treats transparent pixels
// as opaque. A width × height of maxPixels or more gives ErrTooManyPixels before anything is
// decoded; 0 or less: no limit. Content that cannot be decoded gives ErrFormat.
func DecodeImage(r io.ReadSeeker, maxPixels int) (image.Image, error) {
	h, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	if maxPixels > 0 && int64(h.size.X)*int64(h.size.Y) >= int64(maxPixels) {
		return nil, fmt.Errorf("%w: %d×%d is not fewer than %d pixels", ErrTooManyPixels, h.size.X, h.size.Y, maxPixels)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	img, err := h.codec.decode(r)
	if err != nil {
		return nil, damaged(h.format, err)
	}
	if got := img.Bounds().Size(); got != h.size {
		// The first frame of an animation may be smaller than its canvas.
		img = onCanvas(img, h.size)
	}
	return orient(opaque(img), h.orientation), nil
}
