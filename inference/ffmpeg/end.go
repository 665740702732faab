package ffmpeg

import (
	"errors"
	"fmt"
	"io"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// end returns why the pictures ended: io.EOF if the movie was decoded to its end.
func (f *frames) end() error {
	f.work.Wait()
	damaged, truncated, said := f.log.findings()
	switch {
	case f.parent.Err() != nil:
		return f.parent.Err()
	case errors.Is(f.runErr, program.ErrNotFound):
		return f.runErr
	case errors.Is(f.readErr, inference.ErrTooManyFrames):
		return f.readErr
	case f.runErr != nil && f.readErr == nil:
		return f.incomplete(f.source.Reason(said, f.d.Memory, f.runErr))
	case f.readErr != nil:
		return f.incomplete(f.readErr.Error())
	case f.next == 0:
		return f.incomplete("no picture can be decoded")
	case truncated && (f.next < f.source.promised.Frames || !f.source.indexed):
		return f.incomplete("the file is cut off")
	case damaged > 2+f.next/10:
		return fmt.Errorf("%w: the movie is damaged: %d of its %d frames cannot be decoded without faults", inference.ErrFormat, damaged, f.next)
	}
	return f.complete()
}

// incomplete returns the error for a movie that cannot be decoded to its end.
func (f *frames) incomplete(why string) error {
	if expected := max(f.source.info.Frames, f.source.promised.Frames); expected > 0 && f.source.indexed {
		return fmt.Errorf("%w: the movie is damaged or incomplete, %d of %d frames can be decoded: %s", inference.ErrFormat, f.next, expected, why)
	}
	return fmt.Errorf("%w: the movie is damaged or incomplete, it ends after %d frames: %s", inference.ErrFormat, f.next, why)
}

// complete returns io.EOF if enough frames were decoded.
func (f *frames) complete() error {
	expected, promised := f.source.info.Frames, f.source.promised
	if f.next >= max(expected, promised.Frames) {
		return io.EOF
	}
	// The index of a file that is cut off promises frames that are not in it.
	if f.source.indexed && f.clock.last+2*f.clock.step < 0.9*promised.Duration {
		return f.incomplete("the last part of the movie is missing")
	}
	// A few frames at a cut refer to frames that are missing. Some containers count packets
	// that give no picture, such as VP8's reference frames.
	tolerated := 2 + expected/50
	if !f.source.indexed {
		tolerated = 2 + expected/10
	}
	if expected-f.next > tolerated {
		return f.incomplete(fmt.Sprintf("%d frames are missing", expected-f.next))
	}
	return io.EOF
}
