package motion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/yuv"
	"github.com/bodymotion/motion/storage"
)

// drawMovie draws a movie. With skeletonOnly nothing is decoded: the number of frames,
// their times and their size are those of the keypoints.
func (s *Service) drawMovie(ctx context.Context, j *drawJob, path string) (err error) {
	onto := !j.opt.Background.SkeletonOnly
	switch {
	case s.cfg.Encoder == nil:
		return errors.New("Config.Encoder is missing: movies cannot be drawn")
	case onto && s.cfg.Decoder == nil:
		return errors.New("Config.Decoder is missing: movies cannot be drawn onto")
	case len(j.seq.Times) != j.seq.Len():
		return errors.New("the keypoints of the movie have no times")
	}
	blob, err := s.cfg.Blobs.Open(ctx, mediaKey(j.media))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, blob.Close()) }()
	movie := draw.Movie{Size: j.seq.Size, Audio: blob}
	if rate, ok := j.seq.FrameRate(); ok {
		movie.FrameRate = rate
	}
	w, err := s.cfg.Encoder.Create(ctx, path, movie)
	if err != nil {
		return err
	}
	defer w.Abort()
	if onto {
		err = s.drawOnto(ctx, j, w, blob)
	} else {
		err = s.drawAlone(ctx, j, w)
	}
	if err != nil {
		return err
	}
	return w.Close()
}

// drawAlone draws a movie of nothing but the skeleton.
func (s *Service) drawAlone(ctx context.Context, j *drawJob, w draw.MovieWriter) error {
	l := s.newLine(j, w)
	var err error
	for i := 0; i < j.seq.Len() && err == nil && !l.broken(); i++ {
		l.push(i, inference.Picture{})
		err = ctx.Err()
	}
	return errors.Join(err, l.end())
}

// drawOnto draws onto the frames of the movie itself.
func (s *Service) drawOnto(ctx context.Context, j *drawJob, w draw.MovieWriter, blob storage.Blob) (err error) {
	frames, err := s.cfg.Decoder.Open(ctx, blob)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, frames.Close()) }()
	l := s.newLine(j, w)
	err = pull(frames, j, l)
	return errors.Join(err, l.end()) // before the frames are closed, whose pictures it uses
}

// pull brings the frames of the movie onto the line.
func pull(frames inference.Frames, j *drawJob, l *line) error {
	for i := 0; !l.broken(); i++ {
		pic, err := frames.Next()
		switch {
		case err == io.EOF && i == j.seq.Len():
			return nil
		case err == io.EOF:
			return fmt.Errorf("the movie has %d frames now, its keypoints are of %d", i, j.seq.Len())
		case err != nil:
			return err
		case i >= j.seq.Len():
			err = fmt.Errorf("the movie has more than the %d frames of its keypoints", j.seq.Len())
		case pic.Image.Bounds().Size() != j.seq.Size:
			err = fmt.Errorf("frame %d is %v pixels large, its keypoints are of one of %v", i, pic.Image.Bounds().Size(), j.seq.Size)
		}
		if err != nil {
			giveBack(pic)
			return err
		}
		l.push(i, pic)
	}
	return nil
}

func giveBack(pic inference.Picture) {
	if pic.Release != nil {
		pic.Release()
	}
}

// maxPainters bounds how many frames are drawn at a time: the encoder takes far longer
// for a frame than drawing does, and each painter keeps a layer of the movie's size.
const maxPainters = 4

// line is an assembly line of frames: some goroutines draw, each a frame at a time, and
// one hands the frames to the encoder in their order. Meanwhile further frames are
// decoded and drawn; how many is bounded.
type line struct {
	s     *Service
	j     *drawJob
	w     draw.MovieWriter
	todo  chan *sheet
	order chan *sheet
	blank chan *draw.YUV // to be drawn onto where the decoder's picture cannot be; nil: to be made
	stop  atomic.Bool    // an error has come up
	work  sync.WaitGroup
	err   error // of the writing goroutine; read after work.Wait
}

// sheet is a frame on the line.
type sheet struct {
	index int
	pic   inference.Picture // as decoded; the zero value where nothing is
	image *draw.YUV         // to be written
	own   bool              // image is one of blank
	drawn chan error        // gets what drawing brought
}

func (s *Service) newLine(j *drawJob, w draw.MovieWriter) *line {
	painters := min(runtime.GOMAXPROCS(0), maxPainters)
	l := &line{
		s: s, j: j, w: w,
		todo: make(chan *sheet, painters), order: make(chan *sheet, painters), blank: make(chan *draw.YUV, painters+2),
	}
	for range cap(l.blank) {
		l.blank <- nil
	}
	for range painters {
		l.work.Go(l.paint)
	}
	l.work.Go(l.write)
	return l
}

// push puts frame i onto the line; it waits while there is no room. The line gives the
// picture back.
func (l *line) push(i int, pic inference.Picture) {
	sh := &sheet{index: i, pic: pic, drawn: make(chan error, 1)}
	// Only the picture of our own decoder is drawn onto in place: it is filled anew each
	// time, and another decoder's may be shared or kept.
	if m, ok := pic.Image.(*yuv.Image); ok && pic.Release != nil {
		sh.image = m
	} else {
		sh.own = true
		if sh.image = <-l.blank; sh.image == nil {
			sh.image = draw.NewYUV(l.j.seq.Size)
		}
	}
	l.order <- sh
	l.todo <- sh
}

// broken reports whether further frames are in vain.
func (l *line) broken() bool { return l.stop.Load() }

// end waits until all frames are written, and returns what went wrong.
func (l *line) end() error {
	close(l.todo)
	close(l.order)
	l.work.Wait()
	return l.err
}

// paint draws frames until there are no more.
func (l *line) paint() {
	var r draw.Renderer
	var convert yuv.Converter
	for sh := range l.todo {
		sh.drawn <- guard(func() error {
			if sh.own && sh.pic.Image != nil {
				convert.Convert(sh.image, sh.pic.Image)
			}
			return r.RenderYUV(sh.image, &l.j.seq.Frames[sh.index], l.j.rules, l.j.options(sh.index))
		})
	}
}

// write writes the frames in their order. After an error it only gives pictures back.
func (l *line) write() {
	for sh := range l.order {
		if err := <-sh.drawn; err != nil && l.err == nil {
			l.err = err
		}
		if l.err == nil {
			l.err = guard(func() error { return l.deliver(sh) })
		}
		if l.err != nil {
			l.stop.Store(true)
		}
		if sh.own {
			l.blank <- sh.image // has room for all
		}
		giveBack(sh.pic)
	}
}

// deliver gives a frame to the encoder.
func (l *line) deliver(sh *sheet) error {
	if err := l.w.Write(sh.image, l.j.seq.Times[sh.index]); err != nil {
		return err
	}
	if l.s.cfg.Progress != nil {
		l.s.cfg.Progress(Progress{Record: l.j.key, Done: sh.index + 1, Total: l.j.seq.Len()})
	}
	return nil
}

// guard runs work and turns a panic into an error: the goroutines of a line are not the
// one whose panics end in a failed record.
func guard(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return work()
}
