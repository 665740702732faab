package inference

import (
	"context"
	"image"
	"io"
)

// ProbeImageWith is like ProbeImage, but HEIC and AVIF pictures go to d, if it is an
// ImageDecoder or wraps one. d may be nil.
func ProbeImageWith(ctx context.Context, d Decoder, r io.ReadSeeker) (image.Point, error) {
	if other, ok, err := imageDecoder(d, r); ok || err != nil {
		if err != nil {
			return image.Point{}, err
		}
		return other.ProbeImage(ctx, r)
	}
	return ProbeImage(ctx, r)
}

// DecodeImageWith is like DecodeImage, but HEIC and AVIF pictures go to d, if it is an
// ImageDecoder or wraps one. d may be nil.
func DecodeImageWith(ctx context.Context, d Decoder, r io.ReadSeeker, maxPixels int) (image.Image, error) {
	if other, ok, err := imageDecoder(d, r); ok || err != nil {
		if err != nil {
			return nil, err
		}
		return other.DecodeImage(ctx, r, maxPixels)
	}
	return DecodeImage(ctx, r, maxPixels)
}

// imageDecoder returns the ImageDecoder for the content of r; ok is false if DecodeImage is to
// decode it. The error is one of r.
func imageDecoder(d Decoder, r io.ReadSeeker) (_ ImageDecoder, ok bool, _ error) {
	other, ok := find[ImageDecoder](d)
	if !ok {
		return nil, false, nil
	}
	format, err := FormatOf(r)
	return other, format == "heif", err
}
