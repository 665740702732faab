package ffmpeg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/ffexec"
	"github.com/bodymotion/motion/internal/yuv"
)

// frames is a movie that is being decoded. One goroutine runs FFmpeg, one reads its
// pictures into free buffers.
type frames struct {
	d      Decoder // with its defaults
	source source
	parent context.Context // the caller's
	ctx    context.Context // of FFmpeg
	cancel context.CancelFunc
	log    *log

	free  chan *buffer // to be filled; nil: to be made
	ready chan *buffer // filled ones, in order; closed at the end

	runErr  error // of FFmpeg; read after work.Wait
	readErr error // of reading; read after work.Wait
	work    sync.WaitGroup

	// Of the caller's goroutine.
	closed bool
	err    error // what ended the movie
	next   int   // number of the next frame
	clock  clock
}

// buffer holds one picture.
type buffer struct {
	bytes []byte
	image *yuv.Image // of these bytes
}

var (
	errClosed  = errors.New("the movie is closed")
	errStalled = errors.New("FFmpeg takes too long for a frame")
)

// start runs FFmpeg on a source, which Close removes.
func (d Decoder) start(ctx context.Context, s source) (*frames, error) {
	r, w, err := ffexec.Pipe()
	if err != nil {
		return nil, err
	}
	f := &frames{
		d: d, source: s, parent: ctx, log: newLog(),
		free: make(chan *buffer, d.Buffers), ready: make(chan *buffer, d.Buffers),
		clock: clock{step: minStep},
	}
	if s.info.FrameRate > 0 {
		f.clock.step = max(1/s.info.FrameRate, minStep)
	}
	f.ctx, f.cancel = context.WithCancel(ctx)
	for range d.Buffers {
		f.free <- nil // made when it is needed
	}
	f.work.Go(func() {
		f.runErr = d.Runner.Run(f.ctx, ffexec.Command{
			Program: "ffmpeg", Args: d.args(s), Stdout: w, Stderr: f.log, ReadFiles: []string{s.Path},
		})
		f.log.end()
		w.Close()
	})
	f.work.Go(func() {
		f.readErr = f.read(r)
		if f.readErr != nil {
			f.cancel() // nothing more is wanted
		}
		r.Close()
		close(f.ready)
	})
	return f, nil
}

// args returns ffmpeg's arguments.
func (d Decoder) args(s source) []string {
	a := []string{"-nostdin", "-hide_banner", "-nostats", "-loglevel", "repeat+info"}
	if d.MaxPixels > 0 {
		// Whatever the pictures claim to be, beyond the headers that were checked. The
		// stored size may be larger than the shown one.
		a = append(a, "-max_pixels", strconv.Itoa(2*d.MaxPixels))
	}
	a = append(a, s.Input()...)
	return append(a, "-map", "0:"+strconv.Itoa(s.stream), "-an", "-sn", "-dn",
		"-vf", s.filters(), "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", s.colour.format, "pipe:1")
}

// read fills buffers until the pictures end.
func (f *frames) read(r io.Reader) error {
	var stalled chan struct{}
	var watch *time.Timer
	if f.d.Timeout > 0 {
		stalled = make(chan struct{})
		watch = time.AfterFunc(math.MaxInt64, func() { // set before each frame
			close(stalled)
			f.cancel() // the end of FFmpeg ends the pipe
		})
		defer watch.Stop()
	}
	for n := 1; ; n++ {
		b, err := f.buffer()
		if err != nil {
			return err
		}
		if watch != nil {
			watch.Reset(f.d.Timeout)
		}
		got, err := io.ReadFull(r, b.bytes)
		if watch != nil && !watch.Stop() {
			<-stalled
			return errStalled
		}
		switch {
		case f.ctx.Err() != nil:
			return f.ctx.Err()
		case err == io.EOF:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("the last picture is cut off after %d of %d bytes", got, len(b.bytes))
		case err != nil:
			return err
		case f.d.MaxFrames > 0 && n >= f.d.MaxFrames:
			return fmt.Errorf("%w: there are not fewer than %d", inference.ErrTooManyFrames, f.d.MaxFrames)
		}
		f.ready <- b // has room for all buffers
	}
}

// buffer waits for a free buffer.
func (f *frames) buffer() (*buffer, error) {
	select {
	case b := <-f.free:
		if b == nil {
			size := f.source.info.Size
			b = &buffer{bytes: make([]byte, yuv.Bytes(size))}
			b.image = yuv.Wrap(b.bytes, size)
			b.image.Full, b.image.BT709 = f.source.colour.full, f.source.colour.bt709
		}
		return b, nil
	case <-f.ctx.Done():
		return nil, f.ctx.Err()
	}
}

// Info implements inference.Frames.
func (f *frames) Info() inference.Info { return f.source.info }

// Damaged implements Damage.
func (f *frames) Damaged() int {
	n, _, _ := f.log.findings()
	return n
}

// Next implements inference.Frames.
func (f *frames) Next() (inference.Picture, error) {
	if f.closed {
		return inference.Picture{}, errClosed
	}
	var b *buffer
	var ok bool
	select {
	case b, ok = <-f.ready:
	case <-f.parent.Done():
	}
	if err := f.parent.Err(); err != nil {
		return inference.Picture{}, err
	}
	if !ok {
		if f.err == nil {
			f.err = f.end()
		}
		return inference.Picture{}, f.err
	}
	f.next++
	t := f.clock.at(f.log.time())
	return inference.Picture{Image: b.image, Time: t, Release: sync.OnceFunc(func() { f.free <- b })}, nil
}

// Close implements inference.Frames.
func (f *frames) Close() error {
	if f.closed {
		return nil
	}
	f.closed = true
	f.cancel()
	f.work.Wait()
	f.source.remove()
	return nil
}
