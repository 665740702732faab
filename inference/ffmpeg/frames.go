package ffmpeg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/ffexec"
	"github.com/bodymotion/motion/internal/yuv"
)

// frames is a movie being decoded. One goroutine runs FFmpeg, another reads its pictures into free buffers.
type frames struct {
	d      Decoder // with its defaults
	source source
	parent context.Context // the caller's
	ctx    context.Context // of FFmpeg
	cancel context.CancelFunc
	log    *log
	pipe   *os.File // FFmpeg's pictures
	watch  *watch

	unmade chan struct{} // one for each buffer that may still be allocated
	free   chan *buffer  // to be filled
	ready  chan *buffer  // filled ones, in order; closed at the end

	runErr  error // of FFmpeg; read after work.Wait
	readErr error // of reading; read after work.Wait
	work    sync.WaitGroup

	// Used by the caller's goroutine only.
	closed bool
	err    error // what ended the movie
	next   int   // number of the next frame
	clock  clock
}

// buffer holds one picture.
type buffer struct {
	bytes []byte     // as FFmpeg writes them, with their line
	image *yuv.Image // of the bytes after it
}

var errClosed = errors.New("the movie is closed")

// start runs FFmpeg on a source. Close, or an error, removes its file.
func (d Decoder) start(ctx context.Context, s source) (*frames, error) {
	f, err := d.run(ctx, s, program.Command{Args: d.args(s.Input(), "0:"+strconv.Itoa(s.stream), s.filters()), ReadFiles: []string{s.Path}})
	if err != nil {
		s.remove()
		return nil, err
	}
	f.deliver(s, func() error {
		return f.watch.during(func() error {
			_, err := readY4MHeader(f.pipe, s.info.Size)
			return err
		})
	})
	return f, nil
}

// run runs FFmpeg with the arguments and inputs of a command. The caller then calls deliver or drop.
func (d Decoder) run(ctx context.Context, s source, c program.Command) (*frames, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	f := &frames{
		d: d, source: s, parent: ctx, log: newLog(), pipe: r,
		unmade: make(chan struct{}, d.Buffers), free: make(chan *buffer, d.Buffers), ready: make(chan *buffer, d.Buffers),
	}
	f.ctx, f.cancel = context.WithCancel(ctx)
	f.watch = newWatch(d.Timeout, f.cancel) // the end of FFmpeg ends the pipe
	for range d.Buffers {
		f.unmade <- struct{}{}
	}
	f.work.Go(func() {
		c.Program, c.Stdout, c.Stderr, c.Memory = "ffmpeg", w, f.log, d.Memory
		f.runErr = d.Runner.Run(f.ctx, c)
		f.log.end()
		w.Close()
	})
	return f, nil
}

// args returns ffmpeg's arguments; input are those that open the file.
func (d Decoder) args(input []string, stream, filters string) []string {
	a := []string{"-nostdin", "-hide_banner", "-nostats", "-loglevel", "repeat+warning"}
	if d.MaxPixels > 0 {
		// Pictures may be larger than the headers say. The stored size may exceed the shown one.
		a = append(a, "-max_pixels", strconv.Itoa(2*d.MaxPixels))
	}
	a = append(a, ffexec.Threads()...)
	a = append(a, input...)
	return append(a, "-map", stream, "-an", "-sn", "-dn",
		"-vf", filters, "-fps_mode", "passthrough", "-enc_time_base", "1:1000000",
		"-f", "yuv4mpegpipe", "-c:v", "wrapped_avframe", "pipe:1")
}

// deliver reads the pictures of s after header has returned nil. Close removes its file.
func (f *frames) deliver(s source, header func() error) {
	f.source = s
	f.clock = clock{step: minStep}
	if s.info.FrameRate > 0 {
		f.clock.step = max(1/s.info.FrameRate, minStep)
	}
	f.work.Go(func() {
		f.readErr = f.read(header)
		if f.readErr != nil {
			f.cancel() // nothing more is wanted
		}
		f.watch.timer.Stop()
		f.pipe.Close()
		close(f.ready)
	})
}

// drop kills FFmpeg if deliver was not called. The file stays.
func (f *frames) drop() {
	f.cancel()
	f.watch.timer.Stop()
	f.pipe.Close()
	f.work.Wait()
}

func (f *frames) read(header func() error) error {
	err := header()
	for n := 1; err == nil; n++ {
		var b *buffer
		if b, err = f.buffer(); err != nil {
			break
		}
		if err = f.watch.during(func() error { return readY4MFrame(f.pipe, b.bytes) }); err != nil {
			break
		}
		if f.d.MaxFrames > 0 && n >= f.d.MaxFrames {
			return fmt.Errorf("%w: there are not fewer than %d", inference.ErrTooManyFrames, f.d.MaxFrames)
		}
		f.ready <- b // has room for all buffers
	}
	if ended := f.ctx.Err(); ended != nil && err != errStalled {
		return ended
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// buffer waits for a free buffer. It prefers used ones, which saves memory.
func (f *frames) buffer() (*buffer, error) {
	select {
	case b := <-f.free:
		return b, nil
	default:
	}
	select {
	case b := <-f.free:
		return b, nil
	case <-f.unmade:
		const line = len(y4mFrame)
		b := &buffer{bytes: make([]byte, line+yuv.Bytes(f.source.info.Size))}
		b.image = yuv.Wrap(b.bytes[line:], f.source.info.Size)
		b.image.Full, b.image.BT709 = f.source.colour.full, f.source.colour.bt709
		return b, nil
	case <-f.ctx.Done():
		return nil, f.ctx.Err()
	}
}

func (f *frames) Info() inference.Info { return f.source.info }

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

// minStep is the time added when a frame is not after the one before, seconds.
const minStep = 1e-4

// clock makes times start at 0 and increase.
type clock struct {
	step    float64 // duration of a frame whose time is unknown, seconds
	started bool
	zero    float64 // time of the first frame
	last    float64 // time of the latest frame
}

// at returns the time of the next frame; if ok, the movie says t.
func (c *clock) at(t float64, ok bool) float64 {
	switch {
	case !c.started:
		c.started = true
		if ok {
			c.zero = t
		}
		return 0
	case !ok:
		c.last += c.step
	case t-c.zero <= c.last:
		c.last += minStep
	default:
		c.last = t - c.zero
	}
	return c.last
}

var errStalled = errors.New("FFmpeg takes too long for a frame")

// watch kills FFmpeg if a wait takes too long.
type watch struct {
	limit   time.Duration
	timer   *time.Timer
	stalled chan struct{}
}

// newWatch returns a watch that calls end after a wait of more than limit; 0: no limit.
func newWatch(limit time.Duration, end func()) *watch {
	w := &watch{limit: cmp.Or(limit, math.MaxInt64), stalled: make(chan struct{})}
	w.timer = time.AfterFunc(math.MaxInt64, func() { // set by during
		close(w.stalled)
		end()
	})
	return w
}

// during returns what wait returns, or errStalled. wait must end when FFmpeg does.
func (w *watch) during(wait func() error) error {
	w.timer.Reset(w.limit)
	err := wait()
	if !w.timer.Stop() {
		<-w.stalled
		return errStalled
	}
	return err
}

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
	case (f.runErr != nil || said.NoMemory) && f.readErr == nil:
		return f.incomplete(f.source.Reason(said, f.d.Memory, f.runErr))
	case f.readErr != nil:
		return f.incomplete(f.readErr.Error())
	case f.next == 0:
		return f.incomplete("no picture can be decoded")
	}
	f.source.info.Damage = f.damage(damaged, truncated || f.source.cut && f.next != f.source.promised.Frames)
	return io.EOF
}

// incomplete returns the error for a movie that cannot be decoded to its end.
func (f *frames) incomplete(why string) error {
	if expected := max(f.source.info.Frames, f.source.promised.Frames); expected > 0 && f.source.indexed {
		return fmt.Errorf("%w: the movie is damaged or incomplete, %d of %d frames can be decoded: %s", inference.ErrFormat, f.next, expected, why)
	}
	return fmt.Errorf("%w: the movie is damaged or incomplete, it ends after %d frames: %s", inference.ErrFormat, f.next, why)
}

// damage says what is wrong with a movie that was decoded to its end, "" if nothing is known.
func (f *frames) damage(faulty int, truncated bool) string {
	whole, promised := f.source.info.Frames, f.source.promised
	// A few frames at a cut refer to frames that are missing. Some containers count packets
	// that give no picture, such as VP8's reference frames.
	tolerated := 2 + whole/10
	if f.source.indexed {
		tolerated = 2 + whole/50
	}
	// The index of a file that is cut off promises frames that are not in it; but edit lists hide frames, and the
	// frames of an AVI may be counted twice.
	ends := f.clock.last+2*f.clock.step < 0.9*promised.Duration
	short := ends && (f.source.indexed || f.source.Demuxer == "avi")
	if f.source.indexed && (truncated || short) {
		whole = max(whole, promised.Frames)
	}
	switch {
	case whole-f.next > tolerated || truncated && whole > f.next:
		return fmt.Sprintf("The movie is damaged or incomplete: %d of its %d frames can be decoded.", f.next, whole)
	case truncated && !f.source.indexed || short:
		return fmt.Sprintf("The movie is cut off: it ends after %d frames.", f.next)
	case faulty > 0:
		return fmt.Sprintf("The movie is damaged: %d of its %d frames are decoded with faults.", faulty, f.next)
	}
	return ""
}
