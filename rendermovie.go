package motion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
)

// drawMovie draws a movie. With skeletonOnly nothing is decoded: the number of frames,
// their times and their size are those of the keypoints.
func (s *Service) drawMovie(ctx context.Context, j *drawJob, path string) (err error) {
	onto := !j.opt.Background.SkeletonOnly
	switch {
	case s.cfg.Encoder == nil:
		return errors.New("Config.Encoder is missing: movies cannot be drawn")
	case onto && s.cfg.Decoder == nil:
		return errors.New("Config.Decoder is missing: movies cannot be drawn onto")
	case len(j.seq.Times) != j.seq.Len():
		return errors.New("the keypoints of the movie have no times")
	}
	sound, err := s.cfg.Blobs.Open(ctx, mediaKey(j.media))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sound.Close()) }()
	movie := draw.Movie{Size: j.seq.Size, Audio: sound}
	if rate, ok := j.seq.FrameRate(); ok {
		movie.FrameRate = rate
	}
	create := func() (draw.MovieWriter, error) { return s.cfg.Encoder.Create(ctx, path, movie) }
	if onto {
		return s.drawOnto(ctx, j, create)
	}
	w, err := create()
	if err != nil {
		return err
	}
	defer w.Abort()
	l := newLine(j, w)
	for i := 0; i < j.seq.Len() && err == nil && !l.broken(); i++ {
		l.push(i, inference.Picture{})
		err = ctx.Err()
	}
	if err = errors.Join(err, l.end()); err != nil {
		return err
	}
	return w.Close()
}

// drawOnto draws onto the frames of the movie itself. Decoder and encoder look at its
// headers at the same time.
func (s *Service) drawOnto(ctx context.Context, j *drawJob, create func() (draw.MovieWriter, error)) (err error) {
	blob, err := s.cfg.Blobs.Open(ctx, mediaKey(j.media))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, blob.Close()) }()
	var w draw.MovieWriter
	var failed error
	var created sync.WaitGroup
	created.Go(func() {
		failed = guard(func() (err error) {
			w, err = create()
			return err
		})
	})
	frames, err := s.cfg.Decoder.Open(ctx, blob)
	created.Wait()
	if w != nil {
		defer w.Abort()
	}
	if err == nil {
		defer func() { err = errors.Join(err, frames.Close()) }()
	}
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	l := newLine(j, w)
	err = pull(frames, j, l)
	if err = errors.Join(err, l.end()); err != nil { // all pictures are given back then
		return err
	}
	return w.Close()
}

// pull brings the frames of the movie onto the line.
func pull(frames inference.Frames, j *drawJob, l *line) error {
	for i := 0; !l.broken(); i++ {
		pic, err := frames.Next()
		switch {
		case err == io.EOF && i == j.seq.Len():
			return nil
		case err == io.EOF:
			return fmt.Errorf("the movie has %d frames now, its keypoints are of %d", i, j.seq.Len())
		case err != nil:
			return err
		case i >= j.seq.Len():
			err = fmt.Errorf("the movie has more than the %d frames of its keypoints", j.seq.Len())
		case pic.Image.Bounds().Size() != j.seq.Size:
			err = fmt.Errorf("frame %d is %v pixels large, its keypoints are of one of %v", i, pic.Image.Bounds().Size(), j.seq.Size)
		}
		if err != nil {
			giveBack(pic)
			return err
		}
		l.push(i, pic)
	}
	return nil
}
