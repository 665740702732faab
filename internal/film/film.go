// Package film draws a movie: frames are decoded, drawn onto and encoded. It also takes single
// pictures out of one (Stills), and decodes pictures within limits (Images).
//
//	err := (&film.Film{
//		Keypoints: seq, Style: style,
//		Open:   func() (inference.Frames, error) { return decoder.Open(ctx, movie) },
//		Create: func() (draw.MovieWriter, error) { return encoder.Create(ctx, path, draw.Movie{Size: seq.Size}) },
//	}).Draw(ctx)
package film

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"sync"

	xdraw "golang.org/x/image/draw"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/keypoint"
)

// Film is a movie to be drawn. Keypoints, Style and Create are required.
type Film struct {
	Keypoints keypoint.Sequence           // a frame for each frame to be drawn, with times and size
	Style     *draw.Style                 //
	Inputs    func(frame int) draw.Inputs // what the style needs

	// Part says that Keypoints cover a part of the movie only, from frame First on.
	Part  bool
	First int

	Beside *Panel // shown to the right of each picture; nil: nothing is

	// Open starts to decode the movie. nil means that nothing is decoded: the style fills the frames.
	Open func() (inference.Frames, error)
	// Create starts to write the drawn movie. It runs while Open does.
	Create func() (draw.MovieWriter, error)

	Progress func(done, total int) // called after each frame, by one goroutine at a time
}

// Draw draws the movie. It returns when all frames are written and closed, or after the
// first error; then the writer is aborted and all pictures are released.
func (f *Film) Draw(ctx context.Context) error {
	if n := len(f.Keypoints.Times); n != f.Keypoints.Len() || n == 0 {
		return fmt.Errorf("the movie has keypoints of %d frames with %d times, want one time a frame", f.Keypoints.Len(), n)
	}
	frames, w, err := f.start()
	if w != nil {
		defer w.Abort()
	}
	var panel *follower
	if f.Beside != nil && err == nil {
		panel = &follower{panel: f.Beside}
		if f.Beside.Open != nil {
			err = panics.Call(func() error { panel.pictures, err = f.Beside.Open(); return err })
		}
	}
	if err == nil {
		p := newPipeline(f, w, panel)
		err = panics.Call(func() error { return f.feed(ctx, frames, p) })
		close(p.drawn)
		p.work.Wait() // all pictures are released now
		err = errors.Join(err, p.err)
	}
	if frames != nil {
		err = errors.Join(err, frames.Close())
	}
	if panel != nil && panel.pictures != nil {
		err = errors.Join(err, panel.pictures.Close())
	}
	if err != nil {
		return err
	}
	return w.Close()
}

func (f *Film) Size() image.Point {
	if f.Beside != nil {
		return f.Beside.canvas
	}
	return f.Keypoints.Size
}

// Canvas returns a picture for the only frame of a film, with the panel drawn. The source's picture belongs to its upper left corner.
func (f *Film) Canvas() (*image.RGBA, error) {
	m := image.NewRGBA(image.Rectangle{Max: f.Size()})
	if f.Beside == nil {
		return m, nil
	}
	xdraw.Draw(m, m.Rect, image.Black, image.Point{}, xdraw.Src)
	return m, f.Beside.still(m)
}

// DrawOnto draws the only frame onto its canvas.
func (f *Film) DrawOnto(canvas *image.RGBA) error {
	dst, _ := canvas.SubImage(image.Rectangle{Max: f.Keypoints.Size}).(*image.RGBA)
	if err := draw.NewRenderer(f.Style).Render(dst, &f.Keypoints.Frames[0], f.Inputs(0)); err != nil {
		return err
	}
	if f.Progress != nil {
		f.Progress(1, 1)
	}
	return nil
}

// start opens and creates at the same time: both read the movie's headers. The caller closes what it returns, after an error too.
func (f *Film) start() (frames inference.Frames, w draw.MovieWriter, err error) {
	var failed error
	var created sync.WaitGroup
	created.Go(func() {
		failed = panics.Call(func() (err error) { w, err = f.Create(); return err })
	})
	if f.Open != nil {
		err = panics.Call(func() error { frames, err = f.Open(); return err })
	}
	created.Wait()
	return frames, w, errors.Join(err, failed)
}

func (f *Film) feed(ctx context.Context, frames inference.Frames, p *pipeline) error {
	n := f.Keypoints.Len()
	if frames == nil {
		for i := 0; i < n && !p.failed(); i++ {
			if err := cmp.Or(p.push(i, inference.Picture{}), ctx.Err()); err != nil {
				return err
			}
		}
		return nil
	}
	for i := -f.First; !p.failed() && !(f.Part && i == n); i++ {
		pic, err := frames.Next()
		if err == nil && i < 0 {
			release(pic)
			continue
		}
		switch {
		case err == io.EOF && i == n:
			return nil
		case err == io.EOF:
			return fmt.Errorf("the movie has %d frames, its keypoints are of %d", i+f.First, n+f.First)
		case err != nil:
			return err
		case i >= n:
			err = fmt.Errorf("the movie has more than the %d frames of its keypoints", n)
		case pic.Image.Bounds().Size() != f.Keypoints.Size:
			err = fmt.Errorf("frame %d has %v pixels, its keypoints are of a frame of %v", i+f.First, pic.Image.Bounds().Size(), f.Keypoints.Size)
		}
		if err != nil {
			release(pic)
			return err
		}
		if err := p.push(i, pic); err != nil {
			return err
		}
	}
	return nil
}

func release(pic inference.Picture) {
	if pic.Release != nil {
		pic.Release()
	}
}
