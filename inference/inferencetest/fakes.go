package inferencetest

import (
	"context"
	"image"
	"io"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
)

// Estimator is a fake inference.Estimator and inference.Finder. A person is a white
// rectangle on a black ground, as Picture draws it; the keypoints are those of Body. In a real
// picture, every bright spot of 4 × 4 pixels or more is one. Equal pictures give equal results. The zero value is ready to use.
type Estimator struct {
	// Before is called at the start of Estimate and Find, to wait, to count, or to fail: its error is returned. nil: nothing.
	Before func(ctx context.Context, img image.Image) error
	// Feet makes it find the six parts of the feet, too: they stand on the lower edge.
	Feet bool
}

var (
	_ inference.Estimator = Estimator{}
	_ inference.Finder    = Estimator{}
)

// Find implements inference.Finder.
func (e Estimator) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	return fakes.Estimator(e).Find(ctx, img)
}

// Estimate implements inference.Estimator.
func (e Estimator) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	return fakes.Estimator(e).Estimate(ctx, img, hint)
}

// Picture draws a black picture with a white rectangle for each person. Rectangles must not
// touch each other. To hide a part of a person, paint the pixel at its point black.
func Picture(size image.Point, people ...image.Rectangle) *image.RGBA {
	return fakes.Picture(size, people...)
}

// Body returns the keypoints of a person whom Picture draws: all 17 parts of somebody who
// stands upright and faces the camera, whose bounds are the rectangle.
func Body(box image.Rectangle) keypoint.Frame { return fakes.Body(box) }

// Decoder is a fake inference.Decoder and inference.ImageDecoder. It reads the content that Movie and HEIC
// make, and gives the pixels back exactly. It starts no goroutine. The zero value is ready to use.
type Decoder struct {
	Buffers int // pictures in use at a time; default 6
}

var (
	_ inference.Decoder      = Decoder{}
	_ inference.ImageDecoder = Decoder{}
)

// Probe implements inference.Decoder.
func (d Decoder) Probe(ctx context.Context, r io.ReadSeeker) (inference.Info, error) {
	return fakes.Decoder(d).Probe(ctx, r)
}

// Open implements inference.Decoder.
func (d Decoder) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	return fakes.Decoder(d).Open(ctx, r)
}

// ProbeImage implements inference.ImageDecoder.
func (d Decoder) ProbeImage(ctx context.Context, r io.ReadSeeker) (image.Point, error) {
	return fakes.Decoder(d).ProbeImage(ctx, r)
}

// DecodeImage implements inference.ImageDecoder.
func (d Decoder) DecodeImage(ctx context.Context, r io.ReadSeeker, maxPixels int) (image.Image, error) {
	return fakes.Decoder(d).DecodeImage(ctx, r, maxPixels)
}

// Movie returns the content of a movie that Decoder reads: pictures of one size, at a constant number of frames per second. It
// panics if there are no pictures or their sizes differ.
func Movie(frameRate float64, pictures ...image.Image) []byte {
	return fakes.Movie(frameRate, pictures...)
}

// HEIC returns the content of a picture that inference.ImageFormat takes for HEIC, and that
// only Decoder can read: an image for tests of inference.ImageDecoder.
func HEIC(img image.Image) []byte { return fakes.HEIC(img) }
