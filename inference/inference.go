// Package inference finds body keypoints in pictures and movies. It defines a pose network (Estimator) and a movie
// decoder (Decoder), decodes pictures upright (DecodeImage), and runs movies through an Estimator (Extract, ExtractAll):
//
//	est, err := pose.Balanced(pose.Options{})
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer est.Close()
//	img, err := inference.DecodeImage(ctx, nil, file, 0)
//	if err != nil {
//		log.Fatal(err)
//	}
//	seq, err := inference.ExtractImage(ctx, img, est, inference.ExtractOptions{})
//
// Packages pose, movenet, blazepose and onnx have Estimators, package ffmpeg a Decoder, and package inferencetest fakes
// of both and suites that test drivers of your own.
//
// A type that wraps an Estimator or a Decoder, to log or to measure, has a method Unwrap() Estimator or Unwrap() Decoder:
// the optional interfaces Finder and ImageDecoder are found through it. A nil argument is a
// keypoint.ErrInvalid unless its documentation allows it.
package inference

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"time"

	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/keypoint"
)

// The errors that a Decoder and DecodeImage distinguish. Test for them with errors.Is.
var (
	// ErrFormat reports content that is not a picture or movie that can be decoded.
	ErrFormat = errors.New("unsupported media format")
	// ErrTooManyPixels reports a picture or frame larger than the limit.
	ErrTooManyPixels = errors.New("too many pixels")
	// ErrTooManyFrames reports a movie with more frames than the limit.
	ErrTooManyFrames = errors.New("too many frames")
	// ErrTooManyScans reports a JPEG picture of more than MaxScans scans.
	ErrTooManyScans = errors.New("too many scans")
	// ErrTooSlow reports a picture that takes longer to decode than it may, or a movie that a busy machine does not come to.
	ErrTooSlow = errors.New("decoding takes too long")
	// ErrNoFinder reports that an Estimator cannot tell people apart.
	ErrNoFinder = fmt.Errorf("%w estimator: finding several people needs an inference.Finder; with movenet, set Options.People", keypoint.ErrInvalid)
)

// Hint tells an Estimator whom to estimate. The zero value asks for the person in the centre foreground.
type Hint struct {
	// Region asks for the person in it alone: somebody whom a Finder has found in this
	// picture (Candidate.Region), or who is followed (Expected). If that person is not there, the answer
	// is the zero Frame. Coordinates are those of the picture's bounds. The zero Region: anybody.
	Region Region
	// Choose selects the person if Region is zero. An Estimator that cannot tell people apart ignores it.
	Choose Choice
}

// Estimator finds the keypoints of one person in a picture.
//
// Estimate is safe for concurrent use. It does not change img and keeps no reference to it. Coordinates are pixels of
// img, in the coordinates of its bounds, and may lie a little outside: Extract and its like put them at the edge.
// Farther away than ten times the picture's longer side, they are an error of Extract and its like, as a panic is.
// Parts that are not visible are absent. Positions in space are only given if the Hint asks for them. Feet are given if the network finds them and is sure of them: who calls
// Extract and its like decides whether they are kept. A picture without a person, or without pixels, gives the zero
// Frame and no error. Estimate returns ctx's error soon after ctx ends.
//
// inferencetest.TestEstimator tests these promises.
type Estimator interface {
	Estimate(ctx context.Context, img image.Image, hint Hint) (keypoint.Frame, error)
}

// Info is what a movie's headers say of the upright picture, after rotation and mirroring.
type Info struct {
	Size      image.Point // pixels
	Stored    image.Point `json:"-"` // Size in the file, if the Decoder has made the frames smaller; else zero
	Frames    int         // number of frames; 0: unknown
	FrameRate float64     // frames per second; 0: unknown
	Duration  float64     // seconds; 0: unknown

	// Recorded is when the recording began, as the file says, which may be wrong; zero: unknown.
	Recorded time.Time `json:"-"`

	// Damage says in one sentence what is wrong with the file, once Next has returned io.EOF; "" if nothing is known.
	Damage string
}

// Decoder decodes movies.
//
// Its methods are safe for concurrent use, each call with its own reader. A reader is read from its start, wherever
// it stands, until Probe returns or the Frames are closed; it is never closed. Content that is not a movie gives an
// error that wraps ErrFormat. If ctx has ended, the methods return ctx's error.
//
// inferencetest.TestDecoder tests these promises and those of Frames.
type Decoder interface {
	// Probe reads the headers without decoding pictures.
	Probe(ctx context.Context, r io.ReadSeeker) (Info, error)
	// Open starts to decode. When ctx ends, decoding stops and Next returns ctx's error. The caller closes the Frames.
	Open(ctx context.Context, r io.ReadSeeker) (Frames, error)
}

// ImageDecoder is an optional interface for Decoders that also decode pictures in formats
// that DecodeImage does not support: HEIC and AVIF. The promises of Decoder apply.
type ImageDecoder interface {
	// ProbeImage returns the size of the upright picture in pixels.
	ProbeImage(ctx context.Context, r io.ReadSeeker) (image.Point, error)
	// DecodeImage decodes the picture upright. A width × height of maxPixels or more
	// gives ErrTooManyPixels before anything is decoded; 0 or less: no limit.
	DecodeImage(ctx context.Context, r io.ReadSeeker, maxPixels int) (image.Image, error)
}

// Picture is one decoded frame of a movie, upright.
type Picture struct {
	Image   image.Image
	Time    float64 // seconds from the start of the movie
	Release func()  // returns the pixels for reuse, to be called once; nil: nothing to return
}

// Frames delivers the frames of a movie in order.
//
// Memory is bounded: a fixed number of buffers, six or more, is reused, and Next waits while all of them are in use. A
// Picture keeps its pixels until it is released. Next and Close are called from one goroutine, Release from any. All pictures
// have the same size. Times are finite, 0 or more, and increase.
//
// inferencetest.TestFrames tests these promises.
type Frames interface {
	// Info returns what the headers say.
	Info() Info
	// Next returns the next frame, io.EOF after the last one, and the same error again after an error. A movie that
	// is damaged so that frames are missing gives an error other than io.EOF.
	Next() (Picture, error)
	// Close stops decoding and frees everything: no goroutine, process or file of the decoder is left, and no picture
	// may be used. It may be called at any time and more than once.
	Close() error
}

// estimate asks est for a person, and puts keypoints outside of the picture at its edge. All
// keypoints of this package come from here. A panic of est, and a keypoint far outside, are errors.
func estimate(ctx context.Context, est Estimator, img image.Image, hint Hint) (f keypoint.Frame, err error) {
	defer panics.Catch(&err)
	f, err = est.Estimate(ctx, img, hint)
	b := img.Bounds()
	for _, p := range f.Present().List() {
		if at, _ := f.At(p); !plausible(at, b) {
			return keypoint.Frame{}, fmt.Errorf("the estimator puts %v at %v, far outside of the picture %v", p, at, b)
		}
	}
	f.Clamp(corner(b.Min), corner(b.Max))
	return f.Only(f.Present()), err
}

// checkedFinder is a Finder whose panics, and boxes and scores that are no numbers or far outside, are errors.
type checkedFinder struct{ Finder }

func (c checkedFinder) Find(ctx context.Context, img image.Image) (people []Candidate, err error) {
	defer panics.Catch(&err)
	people, err = c.Finder.Find(ctx, img)
	b := img.Bounds()
	for i, p := range people {
		if !plausible(p.Box.Min, b) || !plausible(p.Box.Max, b) || !(p.Score >= 0 && p.Score <= 1) {
			return nil, fmt.Errorf("the finder puts person %d into %v with a score of %v, in the picture %v", i+1, p.Box, p.Score, b)
		}
	}
	return people, err
}

// finderOf returns an estimator's Finder, whose answers it checks; nil if there is none.
func finderOf(est Estimator) Finder {
	if finder, ok := FinderOf(est); ok {
		return checkedFinder{finder}
	}
	return nil
}

// farOutside is how far a point may lie outside of a picture, in its longer sides. A network may put a part that it
// does not see a little outside; what is farther is a mistake in its numbers.
const farOutside = 10

// plausible reports whether a point is in a picture or not far outside; NaN is not.
func plausible(at keypoint.Point, b image.Rectangle) bool {
	low, high, most := corner(b.Min), corner(b.Max), farOutside*float64(max(b.Dx(), b.Dy()))
	for axis := range at {
		if !(math.Abs(at[axis]-(low[axis]+high[axis])/2) <= (high[axis]-low[axis])/2+most) {
			return false
		}
	}
	return true
}

func corner(p image.Point) keypoint.Point { return keypoint.Point{float64(p.X), float64(p.Y)} }

// withoutFeet returns a frame of a result without its feet, unless they are wanted. It comes last, so
// that they help to follow people in any case.
func withoutFeet(f keypoint.Frame, wanted bool) keypoint.Frame {
	if wanted {
		return f
	}
	return f.Only(keypoint.Body)
}

// missing returns the error of an argument that must not be nil.
func missing(argument string) error {
	return fmt.Errorf("%w %s: it is nil", keypoint.ErrInvalid, argument)
}

func checkPicture(img image.Image) error {
	if img == nil || img.Bounds().Empty() {
		return fmt.Errorf("%w picture: it has no pixels", keypoint.ErrInvalid)
	}
	return nil
}
