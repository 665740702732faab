package draw

import (
	"context"
	"image"
	"io"
)

// Movie describes a movie to be written.
type Movie struct {
	Size      image.Point // of the frames, pixels; an odd width or height is rounded up by repeating the last column or row
	FrameRate float64     // nominal frames per second; the times of the frames count

	// Audio is a movie whose sound is copied; nil for none. It may have no sound. It is read
	// before Create returns or, if it is an *os.File or has a method File() *os.File, by its
	// path until Close or Abort. It is not closed.
	Audio io.ReadSeeker
}

// Encoder writes movies.
//
// Promises: Create may be called by many goroutines at once. When ctx ends, the writer's
// methods return ctx's error and the unfinished file is removed.
type Encoder interface {
	// Create starts a movie at path, which must end in ".mp4". The file appears when Close
	// succeeds, whole or not at all.
	Create(ctx context.Context, path string, m Movie) (MovieWriter, error)
}

// MovieWriter takes the frames of one movie, in order, from one goroutine.
type MovieWriter interface {
	// Write adds a picture of the movie's size, shown from t on (seconds, increasing). The
	// caller may reuse the picture when Write returns.
	Write(img image.Image, t float64) error
	// Close finishes the file. A movie without frames is an error.
	Close() error
	// Abort stops and removes the file. It does nothing after Close.
	Abort()
}
