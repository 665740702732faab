// Package mp4 writes movies by running the program ffmpeg, version 5.1 or newer:
//
//	w, err := mp4.Encoder{}.Create(ctx, "out.mp4", draw.Movie{Size: size, FrameRate: 25})
//	if err != nil {
//		log.Fatal(err)
//	}
//	defer w.Abort() // does nothing after Close
//	for i, img := range pictures {
//		err = errors.Join(err, w.Write(img, float64(i)/25))
//	}
//	err = errors.Join(err, w.Close())
//
// The movies are H.264 (yuv420p, limited range) in MP4, ready for streaming (faststart). Frames keep their times. No
// metadata is copied. ffmpeg may allocate 512 MiB and 640 bytes for each pixel of a frame. YUV pictures of package draw
// are passed to FFmpeg without conversion, in the matrix of the first one.
package mp4

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/ffexec"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/keypoint"
)

// Encoder is a draw.Encoder. The zero value runs the installed ffmpeg.
type Encoder struct {
	Runner program.Runner // default program.Installed{}
	Preset string         // of x264, from "ultrafast" to "veryslow"; default "veryfast" with the search of "superfast" (subme=1)
}

var _ draw.Encoder = Encoder{}

func (e Encoder) Create(ctx context.Context, path string, m draw.Movie) (draw.MovieWriter, error) {
	if filepath.Ext(path) != ".mp4" {
		return nil, fmt.Errorf("%w movie path %q: want the extension .mp4", keypoint.ErrInvalid, path)
	}
	if m.Size.X <= 0 || m.Size.Y <= 0 {
		return nil, fmt.Errorf("%w movie: a size of %v pixels", keypoint.ErrInvalid, m.Size)
	}
	e.Runner = cmp.Or[program.Runner](e.Runner, program.Installed{})
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(filepath.Dir(path), ".motion-encode-*")
	if err != nil {
		return nil, err
	}
	even := image.Pt((m.Size.X+1)&^1, (m.Size.Y+1)&^1)
	w := &writer{path: path, dir: dir, size: m.Size, even: even, frameRate: m.FrameRate}
	sound := audio{remove: func() {}}
	if m.Audio != nil {
		if sound, err = e.openAudio(ctx, m.Audio, dir); err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	w.removeSound = sound.remove
	w.ctx, w.cancel = context.WithCancel(ctx)
	if err := e.start(w, sound); err != nil {
		w.Abort()
		return nil, err
	}
	return w, nil
}

// pixelMemory is the memory that x264 takes with its slowest preset and 8 threads, bytes for each pixel of a frame.
const pixelMemory = 640

// start runs ffmpeg, which gets ready while the caller makes the first picture.
func (e Encoder) start(w *writer, sound audio) error {
	r, pipe, err := os.Pipe()
	if err != nil {
		return err
	}
	w.pipe, w.done = pipe, make(chan struct{})
	cmd := program.Command{
		Program: "ffmpeg", Args: e.args(w, sound), Stdin: r, Stderr: &w.stderr, WriteDirs: []string{w.dir},
		Memory: ffexec.Memory + pixelMemory*int64(w.even.X)*int64(w.even.Y),
	}
	if sound.codec != "" {
		cmd.ReadFiles = []string{sound.Path}
	}
	go func() {
		defer close(w.done)
		w.runErr = e.Runner.Run(w.ctx, cmd)
		r.Close()
	}()
	return nil
}

func (e Encoder) args(w *writer, sound audio) []string {
	a := []string{
		"-nostdin", "-hide_banner", "-nostats", "-loglevel", "error", "-protocol_whitelist", "file,pipe",
		"-f", "matroska", "-i", "pipe:0",
	}
	if sound.codec != "" {
		a = append(a, sound.Input()...)
	}
	a = append(a, "-map", "0:v:0")
	switch {
	case sound.codec == "":
	case slices.Contains([]string{"aac", "mp3", "ac3", "eac3", "alac"}, sound.codec): // which players expect in MP4
		a = append(a, "-map", "1:a:0", "-c:a", "copy")
	default:
		a = append(a, "-map", "1:a:0", "-c:a", "aac", "-b:a", "160k")
	}
	if a = append(a, ffexec.Threads()...); e.Preset == "" { // a third less work for files a tenth larger
		a = append(a, "-x264-params", "subme=1")
	}
	return append(a,
		"-c:v", "libx264", "-preset", cmp.Or(e.Preset, "veryfast"), "-crf", "20", "-pix_fmt", "yuv420p",
		"-fps_mode", "passthrough", "-enc_time_base", "1:90000", "-video_track_timescale", "90000",
		"-map_metadata", "-1", "-map_chapters", "-1", "-movflags", "+faststart", "-f", "mp4", "file:"+w.output(),
	)
}

// writer is a movie being written.
type writer struct {
	path, dir string // of the finished movie; folder of the unfinished one
	size      image.Point
	even      image.Point // the movie's size
	frameRate float64     // nominal; 0: unknown
	pipe      *os.File
	bt709     bool       // matrix of the movie; else BT.601
	canvas    *yuv.Image // for pictures that are converted or padded
	converter yuv.Converter
	frames    int
	last      float64

	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{} // closed when ffmpeg has ended
	runErr error
	stderr ffexec.Tail
	once   sync.Once
	closed bool

	removeSound func()
}

func (w *writer) output() string { return filepath.Join(w.dir, "movie.mp4") }

func (w *writer) Write(img image.Image, t float64) error {
	switch {
	case w.closed:
		return errors.New("the movie is closed")
	case img == nil:
		return fmt.Errorf("%w frame %d: the picture is nil", keypoint.ErrInvalid, w.frames)
	case img.Bounds().Size() != w.size:
		return fmt.Errorf("%w frame %d: %v pixels in a movie of %v", keypoint.ErrInvalid, w.frames, img.Bounds().Size(), w.size)
	case math.IsNaN(t) || math.IsInf(t, 0) || t < 0 || w.frames > 0 && t <= w.last:
		return fmt.Errorf("%w frame %d: the time %v s does not come after %v s", keypoint.ErrInvalid, w.frames, t, w.last)
	}
	if w.frames == 0 {
		w.bt709 = min(w.even.X, w.even.Y) >= 720 // as players assume for the size
		if m, ok := img.(*yuv.Image); ok {
			w.bt709 = m.BT709
		}
		if err := writeHeader(w.pipe, w.even, w.frameRate, w.bt709); err != nil {
			return w.failure(err)
		}
	}
	c := w.planes(img)
	if err := writePicture(w.pipe, t, c.Y, c.Cb, c.Cr); err != nil {
		return w.failure(err)
	}
	w.frames++
	w.last = t
	return nil
}

// planes returns the planes of a picture in limited range and the movie's matrix, without gaps between rows: the
// picture's own if possible, else a copy. It repeats an odd last column and row.
func (w *writer) planes(img image.Image) *yuv.Image {
	m, ok := img.(*yuv.Image)
	ok = ok && m.BT709 == w.bt709
	if ok && !m.Full && m.Size == w.even && m.YStride == m.Size.X && m.CStride == m.Size.X/2 {
		y, c := m.Size.X*m.Size.Y, m.Size.X/2*(m.Size.Y/2)
		return &yuv.Image{Y: m.Y[:y], Cb: m.Cb[:c], Cr: m.Cr[:c]}
	}
	if w.canvas == nil {
		w.canvas = yuv.New(w.even)
		w.canvas.BT709 = w.bt709
	}
	if ok && m.Full {
		w.canvas.CopyLimited(m)
	} else {
		w.converter.Convert(w.canvas, img)
	}
	return w.canvas
}

// failure ends ffmpeg's input, waits for ffmpeg, and returns why it failed; err if ffmpeg gives no reason.
func (w *writer) failure(err error) error {
	w.pipe.Close()
	<-w.done
	switch {
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case errors.Is(w.runErr, program.ErrNotFound):
		return w.runErr
	case w.runErr != nil:
		return fmt.Errorf("ffmpeg cannot write the movie: %w: %s", w.runErr, strings.TrimSpace(w.stderr.String()))
	}
	return err
}

func (w *writer) Close() error {
	if w.closed {
		return nil
	}
	if w.frames == 0 {
		w.Abort()
		return fmt.Errorf("%w movie: it has no frames", keypoint.ErrInvalid)
	}
	if err := w.failure(nil); err != nil {
		w.Abort()
		return err
	}
	defer w.Abort()
	return os.Rename(w.output(), w.path)
}

func (w *writer) Abort() {
	w.once.Do(func() {
		w.closed = true
		w.cancel()
		if w.pipe != nil {
			w.pipe.Close()
			<-w.done
		}
		w.removeSound()
		os.RemoveAll(w.dir)
	})
}
