// Package inference turns pixels into keypoints. It defines what a pose network
// (Estimator) and a movie decoder (Decoder) are, decodes still pictures upright
// (DecodeImage), and runs a decoded movie through an estimator (Extract).
//
// The drivers are packages of their own: inference/movenet is an Estimator,
// inference/ffmpeg a Decoder.
package inference

import (
	"context"
	"errors"
	"image"
	"io"

	"github.com/bodymotion/motion/keypoint"
)

// The kinds of error that Decoder and DecodeImage tell apart; test with errors.Is.
var (
	// ErrFormat: the content is not a picture or movie that can be decoded.
	ErrFormat = errors.New("unsupported media format")
	// ErrTooManyPixels: a picture or a movie's frame is larger than the limit.
	ErrTooManyPixels = errors.New("too many pixels")
	// ErrTooManyFrames: a movie has more frames than the limit.
	ErrTooManyFrames = errors.New("too many frames")
)

// Hint is what is known about a picture before it is looked at. The zero value is
// nothing.
type Hint struct {
	// Previous is where the person is expected: as found in the frame before, or moved on
	// from there, in the same pixel coordinates; the zero value where there is none. An
	// Estimator may look for the person there first.
	Previous keypoint.Frame
	// Only says that the person of Previous is wanted and nobody else: where that one is
	// lost the answer is the zero Frame.
	Only bool
	// Person is somebody whom a Finder has found in this very picture, and who is wanted
	// and nobody else; nil to choose. Previous is not looked at then.
	Person *Candidate
	// Choose decides who is analysed where there is nobody to follow; nil means
	// CentreFront.
	Choose Chooser
}

// Estimator finds the keypoints of one person in a picture.
//
// Promises: Estimate may be called from many goroutines at once; it keeps no
// reference to img and does not change it; coordinates are pixels of img; parts
// that are not seen are absent, and a picture without a person gives the zero
// Frame and no error. It returns ctx's error soon after ctx ends.
type Estimator interface {
	Estimate(ctx context.Context, img image.Image, hint Hint) (keypoint.Frame, error)
}

// Info is what a movie's headers say. All of it is about the upright picture:
// rotation and mirroring are already applied.
type Info struct {
	Size      image.Point // pixels
	Frames    int         // number of frames; 0 where the headers do not tell
	FrameRate float64     // frames per second; 0 where unknown
	Duration  float64     // seconds; 0 where unknown
}

// Decoder decodes movies.
//
// Promises: methods may be called from many goroutines at once, each call with a
// reader of its own, which is used until the call (Probe) or the returned Frames
// (Open) is done and is never closed. Content that is no movie gives an error that
// wraps ErrFormat.
type Decoder interface {
	// Probe reads the headers without decoding the pictures.
	Probe(ctx context.Context, r io.ReadSeeker) (Info, error)
	// Open starts to decode. When ctx ends, decoding stops and Next returns ctx's
	// error. The caller closes the Frames.
	Open(ctx context.Context, r io.ReadSeeker) (Frames, error)
}

// CheckedOpener is implemented by a Decoder that can check a movie's headers on the way to
// its frames, which reads them once instead of twice.
type CheckedOpener interface {
	// OpenChecked is as Probe, check and Open after one another: an error of check comes
	// back as it is, and nothing is decoded then.
	OpenChecked(ctx context.Context, r io.ReadSeeker, check func(Info) error) (Frames, error)
}

// OpenChecked opens a movie of whose headers check has seen nothing wrong.
func OpenChecked(ctx context.Context, d Decoder, r io.ReadSeeker, check func(Info) error) (Frames, error) {
	if c, ok := d.(CheckedOpener); ok {
		return c.OpenChecked(ctx, r, check)
	}
	info, err := d.Probe(ctx, r)
	if err == nil {
		err = check(info)
	}
	if err != nil {
		return nil, err
	}
	return d.Open(ctx, r)
}

// ImageDecoder is implemented by a Decoder that also decodes still pictures, of formats
// that DecodeImage does not know, such as HEIC and AVIF. The Decoder's promises hold.
type ImageDecoder interface {
	// ProbeImage returns the size of the upright picture in pixels.
	ProbeImage(ctx context.Context, r io.ReadSeeker) (image.Point, error)
	// DecodeImage decodes the picture upright. maxPixels is the strict limit of width ×
	// height, checked before anything is decoded: ErrTooManyPixels; 0 or less means no
	// limit.
	DecodeImage(ctx context.Context, r io.ReadSeeker, maxPixels int) (image.Image, error)
}

// Picture is one decoded frame of a movie, upright.
type Picture struct {
	Image   image.Image
	Time    float64 // seconds from the start of the movie
	Release func()  // gives the pixels back for reuse, call it once; nil: nothing to give back
}

// Frames delivers the frames of a movie in order.
//
// Promises: memory is bounded: a fixed number of buffers is used again and again,
// and Next waits while all of them are out. Next and Close are called from one
// goroutine, Release from any. After Close no process, goroutine or file of the
// decoder is left, and no picture may be used.
type Frames interface {
	// Info returns what the headers say.
	Info() Info
	// Next returns the next frame, or io.EOF after the last one. A movie that is
	// damaged so that frames are missing gives an error that is not io.EOF.
	Next() (Picture, error)
	// Close stops decoding and frees everything; it may be called at any time.
	Close() error
}
