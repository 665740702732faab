package motion

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/still"
	"github.com/bodymotion/motion/keypoint"
)

// Extractor is the short way from a file to keypoints, for programs and notebooks; Annotator
// is the way out.
//
//	seq, err := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}}.File(ctx, "squats.mp4")
type Extractor struct {
	Estimator inference.Estimator // required
	Decoder   inference.Decoder   // for movies; without one, only pictures can be read
	Limits    Limits              // zero selects the default, -1 means no limit

	// Choose selects the person; nil selects the one in the centre and in the foreground.
	Choose inference.Chooser

	// Progress is called after each frame. total is 0 if the movie does not say how many
	// frames it has.
	Progress func(done, total int)

	turn         still.Turn // of the Service
	candidates   int        // number of initial frames in which every detected person is recorded
	onCandidates func(frame int, people []inference.Candidate)
}

// File finds the keypoints of the person in a picture or movie. The content decides which it
// is: a JPEG, PNG, GIF, WebP, BMP or TIFF picture, or a HEIC or AVIF one if the Decoder is an
// inference.ImageDecoder, gives a Sequence of one frame without times; everything else goes
// to the Decoder. Errors wrap inference.ErrFormat, ErrTooManyPixels, ErrTooManyScans,
// ErrTooSlow or ErrTooManyFrames, or come from the file system.
func (x Extractor) File(ctx context.Context, path string) (keypoint.Sequence, error) {
	f, err := os.Open(path)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	defer f.Close()
	seq, err := x.Read(ctx, f)
	if err != nil {
		return keypoint.Sequence{}, fmt.Errorf("%s: %w", path, err)
	}
	return seq, nil
}

// Read is like File for an open file, which it does not close.
func (x Extractor) Read(ctx context.Context, r io.ReadSeeker) (keypoint.Sequence, error) {
	if x.Estimator == nil {
		return keypoint.Sequence{}, errors.New("motion: Extractor.Estimator is missing: use inference/movenet or your own")
	}
	x.Limits = x.Limits.withDefaults()
	isImage, err := holdsImage(r)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	if isImage {
		return x.image(ctx, r)
	}
	return x.movie(ctx, r)
}

// holdsImage reports whether r holds a picture.
func holdsImage(r io.ReadSeeker) (bool, error) {
	format, err := inference.FormatOf(r)
	return format != "", err
}

// image reads a picture. The limits are those with defaults.
func (x Extractor) image(ctx context.Context, r io.ReadSeeker) (seq keypoint.Sequence, err error) {
	err = x.Limits.pictures(x.Decoder, x.turn).Use(ctx, r, func(img image.Image) error {
		if x.candidates > 0 {
			finder, ok := inference.FinderOf(x.Estimator)
			if !ok {
				return inference.ErrNoFinder
			}
			people, err := finder.Find(ctx, img)
			if err != nil {
				return err
			}
			x.onCandidates(0, people)
		}
		seq, err = inference.ExtractImage(ctx, img, x.Estimator, x.Choose)
		return err
	})
	if err == nil && x.Progress != nil {
		x.Progress(1, 1)
	}
	return seq, err
}

// pictures decodes pictures within the limits, which are those with defaults.
func (l Limits) pictures(d inference.Decoder, turn still.Turn) still.Pictures {
	return still.Pictures{Decoder: d, MaxPixels: l.ImagePixels, MaxTime: l.ImageTime, Turn: turn}
}

// movie reads a movie. The limits are those with defaults.
func (x Extractor) movie(ctx context.Context, r io.ReadSeeker) (seq keypoint.Sequence, err error) {
	if x.Decoder == nil {
		return seq, fmt.Errorf("%w: this is no still picture, and there is no decoder for movies: set Extractor.Decoder, such as inference/ffmpeg", inference.ErrFormat)
	}
	frames, err := inference.OpenChecked(ctx, x.Decoder, r, x.Limits.check)
	if err != nil {
		return seq, err
	}
	defer func() { err = errors.Join(err, frames.Close()) }()
	return inference.Extract(ctx, frames, x.Estimator, inference.ExtractOptions{
		MaxFrames: x.Limits.Frames, Choose: x.Choose, Progress: x.Progress, Candidates: x.candidates, OnCandidates: x.onCandidates,
	})
}

// check compares the headers of a movie with the limits.
func (l Limits) check(info inference.Info) error {
	if pixels := int64(info.Size.X) * int64(info.Size.Y); l.FramePixels > 0 && pixels >= int64(l.FramePixels) {
		return fmt.Errorf("%w: a frame of %d×%d is not fewer than %d pixels", inference.ErrTooManyPixels, info.Size.X, info.Size.Y, l.FramePixels)
	}
	if l.Frames > 0 && info.Frames >= l.Frames {
		return fmt.Errorf("%w: %d is not fewer than %d", inference.ErrTooManyFrames, info.Frames, l.Frames)
	}
	return nil
}
