package film

import (
	"image"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/internal/yuv"
)

// maxPainters bounds how many frames are drawn at once: encoding a frame takes far longer
// than drawing it, and each painter keeps a layer of the movie's size.
const maxPainters = 4

// pipeline draws frames in some goroutines, one frame at a time each, and writes them in
// order in another. The number of frames in it is bounded.
type pipeline struct {
	film   *Film
	panel  *follower // nil without Beside
	w      draw.MovieWriter
	todo   chan *item
	order  chan *item
	blank  chan *yuv.Image // free buffers, for pictures that must not be drawn onto; nil: not allocated yet
	broken atomic.Bool
	work   sync.WaitGroup
	err    error // of the writing goroutine; read after work.Wait
}

// item is a frame in the pipeline.
type item struct {
	index int
	pic   inference.Picture // as decoded; zero if nothing is decoded
	image *yuv.Image        // to be written
	own   bool              // image comes from blank
	drawn chan error        // receives the result of drawing
}

func newPipeline(f *Film, w draw.MovieWriter, panel *follower) *pipeline {
	painters := min(runtime.GOMAXPROCS(0), maxPainters)
	p := &pipeline{
		film: f, panel: panel, w: w,
		todo: make(chan *item, painters), order: make(chan *item, painters), blank: make(chan *yuv.Image, painters+2),
	}
	for range cap(p.blank) {
		p.blank <- nil
	}
	for range painters {
		p.work.Go(p.paint)
	}
	p.work.Go(p.write)
	return p
}

// push adds frame i and waits while the pipeline is full. The pipeline releases the picture.
func (p *pipeline) push(i int, pic inference.Picture) error {
	it := &item{index: i, pic: pic, drawn: make(chan error, 1)}
	// Only pictures of our own decoder are drawn onto in place: it refills them each time. Another decoder may share or keep its pictures.
	m, ok := pic.Image.(*yuv.Image)
	if ok && pic.Release != nil && p.panel == nil {
		it.image = m
	} else {
		it.own = true
		if it.image = <-p.blank; it.image == nil {
			it.image, _ = draw.NewYUV(p.film.Size()).(*yuv.Image)
		}
		if ok && p.panel != nil {
			it.image.Full, it.image.BT709 = m.Full, m.BT709
		}
		if err := p.panel.show(it.image, i); err != nil {
			release(pic)
			return err
		}
	}
	p.order <- it
	p.todo <- it
	return nil
}

func (p *pipeline) failed() bool { return p.broken.Load() }

// end waits until all frames are written and returns the first error.
func (p *pipeline) end() error {
	close(p.todo)
	close(p.order)
	p.work.Wait()
	return p.err
}

// paint draws frames until there are no more.
func (p *pipeline) paint() {
	r := draw.NewRenderer(p.film.Style)
	var panel *draw.Renderer
	if p.panel != nil {
		panel = draw.NewRenderer(p.panel.panel.style)
	}
	var convert yuv.Converter
	for it := range p.todo {
		it.drawn <- panics.Call(func() error {
			picture := it.image
			if p.panel != nil {
				picture = it.image.View(image.Rectangle{Max: p.film.Keypoints.Size})
			}
			if it.own && it.pic.Image != nil {
				convert.Convert(picture, it.pic.Image)
			}
			var in draw.Inputs
			if p.film.Inputs != nil {
				in = p.film.Inputs(it.index)
			}
			if err := r.RenderYUV(picture, &p.film.Keypoints.Frames[it.index], in); err != nil || panel == nil {
				return err
			}
			beside := p.panel.panel
			return panel.RenderYUV(it.image.View(beside.place), &beside.keypoints.Frames[beside.At[it.index]], beside.inputs(it.index))
		})
	}
}

// write writes the frames in order. After an error it only releases pictures.
func (p *pipeline) write() {
	for it := range p.order {
		if err := <-it.drawn; err != nil && p.err == nil {
			p.err = err
		}
		if p.err == nil {
			p.err = panics.Call(func() error { return p.deliver(it) })
		}
		if p.err != nil {
			p.broken.Store(true)
		}
		if it.own {
			p.blank <- it.image // never blocks
		}
		release(it.pic)
	}
}

func (p *pipeline) deliver(it *item) error {
	if err := p.w.Write(it.image, p.film.Keypoints.Times[it.index]); err != nil {
		return err
	}
	if p.film.Progress != nil {
		p.film.Progress(it.index+1, p.film.Keypoints.Len())
	}
	return nil
}
