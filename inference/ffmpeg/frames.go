package ffmpeg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/ffexec"
	"github.com/bodymotion/motion/internal/yuv"
)

// frames is a movie that is being decoded. One goroutine runs FFmpeg, one reads its
// pictures into free buffers.
type frames struct {
	source source
	ctx    context.Context
	cancel context.CancelFunc
	times  *times

	free  chan *buffer // to be filled; nil: to be made
	ready chan *buffer // filled ones, in order; closed at the end

	runErr  error // of FFmpeg; set before pipe's end is seen
	readErr error // of reading; set before ready is closed
	work    sync.WaitGroup
	close   sync.Once

	next int     // number of the next frame
	zero float64 // time of the first frame
	last float64 // time of the latest frame
}

// buffer holds one picture.
type buffer struct {
	bytes []byte
	image *yuv.Image // of these bytes
}

// filters returns the filter graph: rotation has been applied before it.
func (s source) filters() string {
	var f []string
	switch size := fmt.Sprintf("%d:%d", s.info.Size.X, s.info.Size.Y); {
	case s.full:
		f = append(f, "scale="+size+":in_range=full:out_range=limited")
	case s.scaled:
		f = append(f, "scale="+size)
	}
	return strings.Join(append(f, "format=yuv420p", "showinfo=checksum=0"), ",")
}

// start runs FFmpeg on a source, which it removes in the end.
func start(ctx context.Context, runner Runner, s source, buffers int) (*frames, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	f := &frames{source: s, times: newTimes(), free: make(chan *buffer, buffers), ready: make(chan *buffer, buffers)}
	f.ctx, f.cancel = context.WithCancel(ctx)
	for range buffers {
		f.free <- nil // made when it is needed
	}
	f.work.Go(func() {
		f.runErr = runner.Run(f.ctx, ffexec.Command{
			Program: "ffmpeg",
			Args: []string{
				"-nostdin", "-hide_banner", "-nostats", "-loglevel", "info",
				"-protocol_whitelist", "file,pipe", "-f", s.demuxer, "-i", "file:" + s.path,
				"-map", "0:" + strconv.Itoa(s.stream), "-an", "-sn", "-dn",
				"-vf", s.filters(), "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "yuv420p", "pipe:1",
			},
			Stdout: w, Stderr: f.times, ReadFiles: []string{s.path},
		})
		f.times.end()
		w.Close()
	})
	f.work.Go(func() {
		f.readErr = f.read(r)
		close(f.ready)
		r.Close()
	})
	return f, nil
}

// read fills buffers until the pictures end.
func (f *frames) read(r io.Reader) error {
	for {
		var b *buffer
		select {
		case b = <-f.free:
		case <-f.ctx.Done():
			return f.ctx.Err()
		}
		if b == nil {
			b = &buffer{bytes: make([]byte, yuv.Bytes(f.source.info.Size))}
			b.image = yuv.Wrap(b.bytes, f.source.info.Size)
			b.image.BT709 = f.source.bt709
		}
		n, err := io.ReadFull(r, b.bytes)
		if err == io.EOF {
			return nil
		}
		if err == io.ErrUnexpectedEOF {
			return fmt.Errorf("the last picture is cut off after %d of %d bytes", n, len(b.bytes))
		}
		if err != nil {
			return err
		}
		f.ready <- b // has room for all buffers
	}
}

// Info implements inference.Frames.
func (f *frames) Info() inference.Info { return f.source.info }

// Next implements inference.Frames.
func (f *frames) Next() (inference.Picture, error) {
	var b *buffer
	var ok bool
	select {
	case b, ok = <-f.ready:
	case <-f.ctx.Done():
	}
	if err := f.ctx.Err(); err != nil {
		return inference.Picture{}, err
	}
	if !ok {
		return inference.Picture{}, f.end()
	}
	t, ok := f.times.at(f.next)
	const tick = 1e-6 // the least distance of two frames, seconds
	switch {
	case f.next == 0:
		if ok {
			f.zero = t
		}
		t = 0
	case !ok || t-f.zero < f.last+tick:
		t = f.last + tick
	default:
		t -= f.zero
	}
	f.last = t
	f.next++
	return inference.Picture{Image: b.image, Time: t, Release: sync.OnceFunc(func() { f.free <- b })}, nil
}

// end returns io.EOF when the movie was decoded to its end.
func (f *frames) end() error {
	f.work.Wait()
	damaged := func(why string) error {
		return fmt.Errorf("%w: the movie is damaged or incomplete: %s", inference.ErrFormat, why)
	}
	expected := f.source.info.Frames
	missing := expected - f.next
	// Containers count packets that give no picture; only some do so exactly.
	tolerated := 2 + expected/10
	if f.source.exact {
		tolerated = 2 + expected/50
	}
	switch {
	case errors.Is(f.runErr, ffexec.ErrProgram):
		return f.runErr
	case f.runErr != nil:
		return damaged(reason(f.times.said(), f.source.path, f.runErr))
	case f.readErr != nil:
		return damaged(f.readErr.Error())
	case f.next == 0:
		return damaged("no picture can be decoded")
	case missing > tolerated:
		return damaged(fmt.Sprintf("only %d of %d frames can be decoded", f.next, expected))
	}
	return io.EOF
}

// Close implements inference.Frames.
func (f *frames) Close() error {
	f.close.Do(func() {
		f.cancel()
		f.work.Wait()
		f.source.remove()
	})
	return nil
}
