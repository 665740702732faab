package ffmpeg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/ffexec"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// source is a movie that can be decoded.
type source struct {
	ffexec.Media
	remove func() // removes the copy that was made of the movie
	stream int    // index of the video stream
	info   inference.Info
	colour colour

	promised inference.Info // by the headers
	indexed  bool           // the container has an index of all frames
	cut      bool           // the file ends before its content does
}

// movieDemuxer returns FFmpeg's demuxer for a file by its first bytes.
func movieDemuxer(head []byte) (demuxer string, err error) {
	if demuxer = ffexec.Demuxer(head); demuxer == "" {
		err = fmt.Errorf("%w: the content is %s, not a movie (MP4, MOV, WebM, Matroska, AVI, MPEG or GIF)",
			inference.ErrFormat, ffexec.Describe(head))
	}
	return demuxer, err
}

// open finds or makes the file of the movie or picture in r, lets sniff choose its demuxer, and examines it. If there is no error,
// the caller calls remove.
func (d Decoder) open(ctx context.Context, r io.ReadSeeker, sniff func(head []byte) (demuxer string, err error)) (s source, err error) {
	if r == nil {
		return s, fmt.Errorf("%w reader: it is nil", keypoint.ErrInvalid)
	}
	if s.Path, s.remove, err = ffexec.LocalPath(ctx, r, d.TempDir); err != nil {
		return s, err
	}
	head, err := ffexec.Head(s.Path)
	if err == nil {
		s.Demuxer, err = sniff(head)
	}
	if err == nil {
		s.cut = s.Demuxer == "avi" && cutOff(s.Path)
		err = d.examine(ctx, &s)
	}
	if err != nil {
		s.remove()
	}
	return s, err
}

// patience is how much longer than ProbeTimeout, which is processor time, ffprobe may take by the clock.
const patience = 12

// examine asks ffprobe what is in the file. The caller calls remove, also after an error.
func (d Decoder) examine(ctx context.Context, s *source) error {
	limited := ctx
	if d.ProbeTimeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, patience*d.ProbeTimeout)
		defer cancel()
	}
	err := d.ask(limited, s)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: ffprobe has not answered after %v; the machine is busy, try again", inference.ErrTooSlow, patience*d.ProbeTimeout)
	}
	return err
}

// ask fills the source from the headers and the packets.
func (d Decoder) ask(ctx context.Context, s *source) error {
	out, err := ffprobe(ctx, d, *s, func() *ffexec.Answer { return new(ffexec.Answer) }, ffexec.Headers...)
	if err != nil {
		return err
	}
	if err := s.parse(out.Bytes()); err != nil {
		return err
	}
	if err := d.checkPixels(*s); err != nil {
		return err
	}
	if small := yuv.Within(s.info.Size, d.within); small != s.info.Size {
		s.info.Size, s.info.Stored = small, s.info.Size
	}
	if err := d.count(ctx, s); err != nil {
		return err
	}
	if n := s.info.Frames; d.MaxFrames > 0 && n >= d.MaxFrames {
		return fmt.Errorf("%w: %d is not fewer than %d", inference.ErrTooManyFrames, n, d.MaxFrames)
	}
	return nil
}

func (d Decoder) checkPixels(s source) error {
	size := s.info.Size
	if pixels := int64(size.X) * int64(size.Y); d.MaxPixels > 0 && pixels >= int64(d.MaxPixels) {
		return fmt.Errorf("%w: a frame of %d×%d is not fewer than %d pixels", inference.ErrTooManyPixels, size.X, size.Y, d.MaxPixels)
	}
	return nil
}

func ffprobe[W io.Writer](ctx context.Context, d Decoder, s source, fresh func() W, args ...string) (W, error) {
	out, err := ffexec.Probe(ctx, s.Media, d.Runner, d.Memory, d.ProbeTimeout, fresh, args...)
	switch {
	case err == nil, errors.Is(err, program.ErrNotFound):
	case ctx.Err() != nil && !errors.Is(err, os.ErrDeadlineExceeded):
		err = ctx.Err()
	default:
		err = fmt.Errorf("%w: %w", inference.ErrFormat, err)
	}
	return out, err
}
