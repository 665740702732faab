// Package ffmpeg decodes movies, and HEIC and AVIF pictures, with FFmpeg, run as a
// program of its own: the installed ffmpeg and ffprobe, version 5.1 or newer, or what a
// Runner of your own makes of them.
//
// Pictures come as planar YUV 4:2:0, upright and with square pixels, in a fixed number
// of buffers that are used again and again. Eight-bit 4:2:0 movies keep their values,
// range and matrix; all others are converted to limited range. Times are those of the
// movie's frames, moved so that the first frame is at 0; a time that does not come after
// the one before is moved to 0.1 ms after it.
//
// The programs read the one file and nothing else: the container is recognised here
// and FFmpeg is told to use that demuxer, other protocols than local files are closed
// to it, and there is no shell.
package ffmpeg

import (
	"context"
	"io"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// The defaults of Decoder.
const (
	DefaultBuffers   = 6
	DefaultMaxPixels = 40_000_000 // above 8K (7680×4320)
	DefaultMaxFrames = 216_000    // an hour at 60 frames a second
	DefaultTimeout   = time.Minute
)

// maxBuffers is the most that Decoder.Buffers can ask for.
const maxBuffers = 64

// Decoder is an inference.Decoder and an inference.ImageDecoder. The zero value runs the
// installed programs.
type Decoder struct {
	Runner  program.Runner // default program.Installed{}
	Buffers int            // frames in memory at a time, at most 64; default DefaultBuffers; made when needed

	// MaxPixels and MaxFrames are limits that a movie has to stay below: of width ×
	// height of the upright picture, and of the number of frames, both as the headers
	// say and as decoded. They guard the machine; what a service accepts is decided
	// above. 0: DefaultMaxPixels, DefaultMaxFrames; −1: none.
	MaxPixels int
	MaxFrames int

	// Timeout is how long ffprobe may take for the headers, and ffmpeg for a frame.
	// The time in which all buffers are out does not count. 0: DefaultTimeout; −1: none.
	Timeout time.Duration

	// TempDir is the folder for copies of movies that are no local files; default the
	// system's. On Linux a copy has no name, and is gone even after a crash.
	TempDir string
}

var (
	_ inference.Decoder       = Decoder{}
	_ inference.CheckedOpener = Decoder{}
)

// Probe implements inference.Decoder. A reader that is no *os.File and has no method
// File() *os.File is copied into a temporary file first. A movie beyond the limits gives
// ErrTooManyPixels or ErrTooManyFrames.
func (d Decoder) Probe(ctx context.Context, r io.ReadSeeker) (inference.Info, error) {
	s, err := d.withDefaults().open(ctx, r)
	if err != nil {
		return inference.Info{}, err
	}
	s.remove()
	return s.info, nil
}

// Open implements inference.Decoder. The pictures are of a type of this module that
// implements image.Image.
//
// Next reports a movie of which more than a few frames are missing or damaged by an
// error that wraps inference.ErrFormat and says how many of how many there are: it comes
// where io.EOF would.
func (d Decoder) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	return d.OpenChecked(ctx, r, func(inference.Info) error { return nil })
}

// OpenChecked implements inference.CheckedOpener.
func (d Decoder) OpenChecked(ctx context.Context, r io.ReadSeeker, check func(inference.Info) error) (inference.Frames, error) {
	d = d.withDefaults()
	s, err := d.locate(ctx, r, movieDemuxer)
	if err != nil {
		return nil, err
	}
	early := d.early(ctx, s)
	if err = d.examine(ctx, &s); err == nil {
		err = check(s.info)
	}
	if err != nil {
		early.drop() // before its file goes
		s.remove()
		return nil, err
	}
	if early.serves(s) {
		return early, nil
	}
	early.drop()
	f, err := d.start(ctx, s)
	if err != nil {
		s.remove()
		return nil, err
	}
	return f, nil
}

// withDefaults returns d with every field set; 0 means no limit then.
func (d Decoder) withDefaults() Decoder {
	if d.Runner == nil {
		d.Runner = program.Installed{}
	}
	if d.Buffers <= 0 {
		d.Buffers = DefaultBuffers
	}
	d.Buffers = min(d.Buffers, maxBuffers)
	d.MaxPixels = limit(d.MaxPixels, DefaultMaxPixels)
	d.MaxFrames = limit(d.MaxFrames, DefaultMaxFrames)
	d.Timeout = time.Duration(limit(int(d.Timeout), int(DefaultTimeout)))
	return d
}

func limit(v, def int) int {
	if v == 0 {
		return def
	}
	return max(v, 0)
}
