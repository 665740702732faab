package ffmpeg

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/ffexec"
)

var _ inference.ImageDecoder = Decoder{}

// ProbeImage implements inference.ImageDecoder for HEIC and AVIF. A picture that this FFmpeg cannot read gives an
// error that wraps inference.ErrFormat: versions before 7.1 read AVIF, but not the tiled HEIC files of phones.
func (d Decoder) ProbeImage(ctx context.Context, r io.ReadSeeker) (image.Point, error) {
	s, err := d.withDefaults().openStill(ctx, r)
	if err != nil {
		return image.Point{}, err
	}
	s.remove()
	return s.info.Size, nil
}

// DecodeImage implements inference.ImageDecoder for HEIC and AVIF; see ProbeImage. Decoder.MaxPixels limits the picture too.
func (d Decoder) DecodeImage(ctx context.Context, r io.ReadSeeker, maxPixels int) (image.Image, error) {
	d = d.withDefaults()
	if maxPixels > 0 && (d.MaxPixels == 0 || maxPixels < d.MaxPixels) {
		d.MaxPixels = maxPixels
	}
	d.Buffers = 1
	s, err := d.openStill(ctx, r)
	if err != nil {
		return nil, err
	}
	f, err := d.start(ctx, s)
	if err != nil {
		return nil, err
	}
	p, err := f.Next()
	// The buffer is not released: the picture keeps it.
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("%w (the FFmpeg in use decodes few or no HEIC and AVIF pictures)", err)
	}
	return p.Image, nil
}

func (d Decoder) openStill(ctx context.Context, r io.ReadSeeker) (source, error) {
	d.within = 0
	s, err := d.open(ctx, r, func(head []byte) (string, error) {
		if !ffexec.Still(head) {
			return "", fmt.Errorf("%w: the content is %s, not a HEIC or AVIF picture",
				inference.ErrFormat, ffexec.Describe(head))
		}
		return "mov", nil
	})
	if errors.Is(err, inference.ErrFormat) {
		err = fmt.Errorf("%w (the FFmpeg in use may not know the format)", err)
	}
	return s, err
}
