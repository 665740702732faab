package draw

import (
	"context"
	"image"
	"io"
)

// Movie describes a movie to be written.
type Movie struct {
	Size      image.Point // of the frames, pixels; an odd width or height is rounded up by repeating the last column or row
	FrameRate float64     // frames per second, nominal; the frames keep their own times

	// Audio is a movie whose sound is copied, which may have none; nil: no sound. If it is an *os.File or has a method File()
	// *os.File, it is read by its path until Close or Abort; otherwise Create reads it from its start. It is not closed.
	Audio io.ReadSeeker
}

// Encoder writes movies.
//
// Create is safe for concurrent use. When ctx ends, the writer's methods return ctx's
// error. Wrong arguments give errors that wrap keypoint.ErrInvalid.
//
// inferencetest.TestEncoder tests these promises and those of MovieWriter.
type Encoder interface {
	// Create starts a movie at path, which must end in ".mp4". The file appears there, complete, when Close succeeds, and replaces
	// a file of that name. Until then, and after Abort or an error of Close, nothing is written to path or left beside it.
	Create(ctx context.Context, path string, m Movie) (MovieWriter, error)
}

// MovieWriter takes the frames of one movie in order. It is for one goroutine.
type MovieWriter interface {
	// Write adds a picture of the movie's size, shown from t: seconds, 0 or more, increasing. A picture or time that is refused
	// with keypoint.ErrInvalid leaves the movie as it is. The picture is not changed and may be reused when Write returns.
	Write(img image.Image, t float64) error
	// Close finishes the file. A movie without frames is an error.
	Close() error
	// Abort stops writing and removes the unfinished file. It does nothing after Close.
	Abort()
}
