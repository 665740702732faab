package film

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/fair"
)

// Images decodes pictures within limits on pixels, time and memory. The zero value has no limit.
type Images struct {
	Decoder   inference.Decoder // for HEIC and AVIF, if it is an inference.ImageDecoder; may be nil
	MaxPixels int               // width × height has to be less; 0: no limit
	MaxTime   time.Duration     // for decoding a picture; 0: no limit
	Turn      *fair.Places      // of large pictures, shared by all users that take turns; nil: no waiting
}

// largePixels is the number of pixels above which a picture is large: the default limit of a movie's
// frame. Decoding 12 megapixels may take 350 MB, of which 100 MB remain while they are in use.
const largePixels = 2_100_000

// Probe returns the size of the upright picture in pixels. If it takes longer than MaxTime, the
// error is inference.ErrTooSlow; else errors are those of inference.ProbeImage.
func (i Images) Probe(ctx context.Context, r io.ReadSeeker) (image.Point, error) {
	return within(ctx, i.MaxTime, func(ctx context.Context) (image.Point, error) {
		return inference.ProbeImage(ctx, i.Decoder, r)
	})
}

// Use decodes a picture, upright, and calls use with it. If decoding takes longer than MaxTime, the
// error is inference.ErrTooSlow; else errors are those of inference.DecodeImage and of use.
//
// A large picture waits for its turn, at most until ctx ends. The decoder's memory is freed before
// use is called, and the picture's is returned to the system afterwards: use must not keep it.
func (i Images) Use(ctx context.Context, r io.ReadSeeker, use func(image.Image) error) error {
	start := time.Now()
	large, err := i.large(ctx, r)
	if err != nil {
		return err
	}
	left := i.MaxTime
	if left > 0 {
		left = max(left-time.Since(start), 1)
	}
	if large {
		if i.Turn != nil {
			leave, err := i.Turn.Take(ctx, "")
			if err != nil {
				return err
			}
			defer leave()
		}
		defer debug.FreeOSMemory()
	}
	img, err := within(ctx, left, func(ctx context.Context) (image.Image, error) {
		return inference.DecodeImage(ctx, i.Decoder, r, i.MaxPixels)
	})
	if errors.Is(err, inference.ErrTooSlow) {
		return fmt.Errorf("%w: more than %v", inference.ErrTooSlow, i.MaxTime)
	}
	if err != nil {
		return err
	}
	if _, ok := i.Decoder.(Mirrored); ok {
		img = Mirror(img)
	}
	if large {
		runtime.GC() // otherwise the decoder's memory stays until as much again is allocated
	}
	return use(img)
}

// large reports whether a picture has to wait for its turn: a large one, and every HEIC and AVIF
// picture, because asking for the size takes a Decoder about as long as decoding.
func (i Images) large(ctx context.Context, r io.ReadSeeker) (bool, error) {
	format, err := inference.FormatOf(r)
	if err != nil || format == "heif" {
		return true, err
	}
	size, err := i.Probe(ctx, r)
	return int64(size.X)*int64(size.Y) > largePixels, err
}

// within calls f with a time limit. If f exceeds it, the error is inference.ErrTooSlow.
func within[T any](ctx context.Context, limit time.Duration, f func(context.Context) (T, error)) (T, error) {
	if limit <= 0 {
		return f(ctx)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	v, err := f(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = fmt.Errorf("%w: more than %v", inference.ErrTooSlow, limit)
	}
	return v, err
}
