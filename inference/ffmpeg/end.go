package ffmpeg

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// end returns what the end of the pictures means: io.EOF when the movie was decoded to
// its end.
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
		return f.incomplete("FFmpeg says: " + f.source.Reason(said, f.runErr))
	case f.readErr != nil:
		return f.incomplete(f.readErr.Error())
	case f.next == 0:
		return f.incomplete("no picture can be decoded")
	case truncated && (f.next < f.source.info.Frames || !f.source.exact):
		return f.incomplete("the file is cut off")
	case damaged > 2+f.next/10:
		return fmt.Errorf("%w: the movie is damaged: %d of its %d frames cannot be decoded without faults", inference.ErrFormat, damaged, f.next)
	}
	return f.complete()
}

// incomplete returns the error of a movie that cannot be decoded to its end.
func (f *frames) incomplete(why string) error {
	if expected := f.source.info.Frames; expected > 0 && f.source.exact {
		return fmt.Errorf("%w: the movie is damaged or incomplete, %d of %d frames can be decoded: %s", inference.ErrFormat, f.next, expected, why)
	}
	return fmt.Errorf("%w: the movie is damaged or incomplete, it ends after %d frames: %s", inference.ErrFormat, f.next, why)
}

// complete returns io.EOF when there were as many frames as there should be.
func (f *frames) complete() error {
	expected := f.source.info.Frames
	if f.next >= expected {
		return io.EOF
	}
	if f.source.exact {
		// The header counts frames that an edit list cuts away, but its duration does
		// not, and the packets tell them.
		if f.clock.last+2*f.clock.step < 0.9*f.source.info.Duration {
			return f.incomplete("the last part of the movie is missing")
		}
		shown, err := f.d.countPackets(f.parent, f.source)
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		if err == nil {
			expected = min(expected, shown)
		}
	}
	// A few frames at a cut have lost the ones they were made from. Some containers
	// count packets that give no picture, such as VP8's reference frames.
	tolerated := 2 + expected/50
	if !f.source.exact {
		tolerated = 2 + expected/10
	}
	if expected-f.next > tolerated {
		return f.incomplete(fmt.Sprintf("%d frames are missing", expected-f.next))
	}
	return io.EOF
}
