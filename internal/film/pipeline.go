package film

import (
	"image"
	"sync"
	"sync/atomic"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/internal/yuv"
)

// ahead is how many frames are drawn before they are written: encoding a frame takes far longer than drawing it.
const ahead = 2

// pipeline draws frames, and writes them in order in a goroutine.
type pipeline struct {
	film    *Film
	panel   *follower      // nil without Beside
	own     *draw.Renderer // of the film
	beside  *draw.Renderer // of the panel
	convert yuv.Converter
	w       draw.MovieWriter
	drawn   chan *item
	blank   chan *yuv.Image // free buffers, for pictures that must not be drawn onto; nil: not allocated yet
	broken  atomic.Bool
	work    sync.WaitGroup
	err     error // of the writing goroutine; read after work.Wait
}

// item is a frame in the pipeline.
type item struct {
	index int
	pic   inference.Picture // as decoded; zero if nothing is decoded
	image *yuv.Image        // to be written
	own   bool              // image comes from blank
}

func newPipeline(f *Film, w draw.MovieWriter, panel *follower) *pipeline {
	p := &pipeline{film: f, panel: panel, own: draw.NewRenderer(f.Style), w: w, drawn: make(chan *item, ahead), blank: make(chan *yuv.Image, ahead+2)}
	if panel != nil {
		p.beside = draw.NewRenderer(panel.panel.style)
	}
	for range cap(p.blank) {
		p.blank <- nil
	}
	p.work.Go(p.write)
	return p
}

// push draws frame i and waits while the pipeline is full. The pipeline releases the picture.
func (p *pipeline) push(i int, pic inference.Picture) error {
	it := &item{index: i, pic: pic}
	if err := panics.Call(func() error { return p.paint(it) }); err != nil {
		release(pic)
		return err
	}
	p.drawn <- it
	return nil
}

func (p *pipeline) failed() bool { return p.broken.Load() }

// paint draws a frame. Only pictures of our own decoder are drawn onto in place: it refills them each time. Another decoder may share
// or keep its pictures.
func (p *pipeline) paint(it *item) error {
	m, ok := it.pic.Image.(*yuv.Image)
	if it.image = m; !ok || it.pic.Release == nil || p.panel != nil {
		it.own = true
		if it.image = <-p.blank; it.image == nil {
			it.image, _ = draw.NewYUV(p.film.Size()).(*yuv.Image)
		}
		if ok && p.panel != nil {
			it.image.Full, it.image.BT709 = m.Full, m.BT709
		}
	}
	if err := p.panel.show(it.image, it.index); err != nil {
		return err
	}
	picture := it.image
	if p.panel != nil {
		picture = it.image.View(image.Rectangle{Max: p.film.Keypoints.Size})
	}
	if it.own && it.pic.Image != nil {
		p.convert.Convert(picture, it.pic.Image)
	}
	var in draw.Inputs
	if p.film.Inputs != nil {
		in = p.film.Inputs(it.index)
	}
	if err := p.own.RenderYUV(picture, &p.film.Keypoints.Frames[it.index], in); err != nil || p.panel == nil {
		return err
	}
	beside := p.panel.panel
	return p.beside.RenderYUV(it.image.View(beside.place), &beside.keypoints.Frames[beside.At[it.index]], beside.inputs(it.index))
}

// write writes the frames in order. After an error it only releases pictures.
func (p *pipeline) write() {
	for it := range p.drawn {
		if p.err == nil {
			p.err = panics.Call(func() error { return p.deliver(it) })
			p.broken.Store(p.err != nil)
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
