package main

import (
	"context"
	"image"
	"io"
	"math"
	"sync/atomic"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// movies is a decoder to which every file is a movie of so many frames, whose pictures say nothing.
type movies struct{ frames int }

func (m movies) Probe(context.Context, io.ReadSeeker) (inference.Info, error) { return m.info(), nil }

func (m movies) info() inference.Info {
	return inference.Info{Size: image.Pt(640, 480), Frames: m.frames, FrameRate: 30, Duration: float64(m.frames) / 30}
}

// panics is the content of a movie with which someone panics: its pictures are narrow.
const panics = "panics"

func (m movies) Open(_ context.Context, r io.ReadSeeker) (inference.Frames, error) {
	b, err := io.ReadAll(r)
	size := m.info().Size
	if string(b) == panics {
		size.X /= 2
	}
	return &frames{m, 0, image.NewGray(image.Rectangle{Max: size})}, err
}

type frames struct {
	movies
	next int
	img  *image.Gray
}

func (f *frames) Info() inference.Info { return f.info() }
func (f *frames) Close() error         { return nil }

func (f *frames) Next() (inference.Picture, error) {
	if f.next == f.frames {
		return inference.Picture{}, io.EOF
	}
	f.next++
	return inference.Picture{Image: f.img, Time: float64(f.next-1) / 30}, nil
}

// someone is an estimator that sees a person who sways, with digits as a network gives them.
type someone struct{}

func (someone) Estimate(_ context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	if img.Bounds().Dx() < 640 {
		panic("index out of range")
	}
	f := inferencetest.Body(image.Rect(250, 60, 390, 430))
	before, ok := hint.Region.Keypoints.At(keypoint.Nose)
	if !ok {
		before = keypoint.Point{320, 80}
	}
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		turn := before[0]*12.9898 + at[1]*78.233
		f.Set(p, at.Add(keypoint.Point{3 * math.Sin(turn), 3 * math.Cos(turn*1.7)}), 0.5+0.45*math.Sin(turn*0.3))
	}
	return f, nil
}

// hangs is a Store that, while it is on, hangs for all owners but the quiet one.
type hangs struct {
	storage.Store
	on atomic.Bool
}

func (s *hangs) Unwrap() storage.Store { return s.Store }

func (s *hangs) Get(ctx context.Context, key storage.Key) (storage.Record, error) {
	if s.on.Load() && key.Owner != "quiet" {
		<-ctx.Done()
		return storage.Record{}, ctx.Err()
	}
	return s.Store.Get(ctx, key)
}
