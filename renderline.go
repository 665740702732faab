package motion

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/yuv"
)

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

func newLine(j *drawJob, w draw.MovieWriter) *line {
	painters := min(runtime.GOMAXPROCS(0), maxPainters)
	l := &line{
		j: j, w: w,
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
	l.j.progress(sh.index+1, l.j.seq.Len())
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
