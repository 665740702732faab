package ffmpeg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/keypoint"
)

// ErrLost reports that a live source cannot be reached, or not again. Test for it with errors.Is.
var ErrLost = errors.New("the live source is lost")

// Live decodes what comes without end and cannot seek: network streams, cameras and pipes. Its method Open is a live.Source.
//
//	{Input: "rtsp://…"}                                  RTSP, over TCP
//	{Input: "http://…", Format: "mpjpeg"}                MJPEG over HTTP
//	{Input: "/dev/video0", Format: "v4l2"}               a camera on Linux
//	{Input: "0", Format: "avfoundation"}                 on macOS
//	{Input: "video=Integrated Camera", Format: "dshow"}  on Windows
//	{Reader: os.Stdin, Format: "mpegts"}                 a pipe
//
// Pictures are planar YUV 4:2:0 of limited range with square pixels. Their times start at 0 and follow the stream; those of
// MJPEG, which has none, are when a picture comes, if Format is mjpeg or mpjpeg: otherwise FFmpeg takes them as 25 a second. If
// the stream ends or stalls, Live connects again, and times go on by the clock; pictures then keep the size of the first one.
//
// The network streams are tested with servers on one machine. The cameras are not tested: their arguments
// are those of FFmpeg's documentation.
type Live struct {
	Runner program.Runner // default program.Installed{}

	// Input is a URL of rtsp, rtsps, http, https, rtmp, rtmps, srt, udp, rtp or tcp, or a camera's name. No other protocol is
	// opened, whatever the stream says, and no file. It reaches whatever this machine can reach: take none from strangers.
	Input string
	// Reader is read instead of Input. It is not closed, and a Read may last longer than the pictures.
	Reader io.Reader
	// Format is FFmpeg's name of the demuxer; "": FFmpeg finds it out. A camera needs v4l2, avfoundation or dshow.
	Format string
	// Options are further options of FFmpeg for the input, such as "-framerate", "30", "-video_size", "1280x720"
	// for a camera, or "-rtsp_transport", "udp". FFmpeg takes them as they are.
	Options []string

	Buffers   int   // as in Decoder
	MaxPixels int   // as in Decoder
	Memory    int64 // as in Decoder

	// Timeout is how long FFmpeg waits for the first picture, and for each next one, before the
	// connection is lost. Default 10 s; −1: no limit.
	Timeout time.Duration
	// Reconnect is how long Live tries to connect again before Next returns ErrLost. Default one minute; −1:
	// not at all, and a stream that ends is io.EOF. A Reader cannot be connected again.
	Reconnect time.Duration
}

const (
	defaultLiveTimeout = 10 * time.Second
	defaultReconnect   = time.Minute
	firstPause         = 250 * time.Millisecond // between two attempts; it doubles
	longestPause       = 2 * time.Second
)

// protocols are those that FFmpeg may use for a URL, by its scheme.
var protocols = map[string]string{
	"rtsp": "rtsp,rtp,srtp,udp,tcp,tls", "rtsps": "rtsp,rtsps,rtp,srtp,udp,tcp,tls",
	"http": "http,https,tcp,tls,crypto", "https": "http,https,tcp,tls,crypto",
	"rtmp": "rtmp,tcp", "rtmps": "rtmps,tcp,tls", "srt": "srt", "udp": "udp", "rtp": "rtp,srtp,udp", "tcp": "tcp",
}

// cameras are the demuxers of cameras.
var cameras = []string{"v4l2", "avfoundation", "dshow"}

// Open connects, and waits for the first picture. What cannot be reached or read is an ErrLost, which has FFmpeg's words; an
// Input that is not allowed is a keypoint.ErrInvalid, and pictures that are too large are an inference.ErrTooManyPixels. When
// ctx ends, decoding stops. The caller closes the Frames, whose Info has the size only.
func (l Live) Open(ctx context.Context) (inference.Frames, error) {
	input, err := l.input()
	if err != nil {
		return nil, err
	}
	l.Timeout = cmp.Or(l.Timeout, defaultLiveTimeout)
	l.Reconnect = cmp.Or(l.Reconnect, defaultReconnect)
	d := Decoder{
		Runner: l.Runner, Buffers: l.Buffers, MaxPixels: l.MaxPixels, MaxFrames: -1, Memory: l.Memory, Timeout: l.Timeout,
	}
	f := &liveFrames{l: l, d: d.withDefaults(), input: input, ctx: ctx}
	if f.connection, err = f.connect(); err != nil {
		return nil, err
	}
	return f, nil
}

func (l Live) input() ([]string, error) {
	invalid := func(format string, args ...any) ([]string, error) {
		return nil, fmt.Errorf("%w live source: "+format, append([]any{keypoint.ErrInvalid}, args...)...)
	}
	a := []string{"-flags", "low_delay", "-analyzeduration", "1000000"}
	if l.Format == "mjpeg" || l.Format == "mpjpeg" {
		a = append(a, "-use_wallclock_as_timestamps", "1")
	}
	name := l.Input
	scheme, _, isURL := strings.Cut(l.Input, "://")
	scheme = strings.ToLower(scheme)
	switch {
	case (l.Reader == nil) == (l.Input == ""):
		return invalid("want either Input or Reader")
	case l.Reader != nil:
		name = "pipe:0"
		a = append(a, "-protocol_whitelist", "pipe")
	case l.Format == "avfoundation":
		a = append(a, "-framerate", "30") // most cameras refuse its default, 29.97
	case slices.Contains(cameras, l.Format):
	case !isURL || protocols[scheme] == "":
		return invalid("%q is neither a URL that is allowed nor a camera with its Format, one of %v", scheme, cameras)
	default:
		a = append(a, "-protocol_whitelist", protocols[scheme])
		if strings.HasPrefix(scheme, "rtsp") {
			a = append(a, "-rtsp_transport", "tcp")
		}
	}
	if l.Format != "" {
		a = append(a, "-f", l.Format)
	}
	return append(append(a, l.Options...), "-i", name), nil
}

// liveFrames are the pictures of one connection after another.
type liveFrames struct {
	l     Live
	d     Decoder
	input []string
	ctx   context.Context

	size       image.Point // of the first connection
	connection *frames     // nil: it is lost
	origin     time.Time   // when the first picture came
	offset     float64     // time of the first picture of the connection, seconds
	fresh      bool        // the connection has given no picture yet
	last       float64     // time of the latest picture, seconds
	err        error       // what ended the pictures
}

// connect runs FFmpeg and waits for its first picture.
func (f *liveFrames) connect() (*frames, error) {
	var s source
	s.Path, s.remove = f.l.Input, func() {} // the name, which may hold a password, is cut from messages
	scale := "iw*sar:ih"
	if f.size != (image.Point{}) {
		scale = fmt.Sprintf("%d:%d", f.size.X, f.size.Y)
	}
	filters := times("scale=" + scale + ":out_range=limited:out_color_matrix=bt601,setsar=1,format=yuv420p")
	c := program.Command{Args: f.d.args(f.input, "0:V:0", filters), Stdin: f.l.Reader}
	if slices.Contains(cameras, f.l.Format) {
		c.ReadFiles = []string{f.l.Input}
	}
	conn, err := f.d.run(f.ctx, s, c)
	if err != nil {
		return nil, err
	}
	err = conn.watch.during(func() (err error) {
		s.info.Size, err = readY4MHeader(conn.pipe, image.Point{})
		return err
	})
	if err == nil {
		if err = f.d.checkPixels(s); err == nil {
			f.size, f.fresh = s.info.Size, true
			conn.deliver(s, func() error { return nil })
			return conn, nil
		}
	}
	conn.drop()
	_, _, said := conn.log.findings()
	switch {
	case f.ctx.Err() != nil:
		return nil, f.ctx.Err()
	case errors.Is(err, inference.ErrTooManyPixels):
		return nil, err
	case errors.Is(conn.runErr, program.ErrNotFound):
		return nil, conn.runErr
	case err == errStalled:
		return nil, fmt.Errorf("%w: there is no picture within %v", ErrLost, f.l.Timeout)
	case conn.runErr != nil && !errors.Is(conn.runErr, context.Canceled):
		err = conn.runErr
	}
	return nil, fmt.Errorf("%w: %s", ErrLost, s.Reason(said, f.d.Memory, err))
}

func (f *liveFrames) Info() inference.Info { return inference.Info{Size: f.size} }

func (f *liveFrames) Next() (inference.Picture, error) {
	if f.err != nil {
		return inference.Picture{}, f.err
	}
	var lost time.Time
	pause := firstPause
	for {
		if f.connection != nil {
			pic, err := f.connection.Next()
			if err == nil {
				pic.Time = f.stamp(pic.Time)
				return pic, nil
			}
			f.connection.Close()
			f.connection = nil
			if f.err = f.ended(err); f.err != nil {
				return inference.Picture{}, f.err
			}
		}
		if lost.IsZero() {
			lost = time.Now()
		} else if time.Since(lost) > f.l.Reconnect {
			f.err = fmt.Errorf("%w: the connections give no picture", ErrLost)
			return inference.Picture{}, f.err
		}
		select {
		case <-time.After(pause):
		case <-f.ctx.Done():
		}
		pause = min(2*pause, longestPause)
		var err error
		if f.connection, err = f.connect(); err == nil {
			continue
		}
		if !errors.Is(err, ErrLost) || time.Since(lost)+pause > f.l.Reconnect {
			f.err = err
			return inference.Picture{}, err
		}
	}
}

// ended returns the error with which the end of a connection ends the pictures; nil if it does not.
func (f *liveFrames) ended(cause error) error {
	switch {
	case f.ctx.Err() != nil:
		return f.ctx.Err()
	case errors.Is(cause, program.ErrNotFound):
		return cause
	case f.l.Reader == nil && f.l.Reconnect > 0:
		return nil
	case cause == io.EOF:
		return cause
	}
	return fmt.Errorf("%w: %w", ErrLost, cause)
}

// stamp returns the time of a picture that has a time in its connection.
func (f *liveFrames) stamp(seconds float64) float64 {
	first := f.origin.IsZero()
	switch {
	case first:
		f.origin, f.offset = time.Now(), -seconds
	case f.fresh:
		f.offset = time.Since(f.origin).Seconds() - seconds
	}
	f.fresh = false
	if at := f.offset + seconds; at > f.last || first {
		f.last = at
	} else {
		f.last += minStep
	}
	return f.last
}

func (f *liveFrames) Close() error {
	if f.err != errClosed {
		f.err = errClosed
		if f.connection != nil {
			return f.connection.Close()
		}
	}
	return nil
}
