// Package ffmpeg decodes movies with FFmpeg, run as a program of its own: the
// installed ffmpeg and ffprobe, version 5.1 or newer, or what a Runner of your own
// makes of them.
//
// Pictures come as planar YUV, upright and with square pixels, in a fixed number of
// buffers that are used again and again. Times are those of the movie, the first frame
// at 0.
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
	"github.com/bodymotion/motion/internal/ffexec"
)

// Runner runs ffmpeg and ffprobe.
type Runner = ffexec.Runner

// Command is one run of a program.
type Command = ffexec.Command

// Exec is the Runner that executes the installed programs.
type Exec = ffexec.Exec

// ErrProgram is the kind of the error that says that ffmpeg or ffprobe is not there.
var ErrProgram = ffexec.ErrProgram

// Decoder is an inference.Decoder. The zero value runs the installed programs.
type Decoder struct {
	Runner  Runner        // default Exec{}
	Buffers int           // frames in memory at a time, at most 64; default 6
	Timeout time.Duration // of one run of ffprobe; default 1 minute
	TempDir string        // for copies of movies that are no local files; default the system's
}

var _ inference.Decoder = Decoder{}

func (d Decoder) runner() Runner {
	if d.Runner == nil {
		return Exec{}
	}
	return d.Runner
}

func (d Decoder) timeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if d.Timeout <= 0 {
		d.Timeout = time.Minute
	}
	return context.WithTimeout(ctx, d.Timeout)
}

func (d Decoder) buffers() int {
	const most = 64
	if d.Buffers <= 0 {
		return 6
	}
	return min(d.Buffers, most)
}

// Probe implements inference.Decoder. A reader that is no *os.File and has no method
// File() *os.File is copied into a temporary file first.
func (d Decoder) Probe(ctx context.Context, r io.ReadSeeker) (inference.Info, error) {
	s, err := d.open(ctx, r)
	if err != nil {
		return inference.Info{}, err
	}
	s.remove()
	return s.info, nil
}

// Open implements inference.Decoder. The pictures are of a type of this module that
// implements image.Image.
func (d Decoder) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	s, err := d.open(ctx, r)
	if err != nil {
		return nil, err
	}
	f, err := start(ctx, d.runner(), s, d.buffers())
	if err != nil {
		s.remove()
		return nil, err
	}
	return f, nil
}
