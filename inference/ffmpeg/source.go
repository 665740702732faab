package ffmpeg

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/ffexec"
	"github.com/bodymotion/motion/keypoint"
)

// source is a movie that can be decoded.
type source struct {
	ffexec.Media
	remove func() // removes the copy that was made of the movie
	stream int    // index of the video stream
	info   inference.Info
	exact  bool // info.Frames is what the container says, not a count of packets
	plain  bool // can be decoded without its headers: see early
	colour colour
}

// open examines the movie in r and checks the limits of d, which has its defaults. The caller
// calls remove.
func (d Decoder) open(ctx context.Context, r io.ReadSeeker) (source, error) {
	s, err := d.locate(ctx, r, movieDemuxer)
	if err != nil {
		return s, err
	}
	if err = d.examine(ctx, &s); err != nil {
		s.remove()
	}
	return s, err
}

// movieDemuxer returns FFmpeg's demuxer for a file by its first bytes.
func movieDemuxer(head []byte) (demuxer string, err error) {
	if demuxer = ffexec.Demuxer(head); demuxer == "" {
		err = fmt.Errorf("%w: the content is %s, not a movie (MP4, MOV, WebM, Matroska, AVI, MPEG or GIF)", inference.ErrFormat, ffexec.Describe(head))
	}
	return demuxer, err
}

// locate finds or makes the file of r and lets sniff choose its demuxer. If there is no error,
// the caller calls remove.
func (d Decoder) locate(ctx context.Context, r io.ReadSeeker, sniff func(head []byte) (demuxer string, err error)) (s source, err error) {
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
	if err != nil {
		s.remove()
	}
	return s, err
}

// examine asks ffprobe what is in the file. The caller calls remove, also after an error.
func (d Decoder) examine(ctx context.Context, s *source) error {
	var out ffexec.Answer
	err := d.ffprobe(ctx, *s, &out, "-show_entries",
		"stream=index,codec_type,width,height,sample_aspect_ratio,avg_frame_rate,r_frame_rate,nb_frames,duration,color_range,color_space,pix_fmt"+
			":stream_disposition=default,attached_pic,timed_thumbnails,still_image:stream_side_data=rotation:format=duration", "-of", "json")
	if err != nil {
		return err
	}
	if err := s.parse(out.Bytes()); err != nil {
		return err
	}
	if err := d.checkPixels(*s); err != nil {
		return err
	}
	if !s.exact {
		if s.info.Frames, err = d.countPackets(ctx, *s); err != nil {
			return err
		}
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

// ffprobe asks ffprobe about the source.
func (d Decoder) ffprobe(ctx context.Context, s source, out io.Writer, args ...string) error {
	limited := ctx
	if d.Timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, d.Timeout)
		defer cancel()
	}
	err := s.Media.Probe(limited, d.Runner, out, args...)
	switch {
	case err == nil, errors.Is(err, program.ErrNotFound):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return fmt.Errorf("%w: the headers take longer than %v to read", inference.ErrFormat, d.Timeout)
	}
	return fmt.Errorf("%w: %w", inference.ErrFormat, err)
}

// countPackets returns the number of visible packets of the stream. It reads the whole file but
// decodes nothing.
func (d Decoder) countPackets(ctx context.Context, s source) (int, error) {
	var c packetCounter
	err := d.ffprobe(ctx, s, &c, "-select_streams", strconv.Itoa(s.stream), "-show_entries", "packet=flags", "-of", "csv=p=0")
	return c.shown, err
}

// packetCounter counts packets by their flags, one line each such as "K_" or "_D_": K is a key
// frame, D a packet that is decoded but not shown.
type packetCounter struct {
	shown int
	line  []byte // its first two bytes
}

// Write implements io.Writer.
func (c *packetCounter) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		c.line = append(c.line, line[:min(len(line), 2-len(c.line))]...)
		if !ended {
			return n, nil
		}
		if len(c.line) == 2 && (c.line[0] == 'K' || c.line[0] == '_') && c.line[1] != 'D' {
			c.shown++
		}
		c.line, p = c.line[:0], rest
	}
}
