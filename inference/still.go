package inference

import (
	"context"
	"image"
	"io"
)

// ProbeImageWith returns the size of the upright picture in pixels, as ProbeImage does.
// A picture that ProbeImage does not know is given to d where that is an ImageDecoder;
// it may be nil.
func ProbeImageWith(ctx context.Context, d Decoder, r io.ReadSeeker) (image.Point, error) {
	if other, ok, err := imageDecoder(d, r); ok || err != nil {
		if err != nil {
			return image.Point{}, err
		}
		return other.ProbeImage(ctx, r)
	}
	return ProbeImage(r)
}

// DecodeImageWith decodes a still picture upright, as DecodeImage does. A picture that
// DecodeImage does not know is given to d where that is an ImageDecoder; it may be nil.
func DecodeImageWith(ctx context.Context, d Decoder, r io.ReadSeeker, maxPixels int) (image.Image, error) {
	if other, ok, err := imageDecoder(d, r); ok || err != nil {
		if err != nil {
			return nil, err
		}
		return other.DecodeImage(ctx, r, maxPixels)
	}
	return DecodeImage(r, maxPixels)
}

// imageDecoder returns d as an ImageDecoder where it is one and r holds a picture that
// only such a one decodes. The error is one of r.
func imageDecoder(d Decoder, r io.ReadSeeker) (ImageDecoder, bool, error) {
	other, ok := find[ImageDecoder](d)
	if !ok {
		return nil, false, nil
	}
	head := make([]byte, 16)
	n, err := readAt(r, head)
	if err != nil {
		return nil, false, err
	}
	return other, ImageFormat(head[:n]) == "heif", nil
}
