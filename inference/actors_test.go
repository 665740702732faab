package inference_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"io"
	"math"
	"sync/atomic"
	"testing"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// actor is somebody who walks through a made-up movie: the middle of the body by frame, NaN
// where not in the picture.
type actor struct {
	at   []keypoint.Point
	size float64
}

// body is a frame of a body around a point.
func body(at keypoint.Point, size float64) (f keypoint.Frame) {
	for p := range keypoint.Part(keypoint.NumBody) {
		f.Set(p, keypoint.Point{at[0] + size*(float64(p%4)/3-0.5)*0.4, at[1] + size*(float64(p)/16-0.5)}, 0.9)
	}
	return f
}

// film is a made-up movie: its pictures carry their number, and scene changes change
// everything else.
type film struct {
	n      int
	times  []float64 // of the frames; nil for 10 a second
	cuts   map[int]bool
	fail   int // the frame that cannot be decoded; 0 for none
	at     int
	colour uint8
	out    atomic.Int64 // pictures that were not released
	most   int64        // the most of them at a time
}

// still is a picture that knows its number.
type still struct {
	image.Image
	number int
}

func (f *film) Info() inference.Info {
	return inference.Info{Size: image.Pt(640, 480), Frames: f.n, FrameRate: 10}
}

func (f *film) Next() (inference.Picture, error) {
	if f.at >= f.n {
		return inference.Picture{}, io.EOF
	}
	if f.fail > 0 && f.at == f.fail {
		return inference.Picture{}, errTorn
	}
	if f.cuts[f.at] {
		f.colour = 255 - f.colour
	}
	if most := f.out.Add(1); most > f.most {
		f.most = most
	}
	at := float64(f.at) / 10
	if f.times != nil {
		at = f.times[f.at]
	}
	p := inference.Picture{
		Image: still{&plain{image.Rect(0, 0, 640, 480), color.Gray{f.colour}}, f.at}, Time: at,
		Release: func() { f.out.Add(-1) },
	}
	f.at++
	return p, nil
}

func (f *film) Close() error { return nil }

var errTorn = errors.New("torn")

type plain struct {
	bounds image.Rectangle
	c      color.Color
}

func (p *plain) ColorModel() color.Model { return color.GrayModel }

func (p *plain) Bounds() image.Rectangle { return p.bounds }

func (p *plain) At(int, int) color.Color { return p.c }

// eyes is an estimator that sees the actors: the one near the expected place, where there is
// one within reach, else whom the chooser wants.
type eyes struct {
	actors  []actor
	blind   map[int]bool // frames in which nobody can be followed
	feet    bool         // it finds feet, below the body
	looks   atomic.Int64
	most    atomic.Int64
	running atomic.Int64
}

func (e *eyes) Find(_ context.Context, img image.Image) ([]inference.Candidate, error) {
	var people []inference.Candidate
	for _, a := range e.actors {
		if at := a.at[img.(still).number]; !math.IsNaN(at[0]) {
			f := body(at, a.size)
			for _, p := range keypoint.Feet.List() {
				if e.feet {
					f.Set(p, at.Add(keypoint.Point{5 * float64(p%2), 0.6 * a.size}), 0.9)
				}
			}
			b, _ := inference.BoundsOf(&f)
			people = append(people, inference.Candidate{Box: b, Keypoints: f, Score: 0.5})
		}
	}
	return people, nil
}

func (e *eyes) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	e.looks.Add(1)
	now := e.running.Add(1)
	defer e.running.Add(-1)
	for most := e.most.Load(); now > most && !e.most.CompareAndSwap(most, now); most = e.most.Load() {
	}
	if err := ctx.Err(); err != nil {
		return keypoint.Frame{}, err
	}
	people, _ := e.Find(ctx, img)
	r := hint.Region
	if r != (inference.Region{}) && !r.Followed {
		return r.Keypoints, nil
	}
	if r.Followed {
		for _, p := range people {
			if !e.blind[img.(still).number] && p.Box.Centre().Sub(r.Box.Centre()).Len() < 0.3*p.Box.Extent() {
				return p.Keypoints, nil
			}
		}
		return keypoint.Frame{}, nil
	}
	if i := hint.Choose.Choose(image.Rect(0, 0, 640, 480), people); i >= 0 {
		return people[i].Keypoints, nil
	}
	return keypoint.Frame{}, nil
}

// stand and walk are ways through n frames.
func stand(n int, x float64) (at []keypoint.Point) { return walking(n, x, 0) }

func walking(n int, x, step float64) (at []keypoint.Point) {
	for i := range n {
		at = append(at, keypoint.Point{x + step*float64(i), 240})
	}
	return at
}

// gone takes somebody out of some frames.
func gone(at []keypoint.Point, from, to int) []keypoint.Point {
	for i := from; i < to; i++ {
		at[i] = keypoint.Point{math.NaN(), 0}
	}
	return at
}

// who returns which actor each frame shows, −1 for nobody, −2 for none of them.
func who(seq keypoint.Sequence, actors []actor) (list []int) {
	for i := range seq.Frames {
		seen := -2
		if seq.Frames[i].Empty() {
			seen = -1
		}
		for k, a := range actors {
			there := body(a.at[i], a.size)
			there.Clamp(keypoint.Point{}, keypoint.Point{640, 480})
			if seen != -1 && seq.Frames[i] == there {
				seen = k
			}
		}
		list = append(list, seen)
	}
	return list
}

func times(n, v int) (list []int) {
	for range n {
		list = append(list, v)
	}
	return list
}

func extract(t testing.TB, n int, e *eyes, cuts map[int]bool, opt inference.ExtractOptions) keypoint.Sequence {
	t.Helper()
	f := &film{n: n, cuts: cuts}
	seq, err := inference.Extract(context.Background(), f, e, opt)
	if err != nil {
		t.Fatal(err)
	}
	if f.out.Load() != 0 {
		t.Errorf("%d pictures were not released", f.out.Load())
	}
	if seq.Len() != n || seq.Size != image.Pt(640, 480) || seq.Validate() != nil {
		t.Fatalf("%d frames of %v (%v)", seq.Len(), seq.Size, seq.Validate())
	}
	return seq
}

func fixed(n int, p keypoint.Point) (at []keypoint.Point) {
	for range n {
		at = append(at, p)
	}
	return at
}

// onlyOne is an estimator that is no finder.
type onlyOne struct{ e *eyes }

func (o onlyOne) Estimate(ctx context.Context, img image.Image, h inference.Hint) (keypoint.Frame, error) {
	return o.e.Estimate(ctx, img, h)
}
