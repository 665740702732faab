package inference

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/bodymotion/motion/internal/reading"
)

// imageCodec decodes one picture format. The functions read from the start. check, which may be nil, refuses pictures before
// they are decoded.
type imageCodec struct {
	check  func(io.Reader) error
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var codecs = map[string]imageCodec{
	"jpeg": {checkScans, jpeg.DecodeConfig, jpeg.Decode},
	"png":  {nil, png.DecodeConfig, png.Decode},
	"gif":  {nil, gif.DecodeConfig, gif.Decode},
	"webp": {nil, webpConfig, webpDecode},
	"bmp":  {nil, bmp.DecodeConfig, bmp.Decode},
	"tiff": {nil, tiff.DecodeConfig, tiff.Decode},
}

// ProbeImage reads a picture's headers and returns the size of the upright picture in pixels. The format is
// recognised by the content. An unknown or damaged one gives an error that wraps ErrFormat. HEIC and AVIF pictures go
// to d, if it is an ImageDecoder or wraps one; d may be nil. If ctx ends, ProbeImage soon returns ctx's error.
func ProbeImage(ctx context.Context, d Decoder, r io.ReadSeeker) (image.Point, error) {
	if other, ok, err := imageDecoder(d, r); err != nil {
		return image.Point{}, err
	} else if ok {
		return other.ProbeImage(ctx, r)
	}
	h, err := readHeader(ctx, r)
	if h.orientation >= 5 { // it lies on its side
		h.size = image.Pt(h.size.Y, h.size.X)
	}
	return h.size, err
}

// header is what is known of a picture before its pixels are decoded.
type header struct {
	format      string
	codec       imageCodec
	size        image.Point // as stored
	orientation int         // EXIF, 1 to 8
}

func readHeader(ctx context.Context, r io.ReadSeeker) (header, error) {
	head, err := readHead(r, 16)
	if err != nil {
		return header{}, err
	}
	format := ImageFormat(head)
	codec, ok := codecs[format]
	switch {
	case len(head) == 0:
		return header{}, fmt.Errorf("%w: the file is empty", ErrFormat)
	case format == "heif":
		return header{}, fmt.Errorf("%w: the content is a HEIC or AVIF picture, which is not decoded without FFmpeg", ErrFormat)
	case !ok:
		return header{}, fmt.Errorf("%w: the content is not a JPEG, PNG, GIF, WebP, BMP or TIFF picture", ErrFormat)
	}
	in, err := open(ctx, r)
	if err != nil {
		return header{}, err
	}
	c, err := codec.config(in)
	if err != nil {
		return header{}, in.failure(format, err)
	}
	if c.Width <= 0 || c.Height <= 0 {
		return header{}, fmt.Errorf("%w: the %s picture has no pixels (%d×%d)", ErrFormat, format, c.Width, c.Height)
	}
	o, err := orientation(r)
	return header{format, codec, image.Pt(c.Width, c.Height), o}, err
}

// readHead returns at most so many bytes from the start of r.
func readHead(r io.ReadSeeker, most int) ([]byte, error) {
	if r == nil {
		return nil, missing("reader")
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	b := make([]byte, most)
	n, err := io.ReadFull(reading.Of(r), b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return b[:n], err
}

// DecodeImage decodes a picture upright: a JPEG, PNG, GIF, WebP, BMP or TIFF file, and HEIC and AVIF with d, if it is an
// ImageDecoder or wraps one; d may be nil. It applies the EXIF orientation, takes the first frame of an animation, and treats
// transparent pixels as opaque. A width × height of maxPixels or more gives ErrTooManyPixels before anything is decoded; 0 or
// less: no limit. A JPEG of more than MaxScans scans gives ErrTooManyScans. Content that cannot be decoded gives ErrFormat.
//
// If ctx ends, DecodeImage returns ctx's error within half a second for a picture of 12
// megapixels, and within two seconds for a WebP, whose decoder reads all of it first.
func DecodeImage(ctx context.Context, d Decoder, r io.ReadSeeker, maxPixels int) (image.Image, error) {
	if other, ok, err := imageDecoder(d, r); err != nil {
		return nil, err
	} else if ok {
		return other.DecodeImage(ctx, r, maxPixels)
	}
	h, err := readHeader(ctx, r)
	if err != nil {
		return nil, err
	}
	if maxPixels > 0 && int64(h.size.X)*int64(h.size.Y) >= int64(maxPixels) {
		return nil, fmt.Errorf("%w: %d×%d is not fewer than %d pixels", ErrTooManyPixels, h.size.X, h.size.Y, maxPixels)
	}
	if h.codec.check != nil {
		in, err := open(ctx, r)
		if err == nil {
			err = h.codec.check(in)
		}
		if err != nil {
			return nil, err
		}
	}
	in, err := open(ctx, r)
	if err != nil {
		return nil, err
	}
	img, err := h.codec.decode(in)
	if err != nil {
		return nil, in.failure(h.format, err)
	}
	if got := img.Bounds().Size(); got != h.size {
		// The first frame of an animation may be smaller than its canvas.
		img = onCanvas(img, h.size)
	}
	img = orient(opaque(img), h.orientation)
	return img, ctx.Err()
}

// imageDecoder returns the ImageDecoder for the content of r; ok is false if DecodeImage is to decode it. The error is one of r.
func imageDecoder(d Decoder, r io.ReadSeeker) (_ ImageDecoder, ok bool, _ error) {
	other, ok := find[ImageDecoder](d)
	if !ok {
		return nil, false, nil
	}
	format, err := FormatOf(r)
	return other, format == "heif", err
}

// MaxScans is how many scans a JPEG picture may have. Encoders write about ten. Each one may
// make the decoder go through all pixels, for twenty bytes of the file.
const MaxScans = 100

// The markers of JPEG that checkScans knows.
const (
	markerRST0 = 0xd0 // to 0xd7: restart, in the data of a scan
	markerEOI  = 0xd9 // end of the picture
	markerSOS  = 0xda // start of a scan
)

// checkScans returns ErrTooManyScans if a JPEG file has more than MaxScans scans. It goes from marker to marker, as
// the decoder does, without decoding. It accepts damaged files, which the decoder refuses.
func checkScans(in io.Reader) error {
	scans, r := 0, bufio.NewReader(in)
	_, err := r.Discard(2) // start of the picture
	for err == nil {
		var marker byte
		if marker, err = nextMarker(r); err != nil || marker == markerEOI {
			break
		}
		if marker == markerSOS {
			if scans++; scans > MaxScans {
				return fmt.Errorf("%w: the jpeg picture has more than %d", ErrTooManyScans, MaxScans)
			}
		}
		var length [2]byte // of the segment, which counts these two bytes
		if _, err = io.ReadFull(r, length[:]); err == nil {
			_, err = r.Discard(max(int(binary.BigEndian.Uint16(length[:]))-2, 0))
		}
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil
	}
	return err
}

// nextMarker skips the data of a scan, if r stands in one, and returns the next marker.
func nextMarker(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if b != 0xff && err == nil {
			continue
		}
		for b == 0xff && err == nil { // more of them may fill the space before a marker
			b, err = r.ReadByte()
		}
		if err != nil || b != 0 && (b < markerRST0 || b > markerRST0+7) { // 0: the FF is data
			return b, err
		}
	}
}
