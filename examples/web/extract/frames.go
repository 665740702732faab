//go:build js

package main

import (
	"errors"
	"image"
	"io"
	"sync"
	"syscall/js"

	"github.com/bodymotion/motion/examples/web/extract/runtime"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/yuv"
)

// buffers is how many pictures are in use at most.
const buffers = 8

// frames are those of a movie that JavaScript decodes: an object with frames, rate, duration, size, and next(), a Promise of a picture
// or null.
type frames struct {
	movie js.Value
	info  inference.Info
	free  chan []byte
	err   error // what ended the movie
}

func newFrames(movie js.Value) *frames {
	f := &frames{movie: movie, free: make(chan []byte, buffers)}
	f.info = inference.Info{Frames: movie.Get("frames").Int(), FrameRate: movie.Get("rate").Float(), Duration: movie.Get("duration").Float()}
	f.info.Size = image.Pt(movie.Get("width").Int(), movie.Get("height").Int())
	for range buffers {
		f.free <- nil
	}
	return f
}

func (f *frames) Info() inference.Info { return f.info }

func (f *frames) Close() error {
	if f.err == nil {
		f.err = errors.New("the movie is closed")
	}
	return nil
}

func (f *frames) Next() (inference.Picture, error) {
	if f.err != nil {
		return inference.Picture{}, f.err
	}
	buf := <-f.free
	picture, err := runtime.Await(f.movie.Call("next"))
	if err == nil && picture.IsNull() {
		err = io.EOF
	}
	if err != nil {
		f.err = err
		return inference.Picture{}, err
	}
	data := picture.Get("data")
	if n := data.Length(); len(buf) != n {
		buf = make([]byte, n)
	}
	js.CopyBytesToGo(buf, data)
	size := image.Pt(picture.Get("width").Int(), picture.Get("height").Int())
	release := sync.OnceFunc(func() { f.free <- buf })
	return inference.Picture{Image: pixels(buf, size, picture), Time: picture.Get("time").Float(), Release: release}, nil
}

// pixels returns the picture in buf: planes of 4:2:0, or RGBA.
func pixels(buf []byte, size image.Point, picture js.Value) image.Image {
	if picture.Get("rgba").Bool() {
		return &image.RGBA{Pix: buf, Stride: 4 * size.X, Rect: image.Rectangle{Max: size}}
	}
	m := yuv.Wrap(buf, size)
	m.Full, m.BT709 = picture.Get("full").Bool(), picture.Get("bt709").Bool()
	return m
}
