package motion

import (
	"context"
	"errors"
	"fmt"
	"image"
	imagedraw "image/draw"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/internal/fair"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Extractor finds the keypoints in a picture or movie, for programs and notebooks that need no Service; Annotator draws them.
//
//	seq, _, err := motion.Extractor{Estimator: est, Decoder: ffmpeg.Decoder{}}.File(ctx, "squats.mp4")
type Extractor struct {
	Estimator inference.Estimator // required
	Decoder   inference.Decoder   // for movies; without one, only pictures can be read
	Limits    Limits              // zero selects the default, -1 means no limit

	// FindOptions say who is found, and how the keypoints are made ready: without any, those of the person in the centre and in
	// the foreground are cleaned. With Everybody, they are those of the chosen person.
	FindOptions

	Progress     func(done, total int)                              // called as inference.ExtractOptions.Progress is
	OnFrame      func(frame int, f keypoint.Frame, seconds float64) // called with each frame as it is found, before it is cleaned
	OnCandidates func(frame int, people []inference.Candidate)      // called with the people in the CandidateFrames

	turn      *fair.Places      // of the Service
	thumbnail func(jpeg []byte) // given the thumbnail of a movie; may be nil
}

// File finds the keypoints of the person in a picture or movie, and assesses their quality. The content decides which it is: a JPEG, PNG,
// GIF, WebP, BMP or TIFF picture, or a HEIC or AVIF one if the Decoder is an inference.ImageDecoder, gives a
// Sequence of one frame without times; everything else goes to the Decoder. Errors wrap inference.ErrFormat,
// ErrTooManyPixels, ErrTooManyScans, ErrTooSlow or ErrTooManyFrames, or come from the file system.
func (x Extractor) File(ctx context.Context, path string) (keypoint.Sequence, quality.Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return keypoint.Sequence{}, quality.Report{}, err
	}
	defer f.Close()
	seq, judged, err := x.Read(ctx, f)
	if err != nil {
		return keypoint.Sequence{}, quality.Report{}, fmt.Errorf("%s: %w", path, err)
	}
	return seq, judged, nil
}

// Read is like File for an open file, which it does not close.
func (x Extractor) Read(ctx context.Context, r io.ReadSeeker) (seq keypoint.Sequence, judged quality.Report, err error) {
	if x.Estimator == nil {
		return seq, judged, errors.New("motion: Extractor.Estimator is missing: use inference/pose or your own")
	}
	x.Limits = x.Limits.withDefaults()
	picture, err := holdsImage(r)
	if err != nil {
		return seq, judged, err
	}
	people, err := x.people(ctx, r, picture)
	if err != nil {
		return seq, judged, err
	}
	processed, err := extraction.Run(people.Chosen.Sequence, x.cleaned(clean.Default()).processing())
	return processed.Sequence, processed.Quality, err
}

func holdsImage(r io.ReadSeeker) (bool, error) {
	format, err := inference.FormatOf(r)
	return format != "", err
}

// people reads a picture or a movie: all people, or the chosen one. The limits are those with defaults.
func (x Extractor) people(ctx context.Context, r io.ReadSeeker, picture bool) (people inference.People, err error) {
	opt := x.extracting()
	opt.MaxFrames, opt.Progress, opt.OnFrame, opt.OnCandidates = x.Limits.Frames, x.Progress, x.OnFrame, x.OnCandidates
	if picture {
		err = x.Limits.pictures(x.decoder(x.Decoder), x.turn).Use(ctx, r, func(img image.Image) error {
			if x.Everybody {
				people, err = inference.ExtractAllImage(ctx, img, x.Estimator, opt)
			} else {
				people.Chosen.Sequence, err = inference.ExtractImage(ctx, img, x.Estimator, opt)
			}
			return err
		})
		if err == nil && x.Progress != nil {
			x.Progress(1, 1)
		}
		return people, err
	}
	if x.Decoder == nil {
		return people, fmt.Errorf("%w: this is no still picture, and there is no decoder for movies: set Extractor.Decoder, such as inference/ffmpeg", inference.ErrFormat)
	}
	d := x.decoder(x.Decoder)
	if x.Shrink {
		d = film.Within(d, x.Limits.FramePixels)
	}
	frames, err := film.Open(ctx, d, r, x.Limits.check)
	if err != nil {
		return people, err
	}
	is, of := frames.Info().Size, frames.Info().Stored
	if of != (image.Point{}) {
		opt = shrunk(opt, float64(is.X)/float64(of.X), float64(is.Y)/float64(of.Y))
	}
	if x.thumbnail != nil {
		frames = film.WithThumbnail(frames, x.thumbnail)
	}
	if x.Everybody {
		people, err = inference.ExtractAll(ctx, frames, x.Estimator, opt)
	} else {
		people.Chosen.Sequence, err = inference.Extract(ctx, frames, x.Estimator, opt)
	}
	if err == nil && of != (image.Point{}) {
		people.Chosen.Sequence = film.Resized(people.Chosen.Sequence, of)
		for i := range people.All {
			people.All[i].Sequence = film.Resized(people.All[i].Sequence, of)
		}
	}
	return people, errors.Join(err, frames.Close())
}

// pictures decodes pictures within the limits, which are those with defaults.
func (l Limits) pictures(d inference.Decoder, turn *fair.Places) film.Images {
	return film.Images{Decoder: d, MaxPixels: l.ImagePixels, MaxTime: l.ImageTime, Turn: turn}
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

// media is a picture or movie. Each call of open returns a reader of its own.
type media struct {
	image bool
	open  func() (io.ReadSeekCloser, error)
}

// checkExtension reports a file name that does not fit what is written into the file.
func (m media) checkExtension(name string) error {
	ext := strings.ToLower(filepath.Ext(name))
	switch {
	case m.image && !slices.Contains([]string{".jpg", ".jpeg", ".png"}, ext):
		return fmt.Errorf("%w name %q for an annotated picture: want the extension .jpg or .png", ErrInvalid, name)
	case !m.image && ext != ".mp4":
		return fmt.Errorf("%w name %q for an annotated movie: want the extension .mp4", ErrInvalid, name)
	}
	return nil
}

// stills opens the frames of a movie one by one, or a picture. The limits are those with defaults.
func stills(ctx context.Context, open func() (io.ReadSeekCloser, error), d inference.Decoder, l Limits, turn *fair.Places) (pictures film.Pictures, err error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	isImage, err := holdsImage(f)
	if err == nil && !isImage && d == nil {
		err = errors.New("the decoder is missing: movies cannot be shown without inference/ffmpeg or another one")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if !isImage {
		frames, err := film.Open(ctx, d, f, l.check)
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return openStills{film.NewStills(frames), f}, nil
	}
	err = l.pictures(d, turn).Use(ctx, f, func(img image.Image) error {
		kept := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
		imagedraw.Draw(kept, kept.Rect, img, img.Bounds().Min, imagedraw.Src)
		pictures = film.Picture{Image: kept}
		return nil
	})
	return pictures, errors.Join(err, f.Close())
}

// openStills are the stills of an open file.
type openStills struct {
	*film.Stills
	file io.Closer
}

func (s openStills) Close() error { return errors.Join(s.Stills.Close(), s.file.Close()) }

// checkOther returns ErrInvalid if the file that is to be written is the one that is read, also by the name of a link.
func checkOther(in *os.File, out string) error {
	is, err := in.Stat()
	if err != nil {
		return err
	}
	if there, err := os.Stat(out); err == nil && os.SameFile(is, there) {
		return fmt.Errorf("%w output %s: it is the file that is read, and would be lost: choose another name", ErrInvalid, out)
	}
	return nil
}

func writeFile(path string, content func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(content(f), f.Close())
}
