package motion

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/internal/still"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
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

	// Stay leaves the rest of a movie empty once the person is gone, instead of following
	// somebody else.
	Stay bool

	// Rate is the number of looks per second at a movie; 0 looks at every frame. The frames
	// between are decoded, but not estimated: their keypoints are filled in along a cubic spline,
	// before the first one and after the last one of a person never, and only between two looks
	// that have found the part. Sequence.Looks says which frames were looked at; see
	// inference.ExtractOptions. docs/accuracy.md recommends rates.
	Rate float64

	// Feet keeps heels and toes, if the Estimator finds them; else the result has the 17 parts
	// from the nose to the ankles.
	Feet bool

	// Clean is how the keypoints are cleaned; zero for not at all. clean.Default() suits most
	// recordings.
	Clean clean.Options

	// Calibration says how metres and the floor are found, from the cleaned keypoints; the result is
	// Sequence.World. A recording that does not show them is an ErrInvalid. Zero for pixels.
	Calibration keypoint.Calibration

	// Quality is called with the verdict on the keypoints, before File and Read return them.
	Quality func(quality.Report)

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
	read := x.movie
	if isImage {
		read = x.image
	}
	raw, err := read(ctx, r)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	processed, err := extraction.Process(raw, extraction.Options{Clean: x.Clean, Calibration: x.Calibration})
	if err == nil && x.Quality != nil {
		x.Quality(processed.Quality)
	}
	return processed.Sequence, err
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
		seq, err = inference.ExtractImage(ctx, img, x.Estimator, inference.ImageOptions{Choose: x.Choose, Feet: x.Feet})
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
		MaxFrames: x.Limits.Frames, Rate: x.Rate, Choose: x.Choose, Stay: x.Stay, Feet: x.Feet, Progress: x.Progress, Candidates: x.candidates, OnCandidates: x.onCandidates,
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

// ExtractRequest asks for the keypoints of a movie or an image.
type ExtractRequest struct {
	MovieID int64 // exactly one of MovieID, ImageID and KeypointID
	ImageID int64

	// KeypointID is a keypoint record whose raw keypoints are cleaned and calibrated anew, without
	// decoding its movie or image again. Rate, Choose, Feet and Candidates must be zero then: the looks
	// and the feet are those of that record. Its Clean, CaptureRate and Calibration do not count.
	KeypointID int64

	Rate float64 // looks per second at a movie, as in Extractor; 0 for every frame

	Clean  *clean.Options // how the keypoints are cleaned; nil for Config.Clean, zero Options for not at all
	Choose *Choice        // who is analysed; nil for the person in the centre and in the foreground

	// Feet keeps heels and toes, if the estimator finds them; else the record has the 17 parts
	// from the nose to the ankles.
	Feet bool

	// CaptureRate is the number of frames per second at which the camera recorded a movie that is played
	// slower or faster, 0.001 to 10000; 0 for the movie's own. All seconds and speeds follow it. Drawings
	// keep the times of the movie.
	CaptureRate float64

	// Calibration says how metres and the floor are found, from the cleaned keypoints. The work fails on
	// a recording that does not show them.
	Calibration keypoint.Calibration

	// Candidates is the number of initial frames in which every detected person is recorded,
	// 0 to 100, so that a later request can choose another one: with Nearest and the middle
	// of a box.
	Candidates int
}

func (req ExtractRequest) check() error {
	again := req.KeypointID != 0
	switch {
	case again && (req.MovieID != 0 || req.ImageID != 0 || req.Rate != 0 || req.Choose != nil || req.Feet || req.Candidates != 0):
		return badRequest("keypointId", "excludes movieId, imageId, rate, choose, feet and candidates")
	case !again && (req.MovieID == 0) == (req.ImageID == 0):
		return badRequest("movieId", "exactly one of movieId and imageId is required")
	case !(req.Rate >= 0 && req.Rate <= math.MaxFloat64):
		return badRequest("rate", "%v looks per second, want a positive number, or 0 for every frame", req.Rate)
	case req.CaptureRate != 0 && !(req.CaptureRate >= 0.001 && req.CaptureRate <= 10_000):
		return badRequest("capture", "%v frames per second, want 0.001 to 10000", req.CaptureRate)
	case req.Candidates < 0 || req.Candidates > maxCandidateFrames:
		return badRequest("candidates", "%d frames, want 0 to %d", req.Candidates, maxCandidateFrames)
	}
	if req.Clean != nil {
		if err := req.Clean.Validate(); err != nil {
			return &RequestError{"clean", err}
		}
	}
	if req.Choose != nil {
		if _, err := req.Choose.Chooser(); err != nil {
			return &RequestError{"choose", err}
		}
	}
	c := req.Calibration
	for i, one := range [...]keypoint.Calibration{{Scale: c.Scale}, {Floor: c.Floor}, {Origin: c.Origin}} {
		if err := one.Validate(); err != nil {
			return &RequestError{[...]string{"scale", "floor", "origin"}[i], err}
		}
	}
	if req.ImageID != 0 {
		return req.checkImage()
	}
	return nil
}

// checkImage refuses what only movies have.
func (req ExtractRequest) checkImage() error {
	switch floor := req.Calibration.Floor; {
	case req.Rate != 0:
		return badRequest("rate", "is for movies only")
	case req.CaptureRate != 0:
		return badRequest("capture", "is for movies only")
	case floor != nil && floor.Auto:
		return badRequest("floor", "auto is for movies only: give two points or an angle")
	}
	return nil
}

// Choice selects the person who is analysed in a movie or image. The zero value is the person
// in the centre and in the foreground.
type Choice = inference.Choice

// Candidate is a person found in one of the first frames of a movie, or in an image.
type Candidate struct {
	Frame int        `json:"frame"` // from 0
	Box   [4]float64 `json:"box"`   // left, top, right and bottom, pixels
	Score float64    `json:"score"` // confidence that this is a person, 0 to 1
}

// maxCandidateFrames bounds ExtractRequest.Candidates, which are stored in the record.
const maxCandidateFrames = 100

func candidatesOf(frame int, people []inference.Candidate) []Candidate {
	var list []Candidate
	for _, p := range people {
		round := func(v float64) float64 { return math.Round(v*100) / 100 }
		list = append(list, Candidate{
			Frame: frame, Score: math.Round(p.Score*1e4) / 1e4,
			Box: [4]float64{round(p.Box.Min[0]), round(p.Box.Min[1]), round(p.Box.Max[0]), round(p.Box.Max[1])},
		})
	}
	return list
}
