package draw

import (
	"context"
	"image"
	"io"
)

// Movie describes a movie to be written.
type Movie struct {
	Size      image.Point // of the frames, pixels; an odd width or height is rounded up by repeating the last column or row
	FrameRate float64     // frames per second, nominal; the frames' own times count

	// Audio is a movie whose sound is copied, nil for none; one without sound is fine.
	// It is read before Create returns, or by its path until Close or Abort when it is
	// an *os.File or has a method File() *os.File; it is not closed.
	Audio io.ReadSeeker
}

// Encoder writes movies.
//
// Promises: Create may be called from many goroutines at once; when ctx ends, the
// writer's methods return ctx's error and the unfinished file is removed.
type Encoder interface {
	// Create starts a movie at path, which must end in ".mp4". The file appears
	// there when Close succeeds, whole, or not at all.
	Create(ctx context.Context, path string, m Movie) (MovieWriter, error)
}

// MovieWriter takes the frames of one movie, in order, from one goroutine.
type MovieWriter interface {
	// Write adds a picture of the movie's size, shown from t (seconds, increasing).
	// The picture may be used again when Write returns.
	Write(img image.Image, t float64) error
	// Close finishes the file. A movie without frames is an error.
	Close() error
	// Abort ends the work and removes the file. It does nothing after Close.
	Abort()
}
