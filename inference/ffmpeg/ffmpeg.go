// Package ffmpeg decodes movies, and HEIC and AVIF pictures, by running the programs ffmpeg and ffprobe, version 5.1 or newer:
//
//	frames, err := ffmpeg.Decoder{}.Open(ctx, file)
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer frames.Close()
//	seq, err := inference.Extract(ctx, frames, est, inference.ExtractOptions{})
//
// Pictures are planar YUV 4:2:0, upright, with square pixels. Eight-bit 4:2:0 movies keep their values, range and
// matrix; all others are converted to limited range. Times start at 0; a time that is not after the one before is set to
// 0.1 ms after it. Live decodes network streams, cameras and pipes, which have no end.
//
// Of a movie, FFmpeg reads the one file and nothing else: this package recognises the container and names its demuxer,
// all protocols but local files are disabled, and no shell is involved.
package ffmpeg

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/ffexec"
)

const (
	minBuffers       = 6 // of inference.Frames
	maxBuffers       = 64
	defaultMaxPixels = 40_000_000 // above 8K (7680×4320)
	defaultMaxFrames = 216_000    // an hour at 60 frames per second
	defaultTimeout   = time.Minute
	defaultProbing   = 10 * time.Second
)

// Decoder is an inference.Decoder and inference.ImageDecoder. The zero value runs the installed programs.
type Decoder struct {
	Runner  program.Runner // default program.Installed{}
	Buffers int            // frames in memory at a time, 6 (default) to 64; fewer are 6

	// MaxPixels and MaxFrames protect the machine. A movie must have less width × height,
	// and fewer frames, both in its headers and when decoded. −1: no limit.
	MaxPixels int // default 40,000,000
	MaxFrames int // default 216,000

	// Memory is how many bytes ffmpeg may allocate. ffprobe may allocate a quarter of it, and half of it when it is asked again
	// after a complaint. Default 512 MiB, enough for 4K; −1: no limit. A movie that needs more gives ErrFormat. See package
	// program for the systems on which the installed programs are limited.
	Memory int64

	// Timeout limits how long ffmpeg takes for a frame, not counting the time in which all
	// buffers are in use. Default one minute; −1: no limit.
	Timeout time.Duration

	// ProbeTimeout limits the processor time that ffprobe takes to read the headers, and then to count the frames, for which
	// it reads the whole file. Default 10 s; −1: no limit. If counting an MP4 or MOV file takes longer, its index is used; other
	// movies give ErrFormat. If a busy machine does not give that time within twelve times as long, the error is ErrTooSlow.
	ProbeTimeout time.Duration

	// TempDir is the folder for copies of movies that are not local files; default the
	// system's. On Linux, copies have no name and do not survive a crash.
	TempDir string

	within int // see Within
}

var _ inference.Decoder = Decoder{}

// Probe implements inference.Decoder. Frames is the number of frames that are shown, which may differ from what the
// headers say. A reader that is not an *os.File and has no method File() *os.File is first copied into a temporary
// file. A movie that exceeds the limits gives ErrTooManyPixels or ErrTooManyFrames.
func (d Decoder) Probe(ctx context.Context, r io.ReadSeeker) (inference.Info, error) {
	s, err := d.withDefaults().open(ctx, r, movieDemuxer)
	if err != nil {
		return inference.Info{}, err
	}
	s.remove()
	return s.info, nil
}

// Open implements inference.Decoder. A movie with missing or damaged frames is decoded as far as
// possible; then Info().Damage says what is wrong. Next returns an error that wraps inference.ErrFormat, instead of io.EOF, for
// one without any picture and for one on which FFmpeg fails.
func (d Decoder) Open(ctx context.Context, r io.ReadSeeker) (inference.Frames, error) {
	d = d.withDefaults()
	s, err := d.open(ctx, r, movieDemuxer)
	if err != nil {
		return nil, err
	}
	f, err := d.start(ctx, s)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Within returns a Decoder that scales movies down until a frame has fewer than so many pixels, to the largest such size with even
// sides. inference.Info.Stored is then the size in the file, which MaxPixels still limits. Pictures are not scaled.
func (d Decoder) Within(pixels int) inference.Decoder {
	d.within = pixels
	return d
}

// Check returns the error of Runner's method Check, if it has one: that of program.Installed wraps program.ErrNotFound
// if FFmpeg is missing or too old.
func (d Decoder) Check(ctx context.Context) error {
	if c, ok := d.withDefaults().Runner.(interface{ Check(context.Context) error }); ok {
		return c.Check(ctx)
	}
	return nil
}

// withDefaults returns d with every field set. Limits of 0 are then none.
func (d Decoder) withDefaults() Decoder {
	d.Runner = cmp.Or[program.Runner](d.Runner, program.Installed{})
	d.Buffers = min(max(d.Buffers, minBuffers), maxBuffers)
	d.MaxPixels = limit(d.MaxPixels, defaultMaxPixels)
	d.MaxFrames = limit(d.MaxFrames, defaultMaxFrames)
	d.Memory = limit(d.Memory, ffexec.Memory)
	d.Timeout = limit(d.Timeout, defaultTimeout)
	d.ProbeTimeout = limit(d.ProbeTimeout, defaultProbing)
	return d
}

func limit[T int | int64 | time.Duration](v, def T) T { return max(cmp.Or(v, def), 0) }
